import { uplinkPart } from '../../../../src/domain/network/part.ts';
import { clusterNetworkKey } from '../../../../src/domain/network/key.ts';
import { expect } from 'chai';
import type { NodeSnapshot, Operation } from '../../../../src/domain/index.ts';
import { movedDevice } from '../../../../src/domain/entities/operations/operation.ts';
import { capturedWorld, isRuleOfBlue, leftToDo, nameOf, Simulation, type World } from './simulation.ts';
import { inFile } from '../../../../src/ports/input-problem.ts';

const unreadable = [{ origin: inFile('/run/openvswitch/db.sock'), message: 'nobody answers' }];

function touched(node: NodeSnapshot): NodeSnapshot {
  const links = node.links.map((link) => (link.name === 'br-blue' ? { ...link, mtu: link.mtu + 1 } : link));
  return { ...node, links };
}

describe('the node loop, when something fails,', () => {
  let world: World;
  before(async () => {
    world = await capturedWorld();
  });

  /** Lets time pass until something is so, ten minutes at most. */
  function passUntil(simulation: Simulation, milliseconds: number, condition: () => boolean): void {
    const end = simulation.now + 600_000;
    while (!condition()) {
      expect(simulation.now).to.be.below(end);
      simulation.pass(milliseconds);
    }
  }

  /** A loop in which a rule of network blue is refused, some time after that failed first. */
  function failing(after = 0): Simulation {
    const simulation = new Simulation(world);
    simulation.refuses = (operation) => (isRuleOfBlue(operation) ? 'No buffer space' : undefined);
    simulation.start();
    simulation.pass(after);
    return simulation;
  }

  describe('while it cannot observe', () => {
    it('backs off, though a retry is due', () => {
      const simulation = failing();
      simulation.unreadable = unreadable;
      const { observations } = simulation;
      simulation.pass(60_000);
      // After 1, 2, 4, 8, 16 and 32 s, and when the retry was due.
      expect(simulation.observations - observations).to.be.within(5, 8);
    });

    it('backs off, though a transient refusal is to be retried', () => {
      const simulation = new Simulation(world);
      simulation.refuses = ({ verb }) => {
        if (verb !== 'put-back') return undefined;
        simulation.unreadable = unreadable;
        return 'Invalid source address';
      };
      simulation.start();
      const { observations } = simulation;
      simulation.pass(60_000);
      expect(simulation.observations - observations).to.be.within(4, 8);
    });
  });

  describe('if operations fail', () => {
    it('retries a transient refusal only when that is due, and observes no more often', () => {
      const simulation = new Simulation(world);
      // The last operation of blue fails, while the refusal of a put-back may still be transient.
      simulation.refuses = (operation) =>
        operation.networks.includes(clusterNetworkKey('blue')) &&
        ['put-back', 'add-bridge-mapping'].includes(nameOf(operation))
          ? 'No'
          : undefined;
      simulation.start();
      simulation.pass(20_000);
      simulation.pass(100_000);
      expect(simulation.observations).to.be.below(2000);
    });

    it('ends with --once if a refusal may be transient and a prerequisite has failed', () => {
      const simulation = new Simulation({ ...world, once: true });
      simulation.refuses = (operation) =>
        operation.networks.includes(clusterNetworkKey('blue')) && ['put-back', 'release'].includes(nameOf(operation))
          ? 'No'
          : undefined;
      simulation.start();
      simulation.pass(60_000);
      expect(simulation.finished).to.equal(false);
    });

    it('retries soon after a repair right after a failure, though it failed often', () => {
      const simulation = failing(35_000);
      let failedAt = Number.POSITIVE_INFINITY;
      simulation.refuses = (operation) => {
        if (!isRuleOfBlue(operation)) return undefined;
        failedAt = simulation.now;
        return 'No buffer space';
      };
      passUntil(simulation, 10, () => failedAt < Number.POSITIVE_INFINITY);
      simulation.pass(40);
      simulation.refuses = () => undefined;
      simulation.node = touched(simulation.node);
      simulation.change();
      simulation.pass(1000);
      expect(simulation.entry('blue')).to.include({ ready: 'True' });
    });

    it('retries soon after a repair some time after a failure, though the enslavement was undone each time', () => {
      const simulation = new Simulation(world);
      const isOut = () => simulation.node.links.find(({ name }) => name === 'br-blue')?.master === undefined;
      const refuse = (operation: Operation) =>
        operation.verb === 'put-back' && operation.networks.includes(clusterNetworkKey('blue')) && !isOut()
          ? 'No'
          : undefined;
      simulation.refuses = refuse;
      simulation.start();
      simulation.pass(20_000);
      // A while after one more attempt, long before the next one.
      let failedAt = Number.POSITIVE_INFINITY;
      simulation.refuses = (operation) => {
        const refusal = refuse(operation);
        if (refusal !== undefined) failedAt = simulation.now;
        return refusal;
      };
      passUntil(simulation, 100, () => simulation.now >= failedAt + 5000 && isOut());
      expect(simulation.state.failures.get(uplinkPart('ClusterUserDefinedNetwork/blue'))?.attempts).to.be.at.least(4);
      simulation.refuses = () => undefined;
      simulation.node = touched(simulation.node);
      simulation.change();
      simulation.pass(1000);
      expect(simulation.entry('blue')).to.include({ ready: 'True' });
    });

    it('does not retry for routes that the kernel adds once the interface is up', () => {
      const simulation = failing(35_000);
      let attempts = 0;
      simulation.refuses = (operation) => {
        if (isRuleOfBlue(operation)) attempts += 1;
        return isRuleOfBlue(operation) ? 'No buffer space' : undefined;
      };
      simulation.node = {
        ...simulation.node,
        routes: [
          ...simulation.node.routes,
          {
            ...{ family: 6, destination: 'fe80::99/128', table: 255, metric: 0, type: 'local', protocol: 'kernel' },
            nextHops: [{ device: 'br-blue' }],
          },
        ],
      };
      simulation.change();
      simulation.pass(200);
      expect(attempts).to.equal(0);
    });

    it('backs off though a router or a daemon reacts to each attempt', () => {
      const simulation = new Simulation(world);
      const isOut = () => simulation.node.links.find(({ name }) => name === 'br-blue')?.master === undefined;
      let enslavements = 0;
      simulation.refuses = (operation) => {
        if (nameOf(operation) === 'enslave' && movedDevice(operation) === 'br-blue') enslavements += 1;
        return operation.verb === 'put-back' && operation.networks.includes(clusterNetworkKey('blue')) && !isOut()
          ? 'No'
          : undefined;
      };
      simulation.start();
      for (let second = 0; second < 70; second += 1) {
        simulation.pass(1000);
        if (isOut()) {
          simulation.node = touched(simulation.node);
          simulation.change();
        }
      }
      // One every 5 s if it did not wait longer each time.
      expect(enslavements).to.be.within(5, 10);
    });

    it('does not report its own undo as drift', () => {
      const simulation = new Simulation(world).start();
      const isOut = () => simulation.node.links.find(({ name }) => name === 'br-blue')?.master === undefined;
      simulation.refuses = (operation) =>
        operation.verb === 'put-back' && operation.networks.includes(clusterNetworkKey('blue')) && !isOut()
          ? 'No'
          : undefined;
      simulation.node = {
        ...simulation.node,
        links: simulation.node.links.map(({ master, ...link }) =>
          link.name === 'br-blue' || master === undefined ? link : { ...link, master },
        ),
        routes: simulation.node.routes.filter(({ nextHops }) => nextHops.every(({ device }) => device !== 'br-blue')),
      };
      simulation.change();
      simulation.pass(10_000);
      const drifts = simulation.reports.filter((report) => report.kind === 'drift');
      simulation.pass(100_000);
      expect(simulation.reports.filter((report) => report.kind === 'drift')).to.have.length(drifts.length);
    });
  });

  describe('if the result of an operation is lost', () => {
    it('still owns what it added', () => {
      const simulation = new Simulation(world);
      let isTold = false;
      simulation.tells = (operation, result) => {
        if (isTold || nameOf(operation) !== 'add-vrf' || !operation.networks.includes(clusterNetworkKey('blue')))
          return result;
        isTold = true;
        return { done: false, error: 'ip was ended' };
      };
      simulation.start();
      expect(simulation.entry('blue')).to.include({ ready: 'True', vrf: 'blue' });
      simulation.cluster = { ...simulation.cluster, clusterUserDefinedNetworks: [] };
      simulation.change('cluster');
      simulation.pass(100_000);
      expect(simulation.node.links.some(({ name }) => name === 'blue')).to.equal(false);
    });

    it('observes before the next operation if the state right before is unknown', () => {
      const simulation = new Simulation(world);
      simulation.tells = (_, result) => (result.done ? { done: true } : result);
      const effects: string[] = [];
      simulation.afterwards = (effect) => {
        if (effect.do !== 'report') effects.push(effect.do === 'apply' ? nameOf(effect.operation) : effect.do);
      };
      const { routes } = new Simulation(world).start().node;
      expect(simulation.start().node.routes).to.have.deep.members(routes);
      expect(effects[effects.indexOf('enslave') + 1]).to.equal('observe');
    });

    it('restores the known part if the state right before is partly known', () => {
      const simulation = new Simulation(world);
      simulation.tells = (_, result) =>
        result.done && result.before !== undefined
          ? { ...result, before: { entities: { ...result.before.entities, routes: [] }, isComplete: false } }
          : result;
      const routes = new Simulation(world).start().node.routes;
      expect(simulation.start().node.routes).to.have.deep.members(routes);
    });
  });

  it('retries each operation without a network by itself', () => {
    const simulation = new Simulation(world).start();
    simulation.node = {
      ...simulation.node,
      rules: [
        ...simulation.node.rules,
        ...[77, 78].map((table) => ({
          ...{ family: 4 as const, priority: 1999, mark: table, table, protocol: '94', others: {} },
        })),
      ],
    };
    simulation.refuses = (operation) =>
      operation.verb === 'remove' && operation.entity.kind === 'rule' && operation.entity.rule.table === 77
        ? 'Operation not permitted'
        : undefined;
    simulation.change();
    simulation.pass(1000);
    expect(leftToDo(simulation).map((operation) => operation.networks)).to.deep.equal([[]]);
    expect(simulation.node.rules.filter(({ table }) => table === 77 || table === 78)).to.have.length(1);
  });

  it('makes progress though the cluster changes all the time', () => {
    const simulation = new Simulation(world);
    let doneBy = 0;
    simulation.afterwards = ({ do: effect }) => {
      if (simulation.observations === 20) doneBy = simulation.operations.length;
      if (effect === 'observe' && simulation.observations < 40) simulation.change('cluster');
    };
    simulation.start();
    // Each observation leads to an operation, except those before an interface moves.
    expect(doneBy).to.be.at.least(15);
    expect(leftToDo(simulation)).to.deep.equal([]);
  });

  it('does not fail a network that is deleted and recreated while it is being programmed', () => {
    const simulation = new Simulation(world);
    const { clusterUserDefinedNetworks } = world.cluster;
    const want = (networks: typeof clusterUserDefinedNetworks) => {
      simulation.cluster = { ...simulation.cluster, clusterUserDefinedNetworks: networks };
      simulation.change('cluster');
    };
    const enslaved = () => simulation.node.links.some(({ master }) => master === 'blue');
    let phase = 0;
    simulation.afterwards = () => {
      if (phase === 0 && enslaved()) {
        phase = 1;
        want([]);
      } else if (phase === 1 && !enslaved()) {
        phase = 2;
        want(clusterUserDefinedNetworks);
      }
    };
    simulation.start();
    expect(phase).to.equal(2);
    expect(leftToDo(simulation)).to.deep.equal([]);
    expect(simulation.reports.filter(({ kind }) => kind === 'failed')).to.deep.equal([]);
  });

  for (const once of [false, true]) {
    it(`ends ${once ? 'a single pass as not done' : 'as done'} if it is stopped before it has settled`, () => {
      const simulation = new Simulation({ ...world, once });
      simulation.afterwards = () => {
        if (simulation.operations.length === 3) simulation.tell({ kind: 'stop' });
      };
      simulation.start();
      // The fourth was being applied.
      expect(simulation.operations).to.have.length(4);
      expect(simulation.finished).to.equal(!once);
    });
  }

  it('ends without another observation if it is stopped and the current operation is refused', () => {
    const simulation = new Simulation(world);
    simulation.refuses = () => {
      simulation.tell({ kind: 'stop' });
      return 'No';
    };
    simulation.start();
    expect(simulation.finished).to.equal(true);
    expect(simulation.observations).to.equal(1);
  });
});
