import { expect } from 'chai';
import type { ClusterSnapshot } from '../../../../../src/domain/index.ts';
import { planCluster } from '../../../../../src/domain/plan/cluster/plan-cluster.ts';
import { defaultSettings } from '../../../../../src/domain/snapshot/settings.ts';
import { cluster, labelled, node, nodeConfig, unclearSelector, uplink, uplinkState } from '../../brief-objects.ts';

const state = uplinkState('blue', 'a');

function isDeleted(objects: Partial<ClusterSnapshot>, given = state): boolean {
  const present = {
    nodes: [node('a')],
    uplinks: [uplink('blue', 'br-blue')],
    uplinkStates: [given],
    ...objects,
  };
  const deleted = planCluster(cluster(present), defaultSettings).deletions;
  expect(deleted).to.have.length(deleted.includes(given.metadata.name) ? 1 : 0);
  return deleted.length > 0;
}

describe('a state is deleted', () => {
  it('not while its Uplink selects its node', () => {
    expect(isDeleted({})).to.be.false;
  });

  it('not while its Uplink selects several interfaces for its node', () => {
    expect(isDeleted({ uplinks: [uplink('blue', [nodeConfig('x'), nodeConfig('y')])] })).to.be.false;
  });

  it('once its Uplink is gone', () => {
    expect(isDeleted({ uplinks: [uplink('red', 'br-red')] })).to.be.true;
  });

  it('once its node is gone', () => {
    expect(isDeleted({ nodes: [node('b')] })).to.be.true;
  });

  it('once its Uplink no longer selects its node', () => {
    expect(isDeleted({ uplinks: [uplink('blue', [nodeConfig('x', labelled('rack', 'a'))])] })).to.be.true;
  });

  it('not while it is unknown which nodes its Uplink selects', () => {
    expect(isDeleted({ uplinks: [uplink('blue', [nodeConfig('x', unclearSelector)])] })).to.be.false;
  });

  it('not while its Uplink or its node cannot be read', () => {
    expect(isDeleted({ uplinks: [], unreadable: [{ kind: 'uplinks', name: 'blue' }] })).to.be.false;
    expect(isDeleted({ nodes: [node('b')], unreadable: [{ kind: 'nodes', name: 'a' }] })).to.be.false;
  });

  it('not before it has an identity', () => {
    const { status: _none, ...unwritten } = state;
    expect(isDeleted({ uplinks: [] }, unwritten)).to.be.false;
  });

  it('by its identity and not by its name', () => {
    expect(isDeleted({}, { ...state, metadata: { name: 'red.gone' } })).to.be.false;
    expect(isDeleted({}, { ...uplinkState('red', 'gone'), metadata: state.metadata })).to.be.true;
  });
});
