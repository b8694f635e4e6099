import { expect } from 'chai';
import type { ClusterSnapshot, NetworkEntry } from '../../../../../src/domain/index.ts';
import { viewCluster } from '../../../../../src/domain/plan/view/cluster-view.ts';
import { reportedNetworks } from '../../../../../src/domain/plan/cluster/reported-node.ts';
import { defaultSettings } from '../../../../../src/domain/snapshot/settings.ts';
import {
  cluster,
  labelled,
  namespace,
  network,
  node,
  nodeConfig,
  notReady,
  pod,
  unclearSelector,
  uplink,
  uplinkState,
} from '../../brief-objects.ts';

const ready: NetworkEntry = { name: 'blue', vrf: 'blue', ready: 'True', reason: 'Ready', message: '' };

const usual: Partial<ClusterSnapshot> = {
  nodes: [node('a')],
  uplinks: [uplink('blue', 'br-blue')],
  uplinkStates: [uplinkState('blue', 'a', { networks: [ready] })],
  clusterUserDefinedNetworks: [network('blue')],
};
const rows = (objects: Partial<ClusterSnapshot> = {}, settings = {}) =>
  reportedNetworks(viewCluster(cluster({ ...usual, ...objects }), { ...defaultSettings, ...settings }), 'a');

const found = {
  key: 'ClusterUserDefinedNetwork/blue',
  network: 'blue',
  uplink: 'blue',
  hostInterfaceName: 'br-blue',
  bridge: 'br-blue',
};
const nothing = { key: 'ClusterUserDefinedNetwork/blue', network: 'blue', uplink: 'blue' };

describe('what a node has reported of a network', () => {
  it('is its routing domain, and that it is ready', () => {
    expect(rows()).to.deep.equal([{ ...found, vrf: 'blue', message: '' }]);
  });

  it('is the reason and the message of its entry', () => {
    const entry: NetworkEntry = { name: 'blue', ready: 'False', reason: 'GatewayRouterFailed', message: 'why' };
    expect(rows({ uplinkStates: [uplinkState('blue', 'a', { networks: [entry] })] })).to.deep.equal([
      { ...found, reason: 'GatewayRouterFailed', message: 'why' },
    ]);
  });

  it('is the message of the uplink if that is not ready and the entry has none', () => {
    const state = uplinkState('blue', 'a', { networks: [ready], ...notReady('MTUInvalid', 'too narrow') });
    expect(rows({ uplinkStates: [state] })).to.deep.equal([
      { ...found, vrf: 'blue', reason: 'UplinkNotReadyForNode', message: 'too narrow' },
    ]);
  });

  it('is empty where condition Ready has no message', () => {
    const conditions = [{ type: 'Ready', status: 'False' as const, reason: 'MTUInvalid' }];
    expect(rows({ uplinkStates: [uplinkState('blue', 'a', { conditions })] })[0]).to.include({ message: '' });
  });

  it('is that it has not reported the network yet, if it has not', () => {
    const [row] = rows({ uplinkStates: [uplinkState('blue', 'a')] });
    expect(row).to.include({ ...found, reason: 'UplinkNotReadyForNode' });
    expect(row?.message).to.include('not reported on the network');
  });

  it('is empty if it is ready, whatever the entry contains', () => {
    const networks = [{ ...ready, message: 'fine' }];
    expect(rows({ uplinkStates: [uplinkState('blue', 'a', { networks })] })[0]).to.include({ message: '' });
  });

  it('is nothing before it reports, or if it is about another interface', () => {
    for (const uplinkStates of [[], [uplinkState('blue', 'a', { hostInterfaceName: 'br-old' })]]) {
      const [row, ...others] = rows({ uplinkStates });
      expect(others).to.deep.equal([]);
      expect(row)
        .to.include({ ...nothing, reason: 'UplinkNotReadyForNode' })
        .and.not.have.any.keys('bridge', 'vrf');
      expect(row?.message).to.include('not reported');
    }
  });

  it('is overridden by the objects', () => {
    const elsewhere = uplink('blue', [nodeConfig('br-blue', labelled('rack', 'x'))]);
    const overlap = uplink('blue', [nodeConfig('br-blue'), nodeConfig('br-x')]);
    expect(rows({ uplinks: [] })).to.deep.equal([{ ...nothing, reason: 'UplinkNotFound', message: '' }]);
    expect(rows({ uplinks: [elsewhere] })).to.deep.equal([
      { ...nothing, reason: 'UplinkNotFoundForNode', message: '' },
    ]);
    expect(rows({ uplinks: [overlap] })).to.deep.equal([{ ...nothing, reason: 'UplinkOverlapOnNode', message: '' }]);
    expect(rows({}, { gatewayMode: 'local' })[0]).to.include({ reason: 'UplinkUnsupportedGatewayMode' });
  });

  it('is that its uplink is not ready if a selector of the Uplink is not understood, as in the condition of the network', () => {
    expect(rows({ uplinks: [uplink('blue', [nodeConfig('br-blue', unclearSelector)])] })[0]).to.include({
      reason: 'UplinkNotReadyForNode',
    });
  });

  it('is reported for the networks that are active there', () => {
    const objects = { namespaces: [namespace('blue')], pods: [pod('p', 'blue', 'b')] };
    expect(rows(objects, { dynamicNetworks: true })).to.deep.equal([]);
  });

  it('is reported for each of its uplinks, by name', () => {
    const both = network('blue', { uplinks: ['red', 'blue', 'red'] });
    expect(rows({ clusterUserDefinedNetworks: [both] }).map((row) => row.uplink)).to.deep.equal(['blue', 'red']);
  });
});
