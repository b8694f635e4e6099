import { expect } from 'chai';
import fc from 'fast-check';
import { diffNode, semanticsOf, planNode, preview } from '../../../../src/domain/index.ts';
import { foreseen } from '../../../../src/domain/diff/foresee.ts';
import { withStates } from '../../../../src/domain/explanation/preview/preview.ts';
import { defaultSettings } from '../../../../src/domain/snapshot/settings.ts';
import { cases, completeNode } from '../../../../src/testing/index.ts';
import { attachment, cluster, network, node, notReady, uplink, uplinkState } from '../brief-objects.ts';
import { caseCount } from '../../../case-count.ts';
import { Coverage } from '../../../coverage.ts';

const numRuns = caseCount(100);

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

  it('replaces their reported states, and leaves others', () => {
    expect(
      seen.after.uplinkStates.map(({ metadata, status }) => `${metadata.name} ${status?.conditions?.[0]?.reason}`),
    ).to.deep.equal(['blue.c BridgeInvalid', 'blue.a HostInterfaceNotFound', 'blue.b HostInterfaceNotFound']);
    expect(seen.after.nodes).to.equal(before.nodes);
    expect(before.uplinkStates).to.have.length(2);
  });

  it('has the conditions of the cluster after that', () => {
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

describe('the operations of a preview', () => {
  const objects = cluster({
    nodes: [node('a'), node('b')],
    uplinks: [uplink('blue', 'br-blue')],
    clusterUserDefinedNetworks: [network('blue'), network('red')],
    networkAttachmentDefinitions: [attachment('blue', '7'), attachment('red', '8')],
  });
  const snapshot = completeNode({
    nodeName: 'a',
    links: [
      { name: 'br-blue', addresses: [{ address: '192.0.2.6', prefixLength: 24 }] },
      { name: 'eth1' },
      { name: 'ovn-k8s-mp7', index: 9 },
      { name: 'ovn-k8s-mp8', index: 10 },
    ],
    bridges: [{ name: 'br-blue', ports: [{ name: 'eth1' }] }],
    switchExternalIds: { 'ovn-bridge-mappings': 'physnet:br-ex' },
  });
  const seen = preview(objects, [completeNode({ nodeName: 'b' }), snapshot], defaultSettings);

  it('are by node, those that bring it to its plan', () => {
    expect([...seen.operations.keys()]).to.deep.equal(['a', 'b']);
    const plan = planNode(objects, snapshot, defaultSettings);
    expect(seen.operations.get('a')?.map(({ operation }) => operation)).to.deep.equal(diffNode(plan, snapshot));
    expect(seen.operations.get('b')).to.deep.equal([]);
  });

  it('have the command for the node after the former ones', () => {
    const mappings = (seen.operations.get('a') ?? []).filter(
      ({ operation }) => semanticsOf(operation).name === 'add-bridge-mapping',
    );
    const texts = mappings.map(({ command }) => command?.arguments.join(' '));
    expect(texts).to.have.length(2);
    expect(texts[0]).to.include('"physnet:br-ex,cluster_udn_blue:br-blue"').and.not.include('cluster_udn_red');
    // The second one expects what the first one wrote, and adds to it.
    expect(texts[1]).to.include('["ovn-bridge-mappings","physnet:br-ex,cluster_udn_blue:br-blue"]');
    expect(texts[1]).to.include('"physnet:br-ex,cluster_udn_blue:br-blue,cluster_udn_red:br-blue"');
  });

  it('are none once they are applied', () => {
    const done = foreseen(diffNode(planNode(objects, snapshot, defaultSettings), snapshot), snapshot);
    expect(preview(objects, [done], defaultSettings).operations.get('a')).to.deep.equal([]);
  });

  it('have the commands that each kind gives for the foreseen node, on generated cases', () => {
    const coverage = new Coverage();
    fc.assert(
      fc.property(cases, ({ cluster: generated, nodes, settings }) => {
        const { operations } = preview(generated, nodes, settings);
        coverage.count({ operations: [...operations.values()].some((planned) => planned.length > 0) });
        for (const found of nodes) {
          const planned = operations.get(found.nodeName) ?? [];
          planned.forEach(({ operation, command }, index) => {
            const before = foreseen(
              planned.slice(0, index).map((earlier) => earlier.operation),
              found,
            );
            expect(semanticsOf(operation).command(operation, before)).to.deep.equal(command);
          });
        }
      }),
      { numRuns: caseCount(20) },
    );
    coverage.expect({ operations: 0.2 });
  });
});

describe('a preview of every node', () => {
  /** Few generated clusters are as small as the snapshots that come with them. */
  const whole = cases.map(({ cluster: { nodes: objects, ...rest }, nodes, settings }) => ({
    cluster: { ...rest, nodes: objects.slice(0, nodes.length) },
    nodes,
    settings,
  }));

  it('has a network as ready exactly if every node on which it is active reports it ready', () => {
    const coverage = new Coverage();
    fc.assert(
      fc.property(whole, ({ cluster: objects, nodes, settings }) => {
        const { nodes: plans, cluster: plan } = preview(objects, nodes, settings);
        for (const { namespace, name, condition } of plan.networks) {
          const meant = namespace === undefined ? name : `${namespace}/${name}`;
          const rows = plans.flatMap(({ networks }) => networks.filter(({ network }) => network === meant));
          const unsupported = condition.reason.startsWith('UplinkUnsupported') || condition.reason === 'UplinkNotFound';
          const ready = !unsupported && rows.every(({ failure }) => failure === undefined);
          expect(condition.status === 'True', `${meant}: ${condition.message}`).to.equal(ready);
        }
        const statuses = plan.networks.map(({ condition }) => condition.status);
        coverage.count({ ready: statuses.includes('True'), 'not ready': statuses.includes('False') });
      }),
      { numRuns },
    );
    coverage.expect({ ready: 0.05, 'not ready': 0.2 });
  });

  it('has an Uplink as degraded exactly if it cannot be used on a node that it selects', () => {
    const coverage = new Coverage();
    fc.assert(
      fc.property(whole, ({ cluster: objects, nodes, settings }) => {
        const { nodes: plans, cluster: plan } = preview(objects, nodes, settings);
        for (const { name, condition } of plan.uplinks) {
          const onNodes = plans.flatMap(({ uplinks }) => uplinks.filter(({ uplink: ofNode }) => ofNode === name));
          const unusable = onNodes.some(({ unusable: why }) => why !== undefined);
          const unclear = condition.reason === 'NodeSelectorInvalid';
          expect(condition.status === 'True', `${name}: ${condition.message}`).to.equal(unusable || unclear);
        }
        const statuses = plan.uplinks.map(({ condition }) => condition.status);
        coverage.count({ degraded: statuses.includes('True'), 'not degraded': statuses.includes('False') });
      }),
      { numRuns },
    );
    coverage.expect({ degraded: 0.05, 'not degraded': 0.2 });
  });
});
