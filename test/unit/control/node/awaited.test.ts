import { expect } from 'chai';
import { FLOW_COOKIE } from '../../../../src/domain/basics/conventions.ts';
import { changesOf, type SingleOperation } from '../../../../src/domain/entities/operations/operation.ts';
import type { NodeSnapshot } from '../../../../src/domain/index.ts';
import { capturedWorld, leftToDo, nameOf, Simulation, type World } from './simulation.ts';

const bridgeOf = ({ entity }: SingleOperation) =>
  entity.kind === 'flow' ? entity.flow.bridge : 'bridge' in entity ? entity.bridge : undefined;

const isPatchPort = ({ externalIds }: { readonly externalIds: Readonly<Record<string, string>> }) =>
  externalIds['ovn-localnet-port'] !== undefined;

describe('the node loop, if the port of a network is not added,', () => {
  let world: World;
  before(async () => {
    world = await capturedWorld();
  });

  /** A node on which ovn-controller adds no port to the bridge of blue. */
  function withoutPort(): Simulation {
    const simulation = new Simulation(world);
    simulation.afterwards = () => {
      const bridges = simulation.node.bridges.map((bridge) =>
        bridge.name === 'br-blue' ? { ...bridge, ports: bridge.ports.filter((port) => !isPatchPort(port)) } : bridge,
      );
      simulation.node = { ...simulation.node, bridges };
    };
    return simulation.start();
  }

  it('programs the other networks, and nothing that names the port', () => {
    const simulation = withoutPort();
    expect(simulation.entry('red')?.ready).to.equal('True');
    expect(simulation.node.flows.filter(({ match }) => match.includes('patch-br-blue'))).to.deep.equal([]);
  });

  it('reports it after 30 s', () => {
    const simulation = withoutPort();
    expect(simulation.entry('blue')).to.equal(undefined);
    simulation.pass(31_000);
    expect(simulation.entry('blue')).to.include({ ready: 'False', reason: 'UplinkBridgeMappingFailed' });
    expect(simulation.entry('blue')?.message).to.include('which ovn-controller adds').and.include('30 s');
  });

  it('continues once the port exists', () => {
    const simulation = withoutPort();
    simulation.pass(31_000);
    simulation.afterwards = () => undefined;
    simulation.node = {
      ...simulation.node,
      northbound: simulation.node.northbound.filter(({ table }) => table !== 'Logical_Switch_Port'),
    };
    simulation.change();
    simulation.pass(61_000);
    expect(simulation.operations.map(nameOf)).to.include('change-flooding');
    expect(simulation.entry('blue')?.ready).to.equal('True');
  });
});

describe('the node loop, if a bridge has no switch,', () => {
  let world: World;
  before(async () => {
    world = await capturedWorld();
  });

  /** Takes the switch of br-blue away, with everything that is lost with it. */
  function loseSwitch(simulation: Simulation): void {
    const { node } = simulation;
    const remaining = <Entity extends { readonly bridge: string }>(entities: readonly Entity[]) =>
      entities.filter(({ bridge }) => bridge !== 'br-blue');
    simulation.node = {
      ...node,
      flows: remaining(node.flows),
      fdbEntries: remaining(node.fdbEntries),
      noFloodPorts: remaining(node.noFloodPorts),
      bridgesWithoutSwitch: ['br-blue'],
    };
    simulation.change();
  }

  function regainSwitch(simulation: Simulation): void {
    const { bridgesWithoutSwitch: _, ...node } = simulation.node;
    simulation.node = node;
    simulation.change();
  }

  /** A loop that has programmed everything, without the reports on that. */
  function programmed(): Simulation {
    const simulation = new Simulation(world).start();
    expect(['blue', 'red'].map((name) => simulation.entry(name)?.ready)).to.deep.equal(['True', 'True']);
    simulation.reports.length = 0;
    return simulation;
  }

  const kindsOfReports = ({ reports }: Simulation) => [...new Set(reports.map(({ kind }) => kind))].sort();

  it('waits while ovs-vswitchd is restarted: the drift is repaired, and no status changes', () => {
    const simulation = programmed();
    const { flows } = simulation.node;
    const { writes } = simulation;
    loseSwitch(simulation);
    simulation.pass(4000);
    expect(simulation.node.flows.length).to.be.below(flows.length);
    regainSwitch(simulation);
    simulation.pass(100);
    expect([simulation.node.flows.length, leftToDo(simulation)]).to.deep.equal([flows.length, []]);
    expect(simulation.writes).to.equal(writes);
    expect(kindsOfReports(simulation)).to.deep.equal(['applied', 'drift', 'drift-repaired', 'planned', 'settled']);
  });

  it('plans nothing until the switch is back, and then twice: what was lost, and that nothing is left', () => {
    const simulation = programmed();
    const { plans } = simulation.state;
    const { observations } = simulation;
    loseSwitch(simulation);
    simulation.pass(1000);
    // ovs-vswitchd writes to its database, and nothing that matters.
    simulation.change();
    simulation.pass(1000);
    expect(simulation.observations).to.equal(observations + 2);
    expect(simulation.state.plans).to.equal(plans);
    regainSwitch(simulation);
    simulation.pass(100);
    expect([simulation.state.plans, leftToDo(simulation)]).to.deep.equal([plans + 2, []]);
  });

  const changesElsewhere: Readonly<Record<string, (simulation: Simulation) => void>> = {
    'an object': (simulation) => {
      const { clusterUserDefinedNetworks: networks } = simulation.cluster;
      const others = networks.filter(({ metadata }) => metadata.name !== 'red');
      simulation.cluster = { ...simulation.cluster, clusterUserDefinedNetworks: others };
      simulation.change('cluster');
    },
    'a rule': (simulation) => {
      simulation.node = { ...simulation.node, rules: [] };
      simulation.change();
    },
    'a flow of another bridge': (simulation) => {
      const { flows } = simulation.node;
      const [lost] = flows.filter(({ bridge, cookie }) => bridge === 'br-red' && cookie === FLOW_COOKIE);
      simulation.node = { ...simulation.node, flows: flows.filter((flow) => flow !== lost) };
      simulation.change();
    },
  };
  for (const [what, change] of Object.entries(changesElsewhere)) {
    it(`goes on with the rest at once if ${what} changes meanwhile`, () => {
      const simulation = programmed();
      simulation.operations.length = 0;
      loseSwitch(simulation);
      simulation.pass(1000);
      expect(simulation.operations).to.deep.equal([]);
      change(simulation);
      simulation.pass(100);
      expect(simulation.operations).to.not.deep.equal([]);
      const kinds = new Set(
        leftToDo(simulation)
          .flatMap(changesOf)
          .map(({ entity }) => entity.kind),
      );
      expect([...kinds].sort()).to.deep.equal(['fdb-entry', 'flow', 'no-flood-port']);
      expect(leftToDo(simulation).flatMap(changesOf).map(bridgeOf)).to.include('br-blue').and.not.include('br-red');
    });
  }

  for (const seconds of [1, 6]) {
    it(`goes on if the switch of another bridge is back after ${seconds} s`, () => {
      const simulation = programmed();
      const { node } = simulation;
      const gone = { flows: [], fdbEntries: [], noFloodPorts: [], bridgesWithoutSwitch: ['br-blue', 'br-red'] };
      simulation.node = { ...node, ...gone };
      simulation.change();
      simulation.pass(1000 * seconds);
      simulation.node = { ...simulation.node, bridgesWithoutSwitch: ['br-blue'] };
      simulation.change();
      // What has failed is tried again after 300 ms.
      simulation.pass(400);
      const ofRed = (flows: NodeSnapshot['flows']) => flows.filter(({ bridge }) => bridge === 'br-red').length;
      expect(ofRed(simulation.node.flows)).to.equal(ofRed(node.flows)).and.above(0);
      regainSwitch(simulation);
      simulation.pass(400);
      expect(leftToDo(simulation)).to.deep.equal([]);
    });
  }

  it('waits if the switch is lost during a change', () => {
    const simulation = programmed();
    const { writes } = simulation;
    const { flows } = simulation.node;
    simulation.node = { ...simulation.node, flows: flows.filter(({ bridge }) => bridge !== 'br-blue') };
    simulation.refuses = (operation) => {
      if (nameOf(operation) !== 'change-flows' || simulation.node.bridgesWithoutSwitch !== undefined) return undefined;
      loseSwitch(simulation);
      return 'the switch closed the connection';
    };
    simulation.change();
    simulation.pass(1000);
    regainSwitch(simulation);
    simulation.refuses = () => undefined;
    simulation.pass(100);
    expect([simulation.node.flows.length, leftToDo(simulation)]).to.deep.equal([flows.length, []]);
    expect(simulation.writes).to.equal(writes);
    expect(kindsOfReports(simulation)).to.not.include('failed');
  });

  it('reports it after 5 s, for its networks only', () => {
    const simulation = programmed();
    loseSwitch(simulation);
    simulation.pass(5100);
    expect(simulation.entry('blue')).to.include({ ready: 'False', reason: 'UplinkBridgeMappingFailed' });
    expect(simulation.entry('blue')?.message).to.include(
      'bridge br-blue has had no OpenFlow connection for 5 s: ovs-vswitchd does',
    );
    expect(simulation.entry('red')?.ready).to.equal('True');
  });

  it('reports it when a single pass ends', () => {
    const simulation = new Simulation({ ...world, once: true });
    loseSwitch(simulation);
    simulation.start();
    expect(simulation.finished).to.equal(undefined);
    simulation.pass(5100);
    expect(simulation.finished).to.equal(false);
    expect(simulation.entry('blue')?.message).to.include('has had no OpenFlow connection for 5 s');
  });
});
