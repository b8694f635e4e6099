import { uplinkPart } from '../../../../src/domain/network/part.ts';
import { clusterNetworkKey } from '../../../../src/domain/network/key.ts';
import type { NetworkEntry } from '../../../../src/domain/api/uplink-state.ts';
import { expect } from 'chai';
import {
  type NetworkOnNode,
  type NodePlan,
  nodeStatus,
  type Operation,
  type OperationFailure,
  type UplinkOnNode,
} from '../../../../src/domain/index.ts';
import { networkMessage } from '../../../../src/domain/plan/node-status.ts';

const facts = {
  macAddress: '02:00:00:00:00:01',
  ipAddresses: ['192.0.2.6/24'],
  defaultGateways: ['192.0.2.1'],
  bridge: 'br-blue',
  physicalPort: 'eth1',
};
const ready: UplinkOnNode = { uplink: 'blue', hostInterfaceName: 'br-blue', facts, stateNameTaken: false };

const row = (network: string, rest: Partial<NetworkOnNode> = {}): NetworkOnNode => ({
  key: `ClusterUserDefinedNetwork/${network}`,
  network,
  uplink: 'blue',
  routingDomain: { domain: { kind: 'default' }, decidedBy: [] },
  held: false,
  ...rest,
});

const planOf = (uplinks: readonly UplinkOnNode[], networks: readonly NetworkOnNode[] = []): NodePlan => ({
  nodeName: 'a',
  uplinks,
  networks,
  dataplane: { programmed: [], kept: [], desired: [], stays: [] },
  warnings: [],
});

describe('the states that a node writes', () => {
  it('have the identity of the uplink and the result of discovery', () => {
    expect(nodeStatus(planOf([{ ...ready, uid: 'u-1' }]))).to.deep.equal([
      {
        apiVersion: 'k8s.ovn.org/v1alpha1',
        kind: 'UplinkState',
        metadata: {
          name: 'blue.a',
          labels: { 'k8s.ovn.org/node': 'a', 'k8s.ovn.org/uplink': 'blue' },
          annotations: { 'k8s.ovn.org/node': 'a', 'k8s.ovn.org/uplink': 'blue' },
          ownerReferences: [
            { apiVersion: 'k8s.ovn.org/v1alpha1', kind: 'Uplink', name: 'blue', uid: 'u-1', controller: true },
          ],
        },
        status: {
          uplinkName: 'blue',
          nodeName: 'a',
          type: 'OVSBridge',
          hostInterfaceName: 'br-blue',
          ovsBridge: { name: 'br-blue' },
          macAddress: '02:00:00:00:00:01',
          ipAddresses: ['192.0.2.6/24'],
          defaultGateways: ['192.0.2.1'],
          conditions: [
            {
              type: 'Ready',
              status: 'True',
              reason: 'Ready',
              message: 'interface br-blue on bridge br-blue, physical port eth1',
            },
          ],
          networks: [],
        },
      },
    ]);
  });

  it('have no owner reference without a uid', () => {
    expect(nodeStatus(planOf([ready]))[0]?.metadata).to.have.all.keys('name', 'labels', 'annotations');
  });

  it('keep long names in annotations and their hashes in labels', () => {
    const uplink = `u${'x'.repeat(100)}`;
    const metadata = nodeStatus(planOf([{ ...ready, uplink }]))[0]?.metadata;
    expect(metadata?.annotations).to.deep.include({ 'k8s.ovn.org/uplink': uplink });
    expect(metadata?.labels?.['k8s.ovn.org/uplink']).to.match(/^[0-9a-f]{16}$/);
  });

  it('have only what was found before the failing check', () => {
    const failed: UplinkOnNode = {
      ...ready,
      facts: { macAddress: facts.macAddress },
      unusable: { cause: 'discovery', failure: { reason: 'BridgeNotFound' } },
    };
    const status = nodeStatus(planOf([failed]))[0]?.status;
    expect(status).to.have.all.keys(
      'uplinkName',
      'nodeName',
      'type',
      'hostInterfaceName',
      'macAddress',
      'conditions',
      'networks',
    );
    expect(status?.conditions[0]).to.include({ status: 'False', reason: 'BridgeNotFound' });
  });

  it('have only the overlap if there are several interfaces', () => {
    const overlap: UplinkOnNode = {
      uplink: 'blue',
      stateNameTaken: false,
      unusable: { cause: 'overlap', hostInterfaceNames: ['x', 'y'] },
    };
    const status = nodeStatus(planOf([overlap], [row('blue')]))[0]?.status;
    expect(status).to.have.all.keys('uplinkName', 'nodeName', 'conditions');
    expect(status?.conditions[0]).to.include({ type: 'Ready', status: 'False', reason: 'NodeSelectorOverlap' });
    expect(status?.conditions[0]?.message).to.include('x, y');
  });

  const silent: readonly (readonly [what: string, onNode: UplinkOnNode])[] = [
    ['the name of the state is taken', { ...ready, stateNameTaken: true }],
    [
      'the name of the state is taken and there are several interfaces',
      { uplink: 'blue', stateNameTaken: true, unusable: { cause: 'overlap', hostInterfaceNames: ['x', 'y'] } },
    ],
    [
      'the type is not known',
      {
        uplink: 'blue',
        hostInterfaceName: 'br-blue',
        stateNameTaken: false,
        unusable: { cause: 'unknown-type', type: 'SRIOV' },
      },
    ],
    [
      'a selector is not understood',
      {
        uplink: 'blue',
        stateNameTaken: false,
        unusable: {
          cause: 'unclear-selector',
          problem: { hostInterfaceName: 'x', kind: 'operator-unknown', key: 'k', detail: 'd' },
        },
      },
    ],
  ];
  for (const [what, onNode] of silent) {
    it(`are not written if ${what}`, () => {
      expect(nodeStatus(planOf([onNode]))).to.deep.equal([]);
    });
  }

  it('have an entry for each network on the uplink, by name', () => {
    const plan = planOf(
      [ready],
      [
        row('red', { vrf: 'red', failure: { reason: 'NetworkNotAllocated' } }),
        row('blue', { vrf: 'blue' }),
        row('green'),
        row('other', { uplink: 'another' }),
      ],
    );
    expect(nodeStatus(plan)[0]?.status.networks).to.deep.equal([
      { name: 'blue', vrf: 'blue', ready: 'True', reason: 'Ready', message: '' },
      { name: 'green', ready: 'True', reason: 'Ready', message: '' },
      {
        name: 'red',
        vrf: 'red',
        ready: 'False',
        reason: 'NetworkNotAllocated',
        message: 'OVN-Kubernetes has not allocated a network id yet',
      },
    ]);
  });

  it('have entries of at most 256 networks', () => {
    const networks = Array.from({ length: 300 }, (_, index) => row(`net-${index}`));
    expect(nodeStatus(planOf([ready], networks))[0]?.status.networks).to.have.length(256);
  });
});

describe('a network whose operations are not all done', () => {
  const entry = { name: 'blue', vrf: 'blue', ready: 'True', reason: 'Ready', message: 'as before' } as const;
  const networksOf = (
    former: NetworkEntry | undefined,
    rowOf: NetworkOnNode,
    failures: readonly OperationFailure[] = [],
  ) =>
    nodeStatus(planOf([ready], [rowOf]), failures, {
      parts: new Set([uplinkPart('ClusterUserDefinedNetwork/blue')]),
      before: new Map(former === undefined ? [] : [['blue', former]]),
    })[0]?.status.networks;

  it('is not reported yet', () => {
    expect(networksOf(undefined, row('blue', { vrf: 'blue' }))).to.deep.equal([]);
  });

  it('is reported as before, if it is in the same VRF', () => {
    expect(networksOf(entry, row('blue', { vrf: 'blue' }))).to.deep.equal([entry]);
  });

  it('is not reported as before, if it goes to another VRF or to the default domain', () => {
    expect(networksOf(entry, row('blue', { vrf: 'red' }))).to.deep.equal([]);
    expect(networksOf(entry, row('blue'))).to.deep.equal([]);
  });

  it('is reported if it cannot be programmed', () => {
    const held = row('blue', { vrf: 'blue', failure: { reason: 'NetworkNotAllocated' } });
    expect(networksOf(entry, held)?.[0]).to.include({ ready: 'False', reason: 'NetworkNotAllocated' });
  });
});

describe('a network of which an operation failed', () => {
  const route = (...names: readonly string[]): Operation => ({
    verb: 'add',
    networks: names.map(clusterNetworkKey),
    entity: { kind: 'sysctl', device: 'br-blue', name: 'net.ipv4.conf.br-blue.rp_filter', value: '2' },
  });
  const mapping = (verb: 'add' | 'remove', ...names: readonly string[]): Operation => ({
    verb,
    networks: names.map(clusterNetworkKey),
    entity: { kind: 'bridge-mapping', networkName: 'cluster_udn_blue', bridge: 'br-blue' },
  });
  const entries = (failures: readonly OperationFailure[], ...rows: readonly NetworkOnNode[]) =>
    nodeStatus(planOf([ready], rows), failures)[0]?.status.networks?.map(({ name, ready: isReady, reason, message }) =>
      [name, isReady, reason, message].join(' '),
    );

  it('is not ready, and the message has the operation and the error', () => {
    const failures = [{ operation: route('blue'), error: 'Permission denied' }];
    expect(entries(failures, row('blue'), row('red'))).to.deep.equal([
      'blue False UplinkVRFAttachmentFailed failed: ~ net.ipv4.conf.br-blue.rp_filter = 2: Permission denied',
      'red True Ready ',
    ]);
  });

  for (const verb of ['add', 'remove'] as const) {
    it(`has a reason of its own if the verb on a bridge mapping is ${verb}`, () => {
      const [entry] = entries([{ operation: mapping(verb, 'blue'), error: 'lost race' }], row('blue')) ?? [];
      expect(entry).to.match(/^blue False UplinkBridgeMappingFailed failed: [+-] bridge mapping .*: lost race$/);
    });
  }

  it('is each of those that share it', () => {
    const told = entries([{ operation: route('blue', 'red'), error: 'no' }], row('blue'), row('red'), row('green'));
    expect(told?.map((entry) => entry.split(' ').slice(0, 3).join(' '))).to.deep.equal([
      'blue False UplinkVRFAttachmentFailed',
      'green True Ready',
      'red False UplinkVRFAttachmentFailed',
    ]);
  });

  it('reports the first of those of highest precedence, and that there are more', () => {
    const failures = [
      { operation: mapping('add', 'blue'), error: 'one' },
      { operation: route('blue'), error: 'two' },
      { operation: route('blue'), error: 'three' },
    ];
    const [entry] = entries(failures, row('blue')) ?? [];
    expect(entry).to.match(/^blue False UplinkVRFAttachmentFailed .*: two; and 2 more failed$/);
  });

  it('has the reason of the plan, if that has one', () => {
    const failures = [{ operation: route('blue'), error: 'no' }];
    const [entry] = entries(failures, row('blue', { failure: { reason: 'NetworkNotAllocated' } })) ?? [];
    expect(entry).to.match(/^blue False NetworkNotAllocated OVN-Kubernetes/);
  });

  it('is none if the operation has no known network', () => {
    expect(entries([{ operation: route(), error: 'no' }], row('blue'))).to.deep.equal(['blue True Ready ']);
  });
});

describe('the message on a network', () => {
  const message = (failure: NetworkOnNode['failure'], uplinks = [ready]) => {
    const told = row('blue', failure === undefined ? {} : { failure });
    return networkMessage(told, planOf(uplinks, [told]));
  };

  it('is empty where it can be programmed', () => {
    expect(message(undefined)).to.equal('');
  });

  it('names what is missing if no uplink carries it', () => {
    expect(message({ reason: 'UplinkNotFound' })).to.include('blue');
    expect(message({ reason: 'UplinkNotFoundForNode' }))
      .to.include('blue')
      .and.not.equal(message({ reason: 'UplinkNotFound' }));
    expect(message({ reason: 'UplinkUnsupportedGatewayMode' })).to.include('local gateway mode');
    expect(message({ reason: 'UplinkUnsupportedTransport', found: 'topology Localnet' })).to.include(
      'topology Localnet',
    );
  });

  it("reports why the uplink is not ready in the uplink's words", () => {
    const failure = {
      reason: 'UplinkNotReadyForNode',
      unusable: { cause: 'discovery', failure: { reason: 'BridgeNotFound' } },
    } as const;
    const other = { ...ready, uplink: 'another', hostInterfaceName: 'br-other' };
    expect(message(failure, [other, ready])).to.equal(
      'BridgeNotFound: interface br-blue is not on an Open vSwitch bridge',
    );
  });
});
