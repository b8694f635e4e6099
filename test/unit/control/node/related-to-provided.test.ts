import { expect } from 'chai';
import type { NodeSnapshot } from '../../../../src/domain/index.ts';
import { changesOf, type Operation } from '../../../../src/domain/entities/operations/operation.ts';
import { rowsOf, settled } from './registration-scene.ts';
import type { Simulation } from './simulation.ts';

/** Milliseconds in which what has failed is tried again once something related changes. */
const SOON = 500;

const isOf = (kind: string) => (operation: Operation) =>
  changesOf(operation).some(({ entity }) => entity.kind === kind);

/** A node that has lost some of network blue, which cannot be added again for so long that the next attempt is a minute away. */
function failing(kind: string, lose: (node: NodeSnapshot) => NodeSnapshot) {
  const simulation = settled();
  let attempts = 0;
  simulation.refuses = (operation) => {
    if (!isOf(kind)(operation)) return undefined;
    attempts += 1;
    return 'it is not possible';
  };
  simulation.node = lose(simulation.node);
  simulation.change();
  simulation.pass(400_000);
  const before = attempts;
  return { simulation, attemptsSince: () => attempts - before };
}

function becomes(simulation: Simulation, node: NodeSnapshot): void {
  simulation.node = node;
  simulation.change();
  simulation.pass(SOON);
}

const changedLink = (node: NodeSnapshot, name: string): NodeSnapshot => ({
  ...node,
  links: node.links.map((link) => (link.name === name ? { ...link, alternativeNames: ['renamed'] } : link)),
});

describe('a failed operation of a provided network', () => {
  const withoutAddresses = (node: NodeSnapshot): NodeSnapshot => ({
    ...node,
    links: node.links.map((link) => (link.name === 'ovn-k8s-mp1' ? { ...link, addresses: [] } : link)),
  });

  it('is tried again as soon as ovs-vswitchd runs, which adds its management port', () => {
    const { simulation, attemptsSince } = failing('address', (node) => ({
      ...withoutAddresses(node),
      bridgesWithoutSwitch: ['br-int'],
    }));
    const { bridgesWithoutSwitch: _, ...back } = simulation.node;
    becomes(simulation, back);
    expect(attemptsSince()).to.equal(1);
  });

  it('is tried again as soon as its management port or its VRF changes', () => {
    for (const device of ['ovn-k8s-mp1', 'blue']) {
      const { simulation, attemptsSince } = failing('address', withoutAddresses);
      becomes(simulation, changedLink(simulation.node, device));
      expect(attemptsSince(), device).to.equal(1);
    }
  });

  it('is tried again as soon as the chassis in the Southbound database change', () => {
    const { simulation, attemptsSince } = failing('remote-chassis', (node) => ({ ...node, chassis: [] }));
    const own = { name: 'chassis-a', hostname: 'a', addresses: ['172.30.0.2'], isRemote: false };
    becomes(simulation, { ...simulation.node, chassis: [own] });
    expect(attemptsSince()).to.equal(1);
  });

  it('waits for its time while pods come and go on the integration bridge', () => {
    const { simulation, attemptsSince } = failing('address', withoutAddresses);
    const bridges = simulation.node.bridges.map((bridge) => {
      const ofPod = bridge.ports.map((port) => ({
        ...port,
        name: 'pod',
        interfaces: port.interfaces.map((each) => ({ ...each, name: 'pod' })),
      }));
      return { ...bridge, ports: [...bridge.ports, ...ofPod] };
    });
    becomes(simulation, { ...simulation.node, bridges });
    expect(attemptsSince()).to.equal(0);
    expect(rowsOf(simulation, 'blue')).to.be.greaterThan(0);
  });
});
