import { expect } from 'chai';
import fc from 'fast-check';
import { preview } from '../../../../src/domain/index.ts';
import { withStates } from '../../../../src/domain/plan/preview.ts';
import { defaultSettings } from '../../../../src/domain/snapshot/settings.ts';
import { cases, completeNode } from '../../../../src/testing/index.ts';
import { cluster, node, notReady, uplink, uplinkState } from '../brief-objects.ts';

const numRuns = Number(process.env['CASES'] ?? 100);

describe('a preview', () => {
  const before = cluster({
    nodes: [node('a'), node('b'), node('c')],
    uplinks: [uplink('blue', 'br-blue')],
    uplinkStates: [
      uplinkState('blue', 'a', notReady('MTUInvalid')),
      uplinkState('blue', 'c', notReady('BridgeInvalid')),
    ],
  });
  const snapshots = ['b', 'a'].map((nodeName) => completeNode({ nodeName }));
  const seen = preview(before, snapshots, defaultSettings);

  it('plans the nodes by name', () => {
    expect(seen.nodes.map(({ nodeName }) => nodeName)).to.deep.equal(['a', 'b']);
    expect(seen.states.map(({ metadata }) => metadata.name)).to.deep.equal(['blue.a', 'blue.b']);
  });

  it('puts their states in the place of those that they had reported, and leaves others', () => {
    expect(
      seen.after.uplinkStates.map(({ metadata, status }) => `${metadata.name} ${status?.conditions?.[0]?.reason}`),
    ).to.deep.equal(['blue.c BridgeInvalid', 'blue.a HostInterfaceNotFound', 'blue.b HostInterfaceNotFound']);
    expect(seen.after.nodes).to.equal(before.nodes);
    expect(before.uplinkStates).to.have.length(2);
  });

  it('says what the cluster says then', () => {
    expect(seen.cluster.uplinks[0]?.condition).to.deep.include({
      reason: 'HostInterfaceNotFound',
      message:
        '3 of 3 selected nodes not ready: a (HostInterfaceNotFound), b (HostInterfaceNotFound), c (BridgeInvalid)',
    });
  });

  it('of no node leaves the states as they are', () => {
    expect(withStates(before, []).uplinkStates).to.deep.equal(before.uplinkStates);
  });
});

describe('a preview of every node', () => {
  /** Few generated clusters are as small as the snapshots that come with them. */
  const whole = cases.map(({ cluster: { nodes: objects, ...rest }, nodes, settings }) => ({
    cluster: { ...rest, nodes: objects.slice(0, nodes.length) },
    nodes,
    settings,
  }));

  it('says that a network is ready exactly where every node on which it is active says so', () => {
    fc.assert(
      fc.property(whole, ({ cluster: objects, nodes, settings }) => {
        const { nodes: plans, cluster: plan } = preview(objects, nodes, settings);
        for (const { name, condition } of plan.networks) {
          const rows = plans.flatMap(({ networks }) => networks.filter(({ network }) => network === name));
          const unsupported = condition.reason.startsWith('UplinkUnsupported') || condition.reason === 'UplinkNotFound';
          const ready = !unsupported && rows.every(({ failure }) => failure === undefined);
          expect(condition.status === 'True', `${name}: ${condition.message}`).to.equal(ready);
        }
      }),
      { numRuns },
    );
  });

  it('says that an Uplink is degraded exactly where it cannot be used on a node that it selects', () => {
    fc.assert(
      fc.property(whole, ({ cluster: objects, nodes, settings }) => {
        const { nodes: plans, cluster: plan } = preview(objects, nodes, settings);
        for (const { name, condition } of plan.uplinks) {
          const onNodes = plans.flatMap(({ uplinks }) => uplinks.filter(({ uplink: ofNode }) => ofNode === name));
          const unusable = onNodes.some(({ unusable: why }) => why !== undefined);
          const unclear = condition.reason === 'NodeSelectorInvalid';
          expect(condition.status === 'True', `${name}: ${condition.message}`).to.equal(unusable || unclear);
        }
      }),
      { numRuns },
    );
  });
});
