/** Consequences of changing a snapshot in place, against the contract (src/domain/basics/incremental/README.md; docs/embedding.md). */
import { expect } from 'chai';
import { type ClusterSnapshot, defaultSettings, planCluster } from '../../../../../src/domain/index.ts';
import { frozen } from '../../../../../src/testing/index.ts';
import { cluster, network, node, nodeConfig, uplink } from '../../brief-objects.ts';

const plannedNetworks = (snapshot: ClusterSnapshot) =>
  planCluster(snapshot, defaultSettings).networks.map(({ name }) => name);

function snapshotOf(): ClusterSnapshot {
  return cluster({
    nodes: [node('worker-a')],
    uplinks: [uplink('blue', [nodeConfig('br-blue')])],
    clusterUserDefinedNetworks: [network('blue', { uplinks: ['blue'] })],
  });
}

describe('a snapshot that is changed in place', () => {
  it('is planned as it was: the change is not noticed', () => {
    const snapshot = snapshotOf();
    expect(plannedNetworks(snapshot)).to.deep.equal(['blue']);
    (snapshot.clusterUserDefinedNetworks as unknown[]).length = 0;
    expect(plannedNetworks(snapshot)).to.deep.equal(['blue']);
  });

  it('throws where it is frozen', () => {
    const snapshot = frozen(snapshotOf());
    expect(() => ((snapshot.clusterUserDefinedNetworks as unknown[]).length = 0)).to.throw(TypeError, 'read only');
  });
});

describe('a snapshot that is made anew, and shares what has not changed', () => {
  it('is planned as it is', () => {
    const snapshot = snapshotOf();
    expect(plannedNetworks(snapshot)).to.deep.equal(['blue']);
    expect(plannedNetworks({ ...snapshot, clusterUserDefinedNetworks: [] })).to.deep.equal([]);
  });
});
