import { expect } from 'chai';
import type { ClusterSnapshot } from '../../../../../src/domain/index.ts';
import { planCluster } from '../../../../../src/domain/index.ts';
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

const networks = (...names: readonly string[]) => ({
  networks: names.map((name) => ({ name, ready: 'True' as const, reason: 'Ready' })),
});

const usual: Partial<ClusterSnapshot> = {
  nodes: [node('b'), node('a')],
  uplinks: [uplink('blue', 'br-blue')],
  uplinkStates: [uplinkState('blue', 'a', networks('blue')), uplinkState('blue', 'b', networks('blue'))],
  clusterUserDefinedNetworks: [network('blue')],
};

const plan = (objects: Partial<ClusterSnapshot> = {}, settings = {}) =>
  planCluster(cluster({ ...usual, ...objects }), { ...defaultSettings, ...settings });

describe('the plan of a cluster', () => {
  it('is that of a copy of the cluster, after each change of one object', () => {
    const states = usual.uplinkStates!;
    const changes: readonly Partial<ClusterSnapshot>[] = [
      { uplinkStates: [states[0]!, uplinkState('blue', 'b', notReady('BridgeInvalid'))] },
      { uplinkStates: [states[0]!] },
      { uplinkStates: states },
      { nodes: [node('a'), node('b'), node('c')] },
      { nodes: [node('a')] },
      { uplinks: [uplink('blue', 'br-other')] },
      { uplinks: [uplink('blue', 'br-blue'), uplink('red', 'br-blue')] },
      { clusterUserDefinedNetworks: [network('blue'), network('red')] },
    ];
    let snapshot = cluster(usual);
    const messages = changes.map((change) => {
      snapshot = { ...snapshot, ...change };
      const planned = planCluster(snapshot, defaultSettings);
      expect(planned).to.deep.equal(planCluster(structuredClone(snapshot), defaultSettings));
      return planned.networks[0]?.condition.message;
    });
    expect(messages.slice(0, 4)).to.deep.equal([
      '1 of 2 active nodes not ready: b (UplinkNotReadyForNode)',
      '1 of 2 active nodes not ready: b (UplinkNotReadyForNode)',
      'ready on 2 of 2 active nodes',
      '1 of 3 active nodes not ready: c (UplinkNotReadyForNode)',
    ]);
  });

  it('has the conditions of each Uplink and each network', () => {
    expect(plan()).to.deep.equal({
      uplinks: [
        {
          name: 'blue',
          finalizers: ['k8s.ovn.org/uplink-protection'],
          condition: {
            type: 'Degraded',
            status: 'False',
            reason: 'AllNodesReady',
            message: '2 of 2 selected nodes ready',
          },
        },
      ],
      networks: [
        {
          name: 'blue',
          condition: {
            type: 'UplinksReady',
            status: 'True',
            reason: 'UplinksReady',
            message: 'ready on 2 of 2 active nodes',
          },
        },
      ],
      deletions: [],
      warnings: [],
    });
  });

  it('has the generation of an object in its conditions', () => {
    const withGeneration = <Item extends { readonly metadata: object }>(object: Item, generation: number): Item => ({
      ...object,
      metadata: { ...object.metadata, generation },
    });
    const { uplinks, networks: planned } = plan({
      uplinks: [withGeneration(uplink('blue', 'br-blue'), 3)],
      clusterUserDefinedNetworks: [withGeneration(network('blue'), 5)],
    });
    expect([...uplinks, ...planned].map(({ condition }) => condition.observedGeneration)).to.deep.equal([3, 5]);
  });

  it('is empty for an empty cluster', () => {
    expect(planCluster(cluster(), defaultSettings)).to.deep.equal({
      uplinks: [],
      networks: [],
      deletions: [],
      warnings: [],
    });
  });

  it('lists everything by name', () => {
    const {
      uplinks,
      networks: ofNetworks,
      deletions,
    } = plan({
      uplinks: [uplink('z', 'x'), uplink('blue', 'br-blue')],
      clusterUserDefinedNetworks: [network('red'), network('blue')],
      uplinkStates: ['z', 'c', 'd'].map((name) => uplinkState('gone', name)),
    });
    expect(uplinks.map(({ name }) => name)).to.deep.equal(['blue', 'z']);
    expect(ofNetworks.map(({ name }) => name)).to.deep.equal(['blue', 'red']);
    expect(deletions).to.deep.equal(['gone.c', 'gone.d', 'gone.z']);
  });

  it('protects an Uplink that a network refers to, and no other', () => {
    const { uplinks } = plan({ uplinks: [uplink('blue', 'br-blue'), uplink('free', 'x')] });
    expect(uplinks.map(({ finalizers }) => finalizers.length)).to.deep.equal([1, 0]);
  });

  it('uses the state of a node only for the present selection', () => {
    const { uplinks, networks: ofNetworks } = plan({ uplinks: [uplink('blue', 'br-new')] });
    expect(uplinks[0]?.condition).to.include({ status: 'True', reason: 'UplinkStateMissing' });
    expect(ofNetworks[0]?.condition).to.include({ status: 'False', reason: 'UplinkNotReadyForNode' });
  });

  it('degrades an Uplink by the nodes that are not ready, and its networks with it', () => {
    const states = [
      uplinkState('blue', 'a', { ...networks('blue'), ...notReady('MTUInvalid') }),
      usual.uplinkStates![1]!,
    ];
    const { uplinks, networks: ofNetworks } = plan({ uplinkStates: states });
    expect(uplinks[0]?.condition).to.deep.include({
      reason: 'MTUInvalid',
      message: '1 of 2 selected nodes not ready: a (MTUInvalid)',
    });
    expect(ofNetworks[0]?.condition).to.deep.include({
      reason: 'UplinkNotReadyForNode',
      message: '1 of 2 active nodes not ready: a (UplinkNotReadyForNode)',
    });
  });

  it('reports an overlap with or without states', () => {
    const overlap = [uplink('blue', [nodeConfig('br-blue'), nodeConfig('br-x', labelled('rack', 'a'))])];
    const nodes = [node('a', { labels: { rack: 'a' } }), node('b')];
    for (const uplinkStates of [usual.uplinkStates!, [usual.uplinkStates![1]!]]) {
      const { uplinks, networks: ofNetworks } = plan({ uplinks: overlap, nodes, uplinkStates });
      expect(uplinks[0]?.condition).to.include({ reason: 'NodeSelectorOverlap' });
      expect(ofNetworks[0]?.condition).to.include({ reason: 'UplinkOverlapOnNode' });
    }
  });

  it('reports that an Uplink does not select an active node', () => {
    const { networks: ofNetworks } = plan({
      nodes: [node('a', { labels: { rack: 'a' } }), node('b')],
      uplinks: [uplink('blue', [nodeConfig('br-blue', labelled('rack', 'a'))])],
    });
    expect(ofNetworks[0]?.condition).to.deep.include({
      reason: 'UplinkNotFoundForNode',
      message: '1 of 2 active nodes not ready: b (UplinkNotFoundForNode)',
    });
  });

  it('reports that an Uplink does not exist', () => {
    expect(plan({ uplinks: [], uplinkStates: [] }).networks[0]?.condition).to.include({ reason: 'UplinkNotFound' });
  });

  it('reports which Uplink cannot be read, and when it can again', () => {
    const readable = cluster(usual);
    const unreadable: ClusterSnapshot = {
      ...readable,
      uplinks: [],
      unreadable: [{ kind: 'uplinks', name: 'blue' }],
    };
    const conditionIn = (objects: ClusterSnapshot) => planCluster(objects, defaultSettings).networks[0]?.condition;
    expect(conditionIn(unreadable)).to.include({
      reason: 'UplinkNotReadyForNode',
      message:
        '2 of 2 active nodes not ready: a (UplinkNotReadyForNode), b (UplinkNotReadyForNode): this version cannot read Uplink blue',
    });
    expect(conditionIn({ ...unreadable, unreadable: [] })).to.include({ reason: 'UplinkNotFound' });
    expect(conditionIn(readable)).to.include({ reason: 'UplinksReady' });
  });

  it('keeps a finalizer, and adds none, while a network cannot be read', () => {
    const protectedBy = (finalizers: readonly string[]) =>
      plan({
        uplinks: [uplink('blue', 'br-blue', { finalizers })],
        clusterUserDefinedNetworks: [],
        unreadable: [{ kind: 'clusterUserDefinedNetworks', name: 'blue' }],
      }).uplinks[0]?.finalizers;
    expect(protectedBy(['k8s.ovn.org/uplink-protection'])).to.deep.equal(['k8s.ovn.org/uplink-protection']);
    expect(protectedBy([])).to.deep.equal([]);
  });

  it('reports that a selector is not understood: only the Uplink and its networks are degraded', () => {
    const { uplinks, networks: ofNetworks } = plan({
      uplinks: [uplink('blue', 'br-blue'), uplink('odd', [nodeConfig('x', unclearSelector)])],
      clusterUserDefinedNetworks: [network('blue'), network('odd', { uplinks: ['odd'] })],
    });
    expect(uplinks.map(({ condition }) => condition.reason)).to.deep.equal(['AllNodesReady', 'NodeSelectorInvalid']);
    expect(ofNetworks.map(({ condition }) => condition.reason)).to.deep.equal([
      'UplinksReady',
      'UplinkNotReadyForNode',
    ]);
  });

  it('reports that uplinks are not supported', () => {
    expect(plan({}, { gatewayMode: 'local' }).networks[0]?.condition).to.include({
      reason: 'UplinkUnsupportedGatewayMode',
    });
  });

  it('considers only nodes on which a network is active', () => {
    const objects = {
      uplinkStates: [usual.uplinkStates![0]!],
      namespaces: [namespace('blue')],
      pods: [pod('p', 'blue', 'a')],
    };
    expect(plan(objects, { dynamicNetworks: true }).networks[0]?.condition).to.deep.include({
      status: 'True',
      message: 'ready on 1 of 1 active nodes',
    });
    expect(plan(objects).networks[0]?.condition).to.include({ status: 'False' });
  });

  it('is ready for a network without uplinks', () => {
    expect(plan({ clusterUserDefinedNetworks: [network('plain', { uplinks: [] })] }).networks).to.deep.equal([
      {
        name: 'plain',
        condition: {
          type: 'UplinksReady',
          status: 'True',
          reason: 'UplinksReady',
          message: 'the network has no uplinks',
        },
      },
    ]);
  });
});
