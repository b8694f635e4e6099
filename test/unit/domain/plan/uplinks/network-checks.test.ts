import { clusterNetworkKey } from '../../../../../src/domain/network/key.ts';
import { expect } from 'chai';
import { viewNode } from '../../../../../src/domain/snapshot/node-view.ts';
import type { NetworkCheckInput, UplinkUnusable } from '../../../../../src/domain/network-readiness/network-check.ts';
import { networkFailure } from '../../../../../src/domain/plan/uplinks/network-checks.ts';
import type { Conflict } from '../../../../../src/domain/routing-domain/conflict.ts';
import { type BriefLink, completeNode } from '../../../../../src/testing/index.ts';
import { readNetwork } from '../../brief-objects.ts';
import { corporateVrf, domains, hostInterface, managementPort } from '../../dataplane/dataplane-input.ts';
import { checkInput } from '../../network-readiness/check-input.ts';

const overlaps: NetworkCheckInput['overlaps'] = [
  {
    bridge: 'br-blue',
    subnet: '10.0.1.0/24',
    other: { network: 'ClusterUserDefinedNetwork/red', subnet: '10.0.0.0/16' },
  },
];

const usedTwice: NetworkCheckInput['usedTwice'] = {
  own: { use: 'join', subnet: '100.65.0.0/16' },
  other: { use: 'uplink', subnet: '100.65.0.0/24', of: 'uplink' },
};

const nodeWith = (...links: readonly BriefLink[]) => viewNode(completeNode({ nodeName: 'a', links }));

/** A network that can be programmed, unless something else is said. */
function judge(input: Partial<NetworkCheckInput> = {}) {
  const subnets = [{ cidr: '10.0.0.0/16' }];
  return networkFailure({
    network: readNetwork('blue', { network: { layer3: { role: 'Primary', subnets } } }),
    networkId: 7,
    vrf: { name: 'blue', table: 1012, own: true, enslaves: false },
    conflicts: [],
    usedTwice: undefined,
    overlaps: [],
    uplinkUnusable: undefined,
    ipAddresses: ['192.0.2.6/24'],
    dataplane: undefined,
    unreadable: undefined,
    unknownDatapath: undefined,
    internalIps: [],
    node: nodeWith({ name: 'ovn-k8s-mp7', index: 12 }),
    ...input,
  });
}

const conflict: Conflict = { over: 'bridge', bridge: 'br-x', networks: ['blue', 'red'].map(clusterNetworkKey) };
const unusable: UplinkUnusable = { cause: 'discovery', failure: { reason: 'BridgeNotFound' } };

describe('a network', () => {
  it('can be programmed if every check passes', () => {
    expect(judge()).to.be.undefined;
  });

  it('waits for its id', () => {
    expect(judge({ networkId: undefined })).to.deep.equal({ reason: 'NetworkNotAllocated' });
  });

  it('needs its management port', () => {
    const missing = { reason: 'PrerequisiteMissing', missing: { kind: 'device', device: 'ovn-k8s-mp7' } };
    expect(judge({ node: nodeWith({ name: 'ovn-k8s-mp77' }) })).to.deep.equal(missing);
    expect(judge({ node: nodeWith({ name: 'ovn-k8s-mp7', kind: 'vrf', vrfTable: 5 }) })).to.deep.equal(missing);
  });

  it('must not be in conflict', () => {
    expect(judge({ conflicts: [conflict] })).to.deep.equal({
      reason: 'UplinkConfigurationConflict',
      conflicts: [conflict],
    });
  });

  it('needs one interface and not several', () => {
    expect(judge({ uplinkUnusable: { cause: 'overlap', hostInterfaceNames: ['a', 'b'] } })).to.deep.equal({
      reason: 'UplinkOverlapOnNode',
      hostInterfaceNames: ['a', 'b'],
    });
  });

  it('needs an uplink that is ready', () => {
    expect(judge({ uplinkUnusable: unusable })).to.deep.equal({ reason: 'UplinkNotReadyForNode', unusable });
  });

  it('needs an address of each of its families', () => {
    const both = readNetwork('blue', {
      network: { layer3: { role: 'Primary', subnets: [{ cidr: '10.0.0.0/16' }, { cidr: 'fd00::/48' }] } },
    });
    const missing = (ipAddresses: readonly string[]) => judge({ network: both, ipAddresses });
    expect(missing(['2001:db8::6/64', '192.0.2.6/24'])).to.be.undefined;
    expect(missing(['192.0.2.6/24'])).to.deep.equal({ reason: 'AddressFamilyMissing', families: [6] });
    expect(missing(['2001:db8::6/64'])).to.deep.equal({ reason: 'AddressFamilyMissing', families: [4] });
    expect(missing([])).to.deep.equal({ reason: 'AddressFamilyMissing', families: [4, 6] });
    expect(judge({ ipAddresses: ['192.0.2.6/24', '2001:db8::6/64'] }), 'more than it needs').to.be.undefined;
  });

  it('needs pods with addresses of their own', () => {
    expect(judge({ overlaps })).to.deep.equal({ reason: 'SubnetsOverlap', cause: 'advertised', overlaps });
  });

  it('needs subnets that its uplink does not have', () => {
    expect(judge({ usedTwice })).to.deep.equal({ reason: 'SubnetsOverlap', cause: 'used-twice', usedTwice });
  });

  it('reports the first failing check, in order, as failures are fixed one by one', () => {
    let input = checkInput({
      domain: domains['its own VRF'],
      node: {
        links: [{ ...hostInterface, master: 'corp' }, managementPort, { ...corporateVrf, name: 'blue' }],
        neighbours: [{ device: 'br-blue', address: '169.254.0.4', macAddress: '02:00:00:00:00:99' }],
        switchExternalIds: { 'ovn-bridge-mappings': 'cluster_udn_blue:br-other' },
      },
    });
    const { links, neighbours, ...rest } = input.node.snapshot;
    const nodeIn = (master: string | undefined, vrfTable: number, permanent = neighbours) => {
      const moved = links.map(({ master: _master, ...link }) => ({
        ...link,
        ...(link.name === 'br-blue' && master !== undefined && { master }),
        ...(link.name === 'blue' && { vrfTable }),
      }));
      return viewNode({ ...rest, links: moved, neighbours: permanent });
    };
    input = {
      ...input,
      networkId: undefined,
      node: viewNode({ ...rest, links: links.filter(({ name }) => name === 'blue'), neighbours }),
      conflicts: [conflict],
      usedTwice,
      overlaps,
      uplinkUnusable: unusable,
      network: readNetwork('blue', { network: { layer3: { role: 'Primary', subnets: [{ cidr: '10.0.0.0/16' }] } } }),
    };
    const mend = (change: Partial<NetworkCheckInput>) => {
      input = { ...input, ...change };
      const failure = networkFailure(input);
      return (
        failure &&
        ('found' in failure
          ? `${failure.found.kind} ${failure.cause}`
          : 'cause' in failure
            ? failure.cause
            : failure.reason)
      );
    };
    expect(mend({})).to.equal('NetworkNotAllocated');
    expect(mend({ networkId: 7 })).to.equal('PrerequisiteMissing');
    expect(mend({ node: nodeIn('corp', 500) })).to.equal('UplinkConfigurationConflict');
    expect(mend({ conflicts: [] })).to.equal('UplinkNotReadyForNode');
    expect(mend({ uplinkUnusable: undefined })).to.equal('other-table');
    expect(mend({ node: nodeIn('corp', 1012) })).to.equal('other-master');
    expect(mend({ node: nodeIn(undefined, 1012) })).to.equal('neighbour in-the-way');
    expect(mend({ node: nodeIn(undefined, 1012, []) })).to.equal('AddressFamilyMissing');
    expect(mend({ ipAddresses: ['192.0.2.6/24'] })).to.equal('used-twice');
    expect(mend({ usedTwice: undefined })).to.equal('advertised');
    expect(mend({ overlaps: [] })).to.equal('bridge-mapping in-the-way');
    expect(mend({ dataplane: undefined })).to.be.undefined;
  });
});
