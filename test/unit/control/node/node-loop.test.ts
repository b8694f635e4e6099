import { clusterNetworkKey } from '../../../../src/domain/network/key.ts';
import { expect } from 'chai';
import type { Effect } from '../../../../src/control/node/effect.ts';
import type { NodeSnapshot, Operation } from '../../../../src/domain/index.ts';
import { movedDevice } from '../../../../src/domain/entities/operations/operation.ts';
import { capturedWorld, isRuleOfBlue, leftToDo, nameOf, Simulation, type World } from './simulation.ts';
import { inFile } from '../../../../src/ports/input-problem.ts';
import { changesOf } from '../../../../src/domain/entities/operations/operation.ts';

describe('the node loop', () => {
  let world: World;
  before(async () => {
    world = await capturedWorld();
  });

  function settled(): Simulation {
    return new Simulation(world).start();
  }

  function without(node: NodeSnapshot, isGone: (route: NodeSnapshot['routes'][number]) => boolean): NodeSnapshot {
    return { ...node, routes: node.routes.filter((route) => !isGone(route)) };
  }

  it('applies the plan, and reports networks as ready', () => {
    const simulation = settled();
    expect(leftToDo(simulation)).to.deep.equal([]);
    expect(simulation.operations).not.to.be.empty;
    expect(simulation.entry('blue')).to.include({ ready: 'True', vrf: 'blue' });
    expect(simulation.entry('red')).to.include({ ready: 'True' });
  });

  it('observes whether all operations took effect', () => {
    const simulation = new Simulation(world);
    simulation.change();
    simulation.pass(500);
    const { kind } = simulation.reports.at(-1)!;
    expect(kind).to.equal('settled');
    expect(simulation.observations).to.be.at.least(2);
  });

  it('coalesces changes for 20 ms, and for 200 ms while more keep coming', () => {
    const simulation = settled();
    simulation.pass(1000);
    const { observations, now } = simulation;
    for (let moment = 0; moment < 100; moment += 1) {
      simulation.change();
      simulation.pass(10);
    }
    expect(simulation.now - now).to.equal(1000);
    expect(simulation.observations - observations).to.be.within(4, 6);
    simulation.pass(19);
    simulation.pass(2);
    const after = simulation.observations;
    simulation.pass(1000);
    expect(simulation.observations).to.equal(after);
  });

  it('applies and writes nothing while nothing happens, and observes every 60 s', () => {
    const simulation = settled();
    simulation.pass(1000);
    const { observations, writes } = simulation;
    const [operations, ledgers] = [simulation.operations.length, simulation.ledgerWrites.length];
    simulation.pass(59_000);
    expect(simulation.observations - observations).to.equal(1);
    simulation.pass(600_000);
    expect(simulation.observations - observations).to.equal(11);
    expect([simulation.operations.length, simulation.ledgerWrites.length]).to.deep.equal([operations, ledgers]);
    expect(simulation.writes).to.equal(writes);
  });

  it('repairs drift, and reports it once', () => {
    const simulation = settled();
    simulation.node = without(
      simulation.node,
      ({ protocol, family, type }) => protocol === '94' && family === 4 && type === 'unreachable',
    );
    simulation.change();
    simulation.pass(100);
    expect(leftToDo(simulation)).to.deep.equal([]);
    const drifts = simulation.reports.filter(({ kind }) => kind.startsWith('drift'));
    expect(drifts.map(({ kind }) => kind)).to.have.members(['drift', 'drift', 'drift-repaired', 'drift-repaired']);
    expect(drifts[0]).to.deep.include({
      discrepancy: {
        path: 'route unreachable default metric 4278198272 table 1007',
        found: 'absent',
        wanted: 'present',
      },
    });
  });

  it('does not report a change of intent as drift', () => {
    const simulation = settled();
    simulation.cluster = { ...simulation.cluster, clusterUserDefinedNetworks: [] };
    simulation.change('cluster');
    simulation.pass(1000);
    expect(leftToDo(simulation)).to.deep.equal([]);
    expect(simulation.reports.filter(({ kind }) => kind.startsWith('drift'))).to.deep.equal([]);
  });

  it('adds flows for a new MAC address of an interface before the rows of OVN, and deletes those for the former one last', () => {
    const simulation = settled();
    const { length } = simulation.operations;
    const links = simulation.node.links.map((link) =>
      link.name === 'br-blue' ? { ...link, macAddress: '02:00:00:00:99:06' } : link,
    );
    simulation.node = { ...simulation.node, links };
    simulation.change();
    simulation.pass(100);
    expect(leftToDo(simulation)).to.deep.equal([]);
    const changed = simulation.operations
      .slice(length)
      .flatMap((operation) =>
        operation.verb === 'change'
          ? [`${operation.kind}: ${[...new Set(operation.changes.map(({ verb }) => verb))].join()}`]
          : [],
      );
    expect(changed).to.deep.equal([
      'flow: add',
      'flow: add',
      'northbound-row: replace',
      'flow: remove',
      'flow: remove',
    ]);
  });

  it('does not report another MAC address of a gateway as drift', () => {
    const simulation = settled();
    const applied = simulation.operations.length;
    const neighbours = simulation.node.neighbours.map((neighbour) =>
      neighbour.address === '192.0.2.1'
        ? { ...neighbour, macAddress: '02:00:00:00:99:01', states: ['reachable', 'managed'] }
        : neighbour,
    );
    simulation.node = { ...simulation.node, neighbours };
    simulation.change();
    simulation.pass(100);
    expect(simulation.operations.length).to.be.above(applied);
    expect(simulation.reports.filter(({ kind }) => kind.startsWith('drift'))).to.deep.equal([]);
  });

  describe('if another program adds a route to an interface that is about to be enslaved', () => {
    /** Adds a route as an administrator, once, and reports the change. */
    function addRoute(simulation: Simulation): void {
      if (tableOf(simulation) !== undefined) return;
      const [like] = simulation.node.routes.filter(
        ({ family, table, nextHops }) => family === 4 && table === 254 && nextHops[0]?.device === 'br-blue',
      );
      const route = { ...like!, destination: '203.0.113.48/28', protocol: 'static' };
      simulation.node = { ...simulation.node, routes: [...simulation.node.routes, route] };
      simulation.change();
    }

    function tableOf({ node }: Simulation) {
      return node.routes.find(({ destination }) => destination === '203.0.113.48/28')?.table;
    }

    function isEnslaved({ node }: Simulation): boolean {
      return node.links.find(({ name }) => name === 'br-blue')?.master === 'blue';
    }

    /** Whether the next operation enslaves the interface. */
    function isImminent({ state: { execution } }: Simulation): boolean {
      const next = execution?.queue[0];
      return next !== undefined && nameOf(next) === 'enslave' && movedDevice(next) === 'br-blue';
    }

    it('moves it though it was added after the last observation', () => {
      const simulation = new Simulation(world);
      simulation.afterwards = (effect) => {
        if (effect.do === 'observe' && isImminent(simulation)) addRoute(simulation);
      };
      simulation.start();
      expect(tableOf(simulation)).to.equal(1007);
    });

    it('moves it though it was added while the ledger was written', () => {
      const simulation = new Simulation(world);
      simulation.meanwhile = (effect) => {
        if (effect.do === 'apply' && isImminent(simulation)) addRoute(simulation);
      };
      simulation.start();
      expect(tableOf(simulation)).to.equal(1007);
    });

    it('writes it to the ledger before the next operation', () => {
      const simulation = new Simulation(world);
      const effects: Effect['do'][] = [];
      simulation.meanwhile = (effect) => {
        if (effect.do === 'apply' && isImminent(simulation)) addRoute(simulation);
        else if (isEnslaved(simulation) && effect.do !== 'report') effects.push(effect.do);
      };
      simulation.start();
      expect(effects.slice(0, 2)).to.deep.equal(['write-ledger', 'observe']);
    });
  });

  it('has confirmed restored entities in the ledger when it is stopped', () => {
    const simulation = new Simulation(world);
    simulation.afterwards = (effect) => {
      const isRoute = effect.do === 'apply' && nameOf(effect.operation) === 'add-route';
      if (isRoute && effect.operation.networks.includes(clusterNetworkKey('blue'))) simulation.tell({ kind: 'stop' });
    };
    simulation.start();
    expect(simulation.finished).to.equal(true);
    const { operations, node } = simulation;
    const things = operations.filter((operation) => operation.verb === 'put-back' && operation.device === 'br-blue');
    const awaiting = node.ledger.entries.filter((entry) => entry.kind === 'displaced' && entry.state === 'awaiting');
    expect(things).to.not.be.empty;
    expect(nameOf(operations.at(-1)!)).to.equal('add-route');
    expect(awaiting).to.deep.equal([]);
  });

  describe('if an operation fails', () => {
    function failing(): Simulation {
      const simulation = new Simulation(world);
      simulation.refuses = (operation) => (isRuleOfBlue(operation) ? 'RTNETLINK answers: No buffer space' : undefined);
      return simulation.start();
    }

    it('continues with the other networks, and reports the failure', () => {
      const simulation = failing();
      expect(simulation.entry('red')).to.include({ ready: 'True' });
      expect(simulation.entry('blue')).to.include({ ready: 'False', reason: 'UplinkVRFAttachmentFailed' });
      expect(simulation.entry('blue')?.message).to.include('No buffer space');
    });

    it('retries after 1 s, doubling up to 60 s', () => {
      const simulation = failing();
      const moments: number[] = [];
      simulation.refuses = (operation) => {
        if (!isRuleOfBlue(operation)) return undefined;
        moments.push(simulation.now);
        return 'RTNETLINK answers: No buffer space';
      };
      simulation.pass(300_000);
      const pauses = moments.slice(1).map((moment, index) => Math.round((moment - moments[index]!) / 1000));
      expect(pauses.slice(0, 6)).to.deep.equal([2, 4, 8, 16, 32, 60]);
      expect(Math.max(...pauses)).to.equal(60);
    });

    it('retries at once after a related change', () => {
      const simulation = failing();
      simulation.pass(20_000);
      simulation.refuses = () => undefined;
      simulation.node = {
        ...simulation.node,
        links: simulation.node.links.map((link) => (link.name === 'br-blue' ? { ...link, mtu: 9000 } : link)),
      };
      simulation.change();
      simulation.pass(100);
      expect(simulation.entry('blue')).to.include({ ready: 'True' });
      expect(leftToDo(simulation)).to.deep.equal([]);
    });

    it('does not retry after an unrelated change', () => {
      const simulation = failing();
      simulation.pass(20_000);
      let attempts = 0;
      simulation.refuses = (operation) => {
        if (isRuleOfBlue(operation)) attempts += 1;
        return isRuleOfBlue(operation) ? 'still' : undefined;
      };
      simulation.node = {
        ...simulation.node,
        links: simulation.node.links.map((link) => (link.name === 'lo' ? { ...link, mtu: 9000 } : link)),
      };
      simulation.change();
      simulation.pass(100);
      expect(attempts).to.equal(0);
    });
  });

  describe('if restoring an entity is refused', () => {
    const isDefault6 = (operation: Operation) =>
      operation.verb === 'put-back' && operation.entity.kind === 'route' && operation.entity.route.family === 6;

    it('retries for 4 s, as long as duplicate address detection may take', () => {
      const simulation = new Simulation(world);
      simulation.refuses = (operation) =>
        isDefault6(operation) && simulation.now < 3500 ? 'Error: Invalid source address.' : undefined;
      simulation.start();
      expect(simulation.entry('red')).to.include({ ready: 'True' });
      expect(simulation.entry('blue')).to.equal(undefined);
      simulation.pass(2500);
      expect(simulation.entry('blue')).to.include({ ready: 'True' });
      expect(simulation.reports.filter(({ kind }) => kind === 'failed')).to.deep.equal([]);
    });

    it('undoes the enslavement after that, with everything that the interface had', () => {
      const simulation = new Simulation(world);
      simulation.refuses = (operation) =>
        isDefault6(operation) &&
        'origin' in operation &&
        simulation.node.links.some(({ name, master }) => name === 'br-blue' && master === 'blue')
          ? 'Error: Invalid source address.'
          : undefined;
      simulation.start();
      simulation.pass(3500);
      expect(simulation.entry('blue')).to.include({ ready: 'False', reason: 'UplinkVRFAttachmentFailed' });
      const { links, routes } = simulation.node;
      expect(links.find(({ name }) => name === 'br-blue')?.master).to.equal(undefined);
      const isOut = ({ protocol, nextHops }: (typeof routes)[number]) =>
        protocol !== '94' && nextHops.some(({ device }) => device === 'br-blue');
      expect(routes.filter(isOut)).to.have.deep.members(world.node.routes.filter(isOut));
    });

    it('reports the network as ready once the entity is accepted after all, and keeps it so', () => {
      const simulation = new Simulation(world);
      const isIn = () => simulation.node.links.some(({ name, master }) => name === 'br-blue' && master === 'blue');
      simulation.refuses = (operation) =>
        isDefault6(operation) && isIn() ? 'Error: Invalid source address.' : undefined;
      simulation.start();
      simulation.pass(10_000);
      simulation.refuses = () => undefined;
      simulation.pass(120_000);
      expect(simulation.entry('blue')).to.include({ ready: 'True' });
      expect(leftToDo(simulation)).to.deep.equal([]);
    });
  });

  it('reports the difference if an operation was applied without effect', () => {
    const simulation = new Simulation(world);
    simulation.afterwards = () => {
      simulation.node = {
        ...simulation.node,
        rules: simulation.node.rules.filter(({ protocol }) => protocol !== '94'),
      };
    };
    simulation.start();
    expect(simulation.entry('blue')?.message).to.include('was applied, and yet IPv');
    expect(simulation.operations.length).to.be.below(100);
  });

  it('warns once if the kernel does not keep gateways resolved, and goes on without', () => {
    const simulation = new Simulation(world);
    simulation.afterwards = () => {
      // Before Linux 5.16 the attribute is ignored: an entry is added, and that is all.
      const neighbours = simulation.node.neighbours.map((neighbour) =>
        neighbour.states.includes('managed') ? { ...neighbour, states: ['none'] } : neighbour,
      );
      simulation.node = { ...simulation.node, neighbours };
    };
    simulation.start();
    expect(simulation.entry('blue')).to.include({ ready: 'True', reason: 'Ready' });
    const warnings = () =>
      simulation.reports.filter((report) => report.kind === 'warning' && report.text.includes('5.16')).length;
    const before = simulation.operations.length;
    simulation.pass(600_000);
    expect([simulation.operations.length - before, warnings()]).to.deep.equal([0, 1]);
  });

  it('reaches the same state if it is restarted after any operation', () => {
    const undisturbed = settled();
    for (let count = 1; count < undisturbed.operations.length; count += 1) {
      const simulation = new Simulation(world);
      simulation.afterwards = () => {
        if (simulation.operations.length === count) simulation.tell({ kind: 'stop' });
      };
      simulation.start();
      expect(simulation.finished).to.be.true;
      // The current operation is completed.
      expect(simulation.operations.length).to.be.within(count, count + 1);
      const next = new Simulation({ ...world, node: simulation.node }).start();
      expect(leftToDo(next)).to.deep.equal([]);
      // Flows that wait for a port may be changed with others or after them.
      const changes = [...simulation.operations, ...next.operations].flatMap(changesOf);
      expect(changes).to.have.length(undisturbed.operations.flatMap(changesOf).length);
    }
  });

  it('applies a new plan if the cluster changes during the old one', () => {
    const simulation = new Simulation(world);
    simulation.afterwards = () => {
      if (simulation.operations.length !== 5 || simulation.cluster.clusterUserDefinedNetworks.length === 0) return;
      simulation.cluster = { ...simulation.cluster, clusterUserDefinedNetworks: [] };
      simulation.change('cluster');
    };
    simulation.start();
    expect(leftToDo(simulation)).to.deep.equal([]);
    expect(simulation.operations.map(nameOf)).not.to.include('enslave');
  });

  it('ignores the result of an older plan', () => {
    const simulation = settled();
    const { state } = simulation;
    simulation.tell({ kind: 'applied', plan: 1, result: { done: false, error: 'late' } });
    expect(simulation.state.failures).to.equal(state.failures);
    expect(simulation.state.refused).to.equal(undefined);
  });

  it('reports once what cannot be read, and recovers by itself', () => {
    const simulation = new Simulation(world);
    simulation.unreadable = [{ origin: inFile('/run/openvswitch/db.sock'), message: 'nobody answers' }];
    simulation.start();
    simulation.pass(10_000);
    expect(simulation.reports.filter(({ kind }) => kind === 'unreadable')).to.have.length(1);
    simulation.unreadable = [];
    simulation.change();
    simulation.pass(1000);
    expect(leftToDo(simulation)).to.deep.equal([]);
  });

  it('ends by itself after a single pass', () => {
    const simulation = new Simulation({ ...world, once: true }).start();
    expect(simulation.finished).to.be.true;
    expect(leftToDo(simulation)).to.deep.equal([]);
  });
});
