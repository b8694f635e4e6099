import { expect } from 'chai';
import {
  type ClusterSnapshot,
  defaultSettings,
  diffNode,
  type NodeSnapshot,
  type Operation,
  planNode,
} from '../../../../src/domain/index.ts';
import { enslave as enslaveIn, release as releaseFrom } from '../../../../src/domain/node-model/membership.ts';
import { isDefaultRoute } from '../../../../src/domain/snapshot/route-key.ts';
import { movedDevice } from '../../../../src/domain/entities/operations/operation.ts';
import { capturedWorld, nameOf, Simulation, type World } from './simulation.ts';
import { isOn } from '../../../../src/domain/entities/operations/operation-semantics.ts';

/** Whether an operation is about a VRF device or a membership in it. */
function isAboutVrf(operation: Operation, name: string): boolean {
  return (
    (isOn(operation, 'vrf') && operation.entity.name === name) ||
    (isOn(operation, 'membership') && operation.entity.vrf === name)
  );
}

/** Whether an operation deletes VRF blue. */
function isRemoval(operation: Operation): boolean {
  return nameOf(operation) === 'delete-vrf' && isAboutVrf(operation, 'blue');
}

/** A node with a VLAN device on interface br-blue that is down. */
function withVlanDevice(node: NodeSnapshot): NodeSnapshot {
  const link = node.links.find(({ name }) => name === 'br-blue')!;
  const vlan = {
    ...link,
    index: 555,
    name: 'br-blue.5',
    kind: 'vlan',
    lowerDevice: 'br-blue',
    up: false,
    addresses: [],
  };
  return { ...node, links: [...node.links, vlan] };
}

/** A VRF device that was not made by the agent. */
function vrfOfOthers(name: string, vrfTable: number) {
  const vrf = { kind: 'vrf', name, index: 99, vrfTable, up: true, operationalState: 'up' } as const;
  return { ...vrf, mtu: 65_575, type: 'ether', macAddress: '02:00:00:00:99:99', addresses: [] };
}

/** A cluster in which another network, in its own VRF too, has taken the place of one. */
function replaced(
  cluster: ClusterSnapshot,
  former: string,
  { network, networkId }: { readonly network: string; readonly networkId: number },
): ClusterSnapshot {
  const text = JSON.stringify(cluster.networkAttachmentDefinitions)
    .replaceAll(`cluster_udn_${former}`, `cluster_udn_${network}`)
    .replaceAll('"k8s.ovn.org/network-id":"1"', `"k8s.ovn.org/network-id":"${networkId}"`);
  const selector = (name: string) => `"k8s.ovn.org/metadata.name":"${name}"`;
  return {
    ...cluster,
    networkAttachmentDefinitions: JSON.parse(text) as ClusterSnapshot['networkAttachmentDefinitions'],
    routeAdvertisements: JSON.parse(
      JSON.stringify(cluster.routeAdvertisements).replaceAll(selector(former), selector(network)),
    ) as ClusterSnapshot['routeAdvertisements'],
    clusterUserDefinedNetworks: cluster.clusterUserDefinedNetworks.map((object) =>
      object.metadata.name === former ? { ...object, metadata: { ...object.metadata, name: network } } : object,
    ),
  };
}

describe('the node loop while another program changes the node', () => {
  let world: World;
  before(async () => {
    world = await capturedWorld();
  });

  describe('if another program creates a VRF of the same name right before', () => {
    const [OWN, OTHER] = [1007, 78];

    function overtaken(vrfTable: number): Simulation {
      const simulation = new Simulation(world);
      simulation.meanwhile = (effect) => {
        const { node } = simulation;
        const isNext =
          effect.do === 'apply' && nameOf(effect.operation) === 'add-vrf' && isAboutVrf(effect.operation, 'blue');
        if (!isNext || node.links.some(({ name }) => name === 'blue')) return;
        simulation.node = { ...node, links: [...node.links, vrfOfOthers('blue', vrfTable)] };
      };
      return simulation;
    }

    const linkBlue = ({ node }: Simulation) => node.links.find(({ name }) => name === 'blue');
    const ofVrf = ({ operations }: Simulation) =>
      operations.filter((operation) => isAboutVrf(operation, 'blue')).map(nameOf);

    it('reports it as a conflict, and never changes it, also when the network is deleted', () => {
      const simulation = overtaken(OTHER).start();
      simulation.pass(100_000);
      expect(simulation.entry('blue')?.message).to.include('VRF blue has table 78');
      simulation.cluster = { ...simulation.cluster, clusterUserDefinedNetworks: [] };
      simulation.change('cluster');
      simulation.pass(100_000);
      expect(ofVrf(simulation)).to.deep.equal([]);
      expect(linkBlue(simulation)).to.include({ index: 99, vrfTable: OTHER });
      expect(simulation.node.ledger.entries.filter(({ kind }) => kind === 'unsigned-vrf')).to.deep.equal([]);
    });

    it('uses it if it has the right table, and keeps it when the network is deleted', () => {
      const simulation = overtaken(OWN).start();
      simulation.pass(100_000);
      expect(simulation.entry('blue')).to.include({ ready: 'True', vrf: 'blue' });
      simulation.cluster = { ...simulation.cluster, clusterUserDefinedNetworks: [] };
      simulation.change('cluster');
      simulation.pass(100_000);
      expect(ofVrf(simulation)).to.deep.equal(['enslave', 'release']);
      expect(linkBlue(simulation)).to.include({ index: 99, vrfTable: OWN }).and.not.have.property('alias');
    });
  });

  describe('if another program moves the interface right before', () => {
    /** Another program changes the master right before an operation of a kind on the interface of network blue. */
    function overtaken(kind: 'enslave' | 'release', master: string | undefined): Simulation {
      const simulation = new Simulation(world);
      let isDone = false;
      simulation.meanwhile = (effect) => {
        if (isDone || effect.do !== 'apply' || nameOf(effect.operation) !== kind) return;
        if (movedDevice(effect.operation) !== 'br-blue') return;
        isDone = true;
        const { node } = simulation;
        const change = master === undefined ? releaseFrom(node, 'br-blue') : enslaveIn(node, 'br-blue', master);
        if (change.done) simulation.node = change.node;
      };
      return simulation;
    }

    const masterOf = ({ node }: Simulation) => node.links.find(({ name }) => name === 'br-blue')?.master;
    const memberships = ({ node: { ledger } }: Simulation) =>
      ledger.entries.filter((entry) => entry.kind === 'membership' && entry.device === 'br-blue');

    function withoutNetworks(simulation: Simulation): void {
      simulation.cluster = { ...simulation.cluster, clusterUserDefinedNetworks: [] };
      simulation.change('cluster');
      simulation.pass(100_000);
    }

    it("leaves it in the other program's VRF, also when the network is deleted", () => {
      const simulation = overtaken('enslave', 'blue').start();
      expect(simulation.entry('blue')).to.include({ ready: 'True', vrf: 'blue' });
      expect(memberships(simulation)).to.deep.equal([]);
      withoutNetworks(simulation);
      expect(masterOf(simulation)).to.equal('blue');
    });

    it('warns if it released the interface from a VRF to which another program enslaved it right before', () => {
      const simulation = overtaken('enslave', 'theirs');
      const { node } = simulation;
      const theirs = { ...node.links.find(({ name }) => name === 'br-ex')!, name: 'theirs', index: 99, addresses: [] };
      simulation.node = { ...node, links: [...node.links, { ...theirs, kind: 'vrf', vrfTable: 78 }] };
      simulation.start();
      const warnings = simulation.reports.flatMap((report) => (report.kind === 'warning' ? [report.text] : []));
      expect(warnings).to.include(
        'br-blue into VRF blue: another program changed the node right before: br-blue is already enslaved to theirs',
      );
      expect(masterOf(simulation)).to.equal('blue');
    });

    it('accepts the release by another program as done', () => {
      const simulation = overtaken('release', undefined).start();
      withoutNetworks(simulation);
      expect(masterOf(simulation)).to.equal(undefined);
      const { cluster, node } = simulation;
      expect(diffNode(planNode(cluster, node, defaultSettings), node)).to.deep.equal([]);
      expect(simulation.node.ledger.entries).to.deep.equal([]);
    });
  });

  it('keeps a managed VRF to which another program adds an address while other entities are removed', () => {
    const simulation = new Simulation(world).start();
    const address = { address: '198.51.100.77', prefixLength: 32, scope: 'global', flags: [] };
    let isDone = false;
    simulation.meanwhile = (effect) => {
      const next = simulation.state.execution?.queue[0];
      if (isDone || effect.do !== 'observe' || next === undefined || !isRemoval(next)) return;
      isDone = true;
      const { node } = simulation;
      const links = node.links.map((link) =>
        link.name === 'blue' ? { ...link, addresses: [...link.addresses, address] } : link,
      );
      simulation.node = { ...node, links };
    };
    simulation.cluster = { ...simulation.cluster, clusterUserDefinedNetworks: [] };
    simulation.change('cluster');
    simulation.pass(100_000);
    expect(isDone).to.equal(true);
    expect(simulation.node.links.find(({ name }) => name === 'blue')?.addresses).to.deep.equal([address]);
  });

  describe('if another program makes a move impossible', () => {
    const withoutNetworks = () =>
      new Simulation({ ...world, cluster: { ...world.cluster, clusterUserDefinedNetworks: [] } }).start();
    const addNetworks = (simulation: Simulation) => {
      simulation.cluster = {
        ...simulation.cluster,
        clusterUserDefinedNetworks: world.cluster.clusterUserDefinedNetworks,
      };
      simulation.change('cluster');
      simulation.pass(100_000);
      return simulation;
    };
    const addRoute = (node: NodeSnapshot): NodeSnapshot => {
      const [route] = node.routes.filter(({ table, nextHops: [hop] }) => table === 254 && hop?.device === 'br-blue');
      const added = { ...route!, destination: '203.0.113.0/25', unknownAttributes: ['realm'] };
      return { ...node, routes: [...node.routes, added] };
    };
    const deleteDefaultRoutes = (node: NodeSnapshot): NodeSnapshot => ({
      ...node,
      routes: node.routes.filter((route) => !isDefaultRoute(route) || route.nextHops[0]?.device === 'br-blue'),
    });

    const cases: readonly (readonly [title: string, change: (node: NodeSnapshot) => NodeSnapshot, message: string])[] =
      [
        ['adds a route that cannot be restored', addRoute, 'and this version cannot restore its realm'],
        ['adds a VLAN device that is down', withVlanDevice, 'would set VLAN device br-blue.5 on it up'],
        ['deletes the default routes by other interfaces', deleteDefaultRoutes, 'would cut the node off'],
      ];
    /** A loop that adds networks, with a change of the node that the plan does not know. */
    const whens: readonly (readonly [
      when: string,
      add: (change: (node: NodeSnapshot) => NodeSnapshot) => Simulation,
    ])[] = [
      [
        'right before a network is added, and that is seen later than the network',
        (change) => {
          const simulation = withoutNetworks();
          simulation.node = change(simulation.node);
          return addNetworks(simulation);
        },
      ],
      [
        'during a plan, and that is first seen before an operation that it does not matter for',
        (change) => {
          const simulation = withoutNetworks();
          let isChanged = false;
          simulation.meanwhile = (effect) => {
            if (isChanged || effect.do !== 'apply' || nameOf(effect.operation) !== 'add-vrf') return;
            isChanged = true;
            simulation.node = change(simulation.node);
            simulation.change('node');
            simulation.change('cluster');
          };
          return addNetworks(simulation);
        },
      ],
    ];
    for (const [when, add] of whens) {
      for (const [title, change, message] of cases) {
        it(`does not move an interface if that ${title} ${when}`, () => {
          const simulation = add(change);
          expect(simulation.entry('blue')).to.include({ ready: 'False', reason: 'UplinkVRFAttachmentFailed' });
          expect(simulation.entry('blue')?.message).to.include(message);
          const ofBlue = ({ links, routes }: NodeSnapshot) => [
            links.filter(({ name }) => name.startsWith('br-blue')),
            routes.filter(({ nextHops }) => nextHops.some(({ device }) => device === 'br-blue')),
          ];
          expect(ofBlue(simulation.node)).to.deep.equal(ofBlue(change(world.node)));
        });
      }
    }
  });

  it('does not enslave an interface to the next VRF if another program adds a VLAN device that is down after the release', () => {
    const managementPort = world.node.links.find(({ name }) => name === 'ovn-k8s-mp1')!;
    // No VRF is deleted, so one plan has both.
    const vrf = vrfOfOthers('blue', 1007);
    const links = [...world.node.links, { ...managementPort, name: 'ovn-k8s-mp9', index: 509 }, vrf];
    const simulation = new Simulation({ ...world, node: { ...world.node, links } }).start();
    expect(simulation.entry('blue')).to.include({ ready: 'True', vrf: 'blue' });
    simulation.meanwhile = (effect) => {
      const isBetween = effect.do === 'apply' && nameOf(effect.operation) === 'add-vrf';
      if (!isBetween || simulation.node.links.some(({ name }) => name === 'br-blue.5')) return;
      simulation.node = withVlanDevice(simulation.node);
    };
    simulation.cluster = replaced(simulation.cluster, 'blue', { network: 'navy', networkId: 9 });
    simulation.change('cluster');
    simulation.pass(100_000);
    expect(simulation.entry('navy')).to.include({ ready: 'False', reason: 'UplinkVRFAttachmentFailed' });
    expect(simulation.entry('navy')?.message).to.include('would set VLAN device br-blue.5 on it up');
    const ofBlue = simulation.node.links.filter(({ name }) => name.startsWith('br-blue'));
    expect(ofBlue.map(({ name, master, up }) => ({ name, master, up }))).to.deep.equal([
      { name: 'br-blue', master: undefined, up: true },
      { name: 'br-blue.5', master: undefined, up: false },
    ]);
  });

  it('restores what an unmanaged interface loses that was enslaved to a VRF right before its deletion', () => {
    const simulation = new Simulation(world).start();
    const route = simulation.node.routes.find(
      ({ family, table, nextHops }) => family === 4 && table === 254 && nextHops[0]?.device === 'br-ex',
    )!;
    const theirs = { ...route, destination: '203.0.113.48/28', protocol: 'static' };
    simulation.meanwhile = (effect) => {
      if (effect.do !== 'apply' || !isRemoval(effect.operation)) return;
      const change = enslaveIn(simulation.node, 'br-ex', 'blue');
      if (!change.done) throw new Error(change.refusal);
      simulation.node = { ...change.node, routes: [...change.node.routes, { ...theirs, table: 1007 }] };
    };
    simulation.cluster = { ...simulation.cluster, clusterUserDefinedNetworks: [] };
    simulation.change('cluster');
    simulation.pass(100_000);
    const { links, routes } = simulation.node;
    expect(links.some(({ name }) => name === 'blue')).to.equal(false);
    expect(routes.filter(({ destination }) => destination === theirs.destination)).to.deep.equal([theirs]);
  });

  it('does not restore a route that another program deletes right after it was restored, before the next interface moves', () => {
    const simulation = new Simulation(world);
    const isIt = ({ destination }: NodeSnapshot['routes'][number]) => destination === '203.0.113.128/25';
    let isTaken = false;
    simulation.meanwhile = (effect) => {
      const isThere = simulation.node.routes.some((route) => isIt(route) && route.table === 1007);
      if (isTaken || effect.do !== 'observe' || !isThere) return;
      isTaken = true;
      simulation.node = { ...simulation.node, routes: simulation.node.routes.filter((route) => !isIt(route)) };
    };
    simulation.start();
    expect(isTaken).to.equal(true);
    expect(simulation.reports.filter(({ kind }) => kind === 'failed')).to.deep.equal([]);
    expect(simulation.node.routes.filter(isIt)).to.deep.equal([]);
  });
});
