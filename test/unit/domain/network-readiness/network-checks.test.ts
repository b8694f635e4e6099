import { expect } from 'chai';
import { viewNode } from '../../../../src/domain/discovery/node-view.ts';
import type { NetworkCheckInput, UplinkUnusable } from '../../../../src/domain/network-readiness/network-check.ts';
import { networkFailure } from '../../../../src/domain/network-readiness/network-checks.ts';
import type { Conflict } from '../../../../src/domain/routing-domain/conflict.ts';
import { type BriefLink, completeNode } from '../../../../src/testing/index.ts';
import { network } from '../brief-objects.ts';

const nodeWith = (...links: readonly BriefLink[]) => viewNode(completeNode({ nodeName: 'a', links }));

/** A network that can be programmed, unless something else is said. */
function judge(input: Partial<NetworkCheckInput> = {}) {
  const subnets = [{ cidr: '10.0.0.0/16' }];
  return networkFailure({
    network: network('blue', { network: { layer3: { role: 'Primary', subnets } } }),
    networkId: 7,
    ownVrf: 'blue',
    domain: { kind: 'default' },
    conflicts: [],
    uplinkUnusable: undefined,
    ipAddresses: ['192.0.2.6/24'],
    dataplane: undefined,
    internalIps: [],
    node: nodeWith({ name: 'ovn-k8s-mp7', index: 12 }),
    ...input,
  });
}

const conflict: Conflict = { over: 'bridge', bridge: 'br-x', networks: ['blue', 'red'] };
const unusable: UplinkUnusable = { cause: 'discovery', failure: { reason: 'BridgeNotFound' } };

describe('a network', () => {
  it('can be programmed where nothing stands in its way', () => {
    expect(judge()).to.be.undefined;
  });

  it('waits for its id', () => {
    expect(judge({ networkId: undefined })).to.deep.equal({ reason: 'NetworkNotAllocated' });
  });

  it('needs its management port', () => {
    expect(judge({ node: nodeWith({ name: 'ovn-k8s-mp77' }) })).to.deep.equal({
      reason: 'PrerequisiteMissing',
      device: 'ovn-k8s-mp7',
    });
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
    const both = network('blue', {
      network: { layer3: { role: 'Primary', subnets: [{ cidr: '10.0.0.0/16' }, { cidr: 'fd00::/48' }] } },
    });
    const missing = (ipAddresses: readonly string[]) => judge({ network: both, ipAddresses });
    expect(missing(['2001:db8::6/64', '192.0.2.6/24'])).to.be.undefined;
    expect(missing(['192.0.2.6/24'])).to.deep.equal({ reason: 'AddressFamilyMissing', families: [6] });
    expect(missing(['2001:db8::6/64'])).to.deep.equal({ reason: 'AddressFamilyMissing', families: [4] });
    expect(missing([])).to.deep.equal({ reason: 'AddressFamilyMissing', families: [4, 6] });
    expect(judge({ ipAddresses: ['192.0.2.6/24', '2001:db8::6/64'] }), 'more than it needs').to.be.undefined;
  });

  it('is told first what comes first, as each thing is mended', () => {
    let input: Partial<NetworkCheckInput> = {
      networkId: undefined,
      node: nodeWith({ name: 'blue' }),
      conflicts: [conflict],
      uplinkUnusable: unusable,
      ipAddresses: [],
    };
    const mend = (change: Partial<NetworkCheckInput>) => {
      input = { ...input, ...change };
      return judge(input)?.reason;
    };
    expect(mend({})).to.equal('NetworkNotAllocated');
    expect(mend({ networkId: 7 })).to.equal('PrerequisiteMissing');
    expect(mend({ node: nodeWith({ name: 'ovn-k8s-mp7' }, { name: 'blue' }) })).to.equal('UplinkConfigurationConflict');
    expect(mend({ conflicts: [] })).to.equal('UplinkNotReadyForNode');
    expect(mend({ uplinkUnusable: undefined })).to.equal('UplinkVRFAttachmentFailed');
    expect(mend({ node: nodeWith({ name: 'ovn-k8s-mp7' }) })).to.equal('AddressFamilyMissing');
    expect(mend({ ipAddresses: ['192.0.2.6/24'] })).to.be.undefined;
  });
});
