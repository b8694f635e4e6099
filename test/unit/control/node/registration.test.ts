import { expect } from 'chai';
import { reportData } from '../../../../src/domain/network/allocation/node-report.ts';
import type { IdClaim } from '../../../../src/domain/network/allocation/id-claim.ts';
import {
  CHASSIS_ID_ANNOTATION,
  ENCAPSULATION_IPS_ANNOTATION,
  ID_CLAIMS_NAME,
  NODE_REPORT_ANNOTATION,
} from '../../../../src/domain/basics/conventions.ts';
import type { ClusterSnapshot, Node, NodeSnapshot } from '../../../../src/domain/index.ts';
import { node } from '../../domain/brief-objects.ts';
import { registrationIn, type Simulation } from './simulation.ts';

import {
  claimed,
  claims,
  isAbout,
  networkOf,
  objects,
  other,
  recorded,
  reported,
  rowsOf,
  settled,
  simulate,
} from './registration-scene.ts';

const everything = [
  `annotate ${NODE_REPORT_ANNOTATION}`,
  'report 1',
  'tunnels add',
  'chassis add',
  'rows add',
  'ports add',
  'the management port add',
  `annotate ${NODE_REPORT_ANNOTATION} ${CHASSIS_ID_ANNOTATION} ${ENCAPSULATION_IPS_ANNOTATION}`,
  'report 1, ready',
];

/** The node after a restart of its agent while the Southbound database does not answer: its chassis are unknown. */
const withoutSouthbound = ({ node }: Simulation): NodeSnapshot => ({
  ...node,
  chassis: [],
  remotePorts: [],
  isSouthboundOutdated: true,
});

const withSouthbound = ({ node: { isSouthboundOutdated: _, ...read } }: Simulation): NodeSnapshot => read;

describe('a node that provides networks', () => {
  it('says that it reports, reports the id, and only then uses it and publishes its chassis', () => {
    const simulation = simulate();
    const events = recorded(simulation);
    simulation.start();
    expect(events.slice(0, 2)).to.deep.equal(everything.slice(0, 2));
    expect(events).to.have.members(everything);
    expect(simulation.cluster.nodes[0]?.metadata.annotations).to.deep.equal({
      [NODE_REPORT_ANNOTATION]: 'ovn-uplinks-node-a',
      [CHASSIS_ID_ANNOTATION]: 'chassis-a',
      [ENCAPSULATION_IPS_ANNOTATION]: '["172.30.0.2"]',
    });
    expect(reported(simulation)).to.deep.equal({ node: 'a', uid: 'uid-a', networks: '1', ready: '1' });
    expect(rowsOf(simulation, 'blue')).to.be.greaterThan(0);
  });

  it('has nothing more to tell after that, nor after a restart', () => {
    const before = settled();
    const simulation = simulate(before.cluster, before.node);
    const events = recorded(simulation);
    simulation.start();
    simulation.pass(3_600_000);
    expect(events).to.deep.equal([]);
  });

  for (let writes = 0; writes <= everything.length; writes += 1) {
    it(`ends the same if the agent is killed after ${writes} writes`, () => {
      const killed = simulate();
      let left = writes;
      let state = { cluster: killed.cluster, node: killed.node };
      killed.afterwards = (effect) => {
        if (left > 0 && (effect.do === 'publish' || effect.do === 'apply')) {
          left -= 1;
          state = { cluster: killed.cluster, node: killed.node };
        }
      };
      killed.start();
      const simulation = simulate(state.cluster, state.node).start();
      const expected = settled();
      expect(simulation.cluster.configMaps).to.have.deep.members([...expected.cluster.configMaps]);
      expect(simulation.cluster.nodes).to.deep.equal(expected.cluster.nodes);
      expect(simulation.node.northbound.map(({ name }) => name)).to.have.members(
        expected.node.northbound.map(({ name }) => name),
      );
    });
  }

  it('does not use an id while its report is not stored: what is there goes on, and it says so', () => {
    const simulation = settled();
    const rows = rowsOf(simulation, 'blue');
    simulation.unregistrable = 'cannot be reached';
    simulation.cluster = {
      ...simulation.cluster,
      clusterUserDefinedNetworks: [networkOf('blue'), networkOf('red')],
      configMaps: [
        ...simulation.cluster.configMaps.slice(1),
        claims({ ...claimed, 'network-2': 'cluster_udn_red uid-red' }),
      ],
    };
    simulation.change('cluster');
    simulation.pass(60_000);
    expect(rowsOf(simulation, 'red')).to.equal(0);
    expect(rowsOf(simulation, 'blue')).to.equal(rows);
    expect(simulation.reports.map(({ kind }) => kind)).to.include('unpublished');
    const [zone] = simulation.state.execution?.nodePlan.zones?.filter(({ networkId }) => networkId === 2) ?? [];
    expect(zone?.failure).to.deep.equal({
      cause: 'not-reported',
      networkId: 2,
      report: 'ConfigMap/ovn-uplinks/ovn-uplinks-node-a',
    });
    // What something else removes of what runs is restored meanwhile.
    simulation.node = { ...simulation.node, northbound: simulation.node.northbound.slice(1) };
    simulation.change();
    simulation.pass(1000);
    expect(rowsOf(simulation, 'blue')).to.equal(rows);
    simulation.unregistrable = undefined;
    simulation.pass(60_000);
    expect(reported(simulation)?.['networks']).to.equal('1-2');
    expect(rowsOf(simulation, 'red')).to.be.greaterThan(0);
  });

  it('does not use an id that is claimed for another one once its report is stored', () => {
    const simulation = simulate();
    simulation.afterwards = (effect) => {
      if (effect.do !== 'publish' || registrationIn(effect.publication).report === undefined) return;
      const configMaps = simulation.cluster.configMaps.filter(({ metadata }) => metadata.name !== ID_CLAIMS_NAME);
      const released = { ...claimed, 'network-1': 'cluster_udn_blue uid-blue released' };
      simulation.cluster = { ...simulation.cluster, configMaps: [...configMaps, claims(released)] };
    };
    simulation.start();
    expect(simulation.registrations.flatMap(({ report }) => report?.data?.['networks'] ?? [])).to.deep.equal(['1', '']);
    expect(rowsOf(simulation, 'blue')).to.equal(0);
  });

  it('reports a network until nothing of it is left and its claim is released', () => {
    const simulation = settled();
    const without = { ...simulation.cluster, clusterUserDefinedNetworks: [] };
    simulation.refuses = (operation) => (isAbout(operation, 'northbound-row') ? 'the database is away' : undefined);
    const released = { ...claimed, 'network-1': 'cluster_udn_blue uid-blue released' };
    const reports = without.configMaps.filter(({ metadata }) => metadata.name !== ID_CLAIMS_NAME);
    simulation.cluster = { ...without, configMaps: [claims(released), ...reports] };
    simulation.change('cluster');
    simulation.pass(10_000);
    expect(reported(simulation)?.['networks']).to.equal('1');
    simulation.refuses = () => undefined;
    simulation.pass(600_000);
    expect(rowsOf(simulation, 'blue')).to.equal(0);
    expect(reported(simulation)?.['networks']).to.equal('');
  });

  it('goes on reporting a network that is not on the node any more, as long as it exists', () => {
    const simulation = settled();
    simulation.cluster = { ...simulation.cluster, clusterUserDefinedNetworks: [] };
    simulation.change('cluster');
    simulation.pass(1000);
    expect(rowsOf(simulation, 'blue')).to.equal(0);
    expect(reported(simulation)?.['networks']).to.equal('1');
  });

  it('writes its report again if somebody deletes it, and changes nothing of its networks meanwhile', () => {
    const simulation = settled();
    const { cluster: before, node: programmed } = simulation;
    simulation.unregistrable = 'cannot be reached';
    simulation.cluster = { ...before, configMaps: before.configMaps.slice(0, 1) };
    simulation.change('cluster');
    simulation.pass(1000);
    expect(reported(simulation)).to.equal(undefined);
    expect(simulation.node).to.deep.equal(programmed);
    simulation.unregistrable = undefined;
    simulation.pass(60_000);
    expect(simulation.cluster.configMaps).to.have.deep.members([...before.configMaps]);
    expect(simulation.node).to.deep.equal(programmed);
  });

  it('restores its report if somebody changes it', () => {
    const simulation = settled();
    const [stored, report] = simulation.cluster.configMaps;
    simulation.cluster = {
      ...simulation.cluster,
      configMaps: [stored!, { ...report!, data: { ...report!.data, networks: '', 'removed-node-3': 'b uid-b' } }],
    };
    simulation.change('cluster');
    simulation.pass(1000);
    expect(reported(simulation)).to.deep.equal({ node: 'a', uid: 'uid-a', networks: '1', ready: '1' });
  });

  it('removes all other nodes before it says that it reports, if it was registered again', () => {
    const before = settled();
    const again = node('a', { uid: 'uid-again' });
    const of = {
      ...before.cluster,
      nodes: [again, other('b')],
      configMaps: [claims({ ...claimed, 'node-2': 'a uid-a released', 'node-4': 'a uid-again' })],
    };
    const simulation = simulate(of, before.node);
    const events = recorded(simulation);
    simulation.start();
    expect(events.slice(0, 4)).to.deep.equal([
      'chassis remove',
      'ports remove',
      `annotate ${NODE_REPORT_ANNOTATION}`,
      'report 1',
    ]);
    expect(events).to.include('chassis add');
    expect(reported(simulation)).to.deep.equal({
      node: 'a',
      uid: 'uid-again',
      networks: '1',
      ready: '1',
      'removed-node-2': 'a uid-a',
    });
  });

  it('does not say that it reports while OVN’s Southbound database cannot be read, if it was registered again', () => {
    const before = settled();
    const again = { ...before.cluster, nodes: [node('a', { uid: 'uid-again' })] };
    const simulation = simulate(again, withoutSouthbound(before)).start();
    expect(simulation.registrations).to.deep.equal([]);
  });

  it('does not say that it reports while it has something of other nodes', () => {
    const before = settled();
    const simulation = simulate({ ...before.cluster, nodes: [node('a', { uid: 'uid-again' })] }, before.node);
    simulation.refuses = (operation) => (isAbout(operation, 'remote-chassis') ? 'the database is away' : undefined);
    simulation.start();
    expect(simulation.registrations).to.deep.equal([]);
  });

  describe('reports that a node is removed', () => {
    const released: IdClaim = { id: 3, name: 'b', uid: 'uid-b', released: true };
    const withReleased = claims({ ...claimed, 'node-3': 'b uid-b released' });
    const withoutB = (before: Simulation, nodes: readonly Node[]): ClusterSnapshot => ({
      ...before.cluster,
      nodes: [before.cluster.nodes[0]!, ...nodes],
      configMaps: [withReleased, ...before.cluster.configMaps.slice(1)],
    });
    const removed = { ...reportData({ name: 'a', uid: 'uid-a' }, [1], [released]), ready: '1' };

    it('once neither its chassis nor its ports are there', () => {
      const before = settled();
      const simulation = simulate(withoutB(before, []), before.node);
      let areRefused = true;
      simulation.refuses = (operation) =>
        areRefused && isAbout(operation, 'remote-chassis') ? 'the database is away' : undefined;
      simulation.start();
      expect(Object.keys(reported(simulation) ?? {})).to.not.include('removed-node-3');
      areRefused = false;
      simulation.pass(60_000);
      expect(reported(simulation)).to.deep.equal(removed);
    });

    it('not as long as OVN’s Southbound database cannot be read', () => {
      const before = settled();
      const northbound = before.node.northbound.filter(({ columns }) => columns['type'] !== 'remote');
      const unread = { ...withoutSouthbound(before), northbound };
      const simulation = simulate(withoutB(before, []), unread).start();
      expect(Object.keys(reported(simulation) ?? {})).to.not.include('removed-node-3');
      simulation.node = withSouthbound(simulation);
      simulation.change();
      simulation.pass(1000);
      expect(reported(simulation)).to.deep.equal(removed);
    });

    it('still while OVN’s Southbound database cannot be read, if it has reported so before', () => {
      const before = simulate(withoutB(settled(), []), settled().node).start();
      expect(reported(before)).to.deep.equal(removed);
      const simulation = simulate(before.cluster, withoutSouthbound(before)).start();
      expect(reported(simulation)).to.deep.equal(removed);
    });

    it('not as long as a network that is held has a port for it', () => {
      const before = settled();
      // Networks whose names are alike in OVN are held.
      const clusterUserDefinedNetworks = [networkOf('x-y'), networkOf('x.y')];
      const northbound = before.node.northbound.map((row) => ({ ...row, network: 'cluster_udn_x-y' }));
      const simulation = simulate(
        { ...withoutB(before, []), clusterUserDefinedNetworks },
        { ...before.node, northbound },
      ).start();
      expect(Object.keys(reported(simulation) ?? {})).to.not.include('removed-node-3');
    });

    it('also if one of its name has been registered since, with another id', () => {
      const before = settled();
      const again = withoutB(before, [other('b', 'uid-again')]);
      const [, ...others] = again.configMaps;
      const data = { ...claimed, 'node-3': 'b uid-b released', 'node-4': 'b uid-again' };
      const simulation = simulate({ ...again, configMaps: [claims(data), ...others] }, before.node);
      simulation.start();
      expect(reported(simulation)).to.deep.equal(removed);
      expect(simulation.node.chassis.map(({ name }) => name)).to.deep.equal(['chassis-b']);
    });
  });

  it('publishes another chassis once it has one', () => {
    const simulation = settled();
    const switchExternalIds = { 'system-id': 'chassis-new', 'ovn-encap-ip': '2001:db8::2,172.30.0.2' };
    simulation.node = { ...simulation.node, switchExternalIds };
    simulation.change();
    simulation.pass(1000);
    const { annotations } = simulation.cluster.nodes[0]!.metadata;
    expect(annotations?.[CHASSIS_ID_ANNOTATION]).to.equal('chassis-new');
    expect(annotations?.[ENCAPSULATION_IPS_ANNOTATION]).to.equal('["172.30.0.2","2001:db8::2"]');
  });

  it('leaves published addresses in another order as they are', () => {
    const before = settled();
    const [own, ...rest] = before.cluster.nodes;
    const annotations = {
      ...own!.metadata.annotations,
      [ENCAPSULATION_IPS_ANNOTATION]: '["2001:db8::2","172.30.0.2"]',
    };
    const nodes = [{ ...own!, metadata: { ...own!.metadata, annotations } }, ...rest];
    const switchExternalIds = { 'system-id': 'chassis-a', 'ovn-encap-ip': '172.30.0.2,2001:db8::2' };
    const simulation = simulate({ ...before.cluster, nodes }, { ...before.node, switchExternalIds }).start();
    expect(simulation.registrations).to.deep.equal([]);
  });

  it('does not reach a node that does not say that it reports, though its chassis is published', () => {
    const annotations = { [CHASSIS_ID_ANNOTATION]: 'chassis-b', [ENCAPSULATION_IPS_ANNOTATION]: '["172.30.0.3"]' };
    const simulation = simulate({ ...objects, nodes: [objects.nodes[0]!, node('b', { uid: 'uid-b', annotations })] });
    simulation.start();
    expect(rowsOf(simulation, 'blue')).to.be.greaterThan(0);
    expect(simulation.node.chassis).to.deep.equal([]);
  });
});
