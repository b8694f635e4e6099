import { expect } from 'chai';
import {
  diffNode,
  defaultSettings,
  type NodeSnapshot,
  type Operation,
  planNode,
} from '../../../../src/domain/index.ts';
import { capturedSituation } from '../../cmd/captured-situation.ts';
import { Simulation, type World } from './simulation.ts';

const unreadable = [{ file: '/run/openvswitch/db.sock', message: 'nobody answers' }];
const isRule = ({ kind, networks }: Operation) => kind === 'add-rule' && networks.includes('blue');

function touched(node: NodeSnapshot): NodeSnapshot {
  const links = node.links.map((link) => (link.name === 'br-blue' ? { ...link, mtu: link.mtu + 1 } : link));
  return { ...node, links };
}

describe('the loop of a node under mishaps', () => {
  let world: World;
  before(async () => {
    const { cluster, nodes } = await capturedSituation();
    world = { cluster: { ...cluster, uplinkStates: [] }, node: nodes[0]! };
  });

  function leftToDo({ cluster, node }: Simulation): readonly Operation[] {
    return diffNode(planNode(cluster, node, defaultSettings), node);
  }

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
    simulation.refuses = (operation) => (isRule(operation) ? 'No buffer space' : undefined);
    simulation.start();
    simulation.pass(after);
    return simulation;
  }

  describe('that cannot read', () => {
    it('waits longer each time, though something had failed before and is due meanwhile', () => {
      const simulation = failing();
      simulation.unreadable = unreadable;
      const { looks } = simulation;
      simulation.pass(60_000);
      // At 1, 2, 4, 8, 16 and 32 s, and when what failed was due.
      expect(simulation.looks - looks).to.be.within(5, 8);
    });

    it('waits longer each time, though something was refused that may pass', () => {
      const simulation = new Simulation(world);
      simulation.refuses = ({ kind }) => {
        if (kind !== 'put-back') return undefined;
        simulation.unreadable = unreadable;
        return 'Invalid source address';
      };
      simulation.start();
      const { looks } = simulation;
      simulation.pass(60_000);
      expect(simulation.looks - looks).to.be.within(4, 8);
    });
  });

  describe('where something fails', () => {
    it('has what may pass wait as well, and neither asks for it nor looks until it is due', () => {
      const simulation = new Simulation(world);
      // The last of what blue gets is refused at once, while a put-back of it may still pass.
      simulation.refuses = ({ kind, networks }) =>
        networks.includes('blue') && (kind === 'put-back' || kind === 'add-bridge-mapping') ? 'No' : undefined;
      simulation.start();
      simulation.pass(20_000);
      simulation.pass(100_000);
      expect(simulation.looks).to.be.below(2000);
    });

    it('ends with --once where something may pass and what it waits for has failed', () => {
      const simulation = new Simulation({ ...world, once: true });
      simulation.refuses = ({ kind, networks }) =>
        networks.includes('blue') && (kind === 'put-back' || kind === 'release') ? 'No' : undefined;
      simulation.start();
      simulation.pass(60_000);
      expect(simulation.finished).to.equal(false);
    });

    it('tries again soon where it is repaired right after it failed, though it failed often', () => {
      const simulation = failing(35_000);
      let failedAt = Number.POSITIVE_INFINITY;
      simulation.refuses = (operation) => {
        if (!isRule(operation)) return undefined;
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

    it('tries again soon where it is repaired a while after it failed, though what it began was undone each time', () => {
      const simulation = new Simulation(world);
      const isOut = () => simulation.node.links.find(({ name }) => name === 'br-blue')?.master === undefined;
      const refuse = (operation: Operation) =>
        operation.kind === 'put-back' && operation.networks.includes('blue') && !isOut() ? 'No' : undefined;
      simulation.refuses = refuse;
      simulation.start();
      simulation.pass(80_000);
      // A while after one more attempt, with 60 s to the next one.
      let failedAt = Number.POSITIVE_INFINITY;
      simulation.refuses = (operation) => {
        const refusal = refuse(operation);
        if (refusal !== undefined) failedAt = simulation.now;
        return refusal;
      };
      passUntil(simulation, 100, () => simulation.now >= failedAt + 5000 && isOut());
      expect(simulation.state.failures.get('blue')?.attempts).to.be.at.least(6);
      simulation.refuses = () => undefined;
      simulation.node = touched(simulation.node);
      simulation.change();
      simulation.pass(1000);
      expect(simulation.entry('blue')).to.include({ ready: 'True' });
    });

    it('does not try again for what the kernel does after the interface came back', () => {
      const simulation = failing(35_000);
      let tries = 0;
      simulation.refuses = (operation) => {
        if (isRule(operation)) tries += 1;
        return isRule(operation) ? 'No buffer space' : undefined;
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
      expect(tries).to.equal(0);
    });

    it('waits longer each time though a router or a daemon answers each attempt', () => {
      const simulation = new Simulation(world);
      const isOut = () => simulation.node.links.find(({ name }) => name === 'br-blue')?.master === undefined;
      let enslavements = 0;
      simulation.refuses = (operation) => {
        if (operation.kind === 'enslave' && operation.device === 'br-blue') enslavements += 1;
        return operation.kind === 'put-back' && operation.networks.includes('blue') && !isOut() ? 'No' : undefined;
      };
      simulation.start();
      for (let second = 0; second < 200; second += 1) {
        simulation.pass(1000);
        if (isOut()) {
          simulation.node = touched(simulation.node);
          simulation.change();
        }
      }
      expect(enslavements).to.be.within(5, 15);
    });

    it('takes nothing of its own for somebody else’s change', () => {
      const simulation = new Simulation(world).start();
      const isOut = () => simulation.node.links.find(({ name }) => name === 'br-blue')?.master === undefined;
      simulation.refuses = (operation) =>
        operation.kind === 'put-back' && operation.networks.includes('blue') && !isOut() ? 'No' : undefined;
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

  describe('that does not hear what came of an operation', () => {
    it('takes what it made for its own all the same', () => {
      const simulation = new Simulation(world);
      let isTold = false;
      simulation.tells = (operation, result) => {
        if (isTold || operation.kind !== 'add-vrf' || operation.vrf !== 'blue') return result;
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

    it('looks before it does anything else where nobody knows what was there right before', () => {
      const simulation = new Simulation(world);
      simulation.tells = (_, result) => (result.done ? { done: true } : result);
      const effects: string[] = [];
      simulation.afterwards = (effect) => {
        if (effect.do !== 'report') effects.push(effect.do === 'carry-out' ? effect.operation.kind : effect.do);
      };
      const { routes } = new Simulation(world).start().node;
      expect(simulation.start().node.routes).to.deep.equal(routes);
      expect(effects[effects.indexOf('enslave') + 1]).to.equal('observe');
    });

    it('puts back what it knew of where only a part of what was there could be listed right before', () => {
      const simulation = new Simulation(world);
      simulation.tells = (_, result) =>
        result.done && result.before !== undefined
          ? { ...result, before: { things: { ...result.before.things, routes: [] }, isWhole: false } }
          : result;
      const routes = new Simulation(world).start().node.routes;
      expect(simulation.start().node.routes).to.deep.equal(routes);
    });
  });

  it('tries what is done for nobody each by itself', () => {
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
      operation.kind === 'delete-rule' && operation.rule.table === 77 ? 'Operation not permitted' : undefined;
    simulation.change();
    simulation.pass(1000);
    expect(leftToDo(simulation).map((operation) => operation.networks)).to.deep.equal([[]]);
    expect(simulation.node.rules.filter(({ table }) => table === 77 || table === 78)).to.have.length(1);
  });

  it('does its work though objects of the cluster change all the time', () => {
    const simulation = new Simulation(world);
    let doneBy = 0;
    simulation.afterwards = ({ do: effect }) => {
      if (simulation.looks === 20) doneBy = simulation.operations.length;
      if (effect === 'observe' && simulation.looks < 40) simulation.change('cluster');
    };
    simulation.start();
    // Each look but those before an interface moves leads to an operation.
    expect(doneBy).to.be.at.least(15);
    expect(leftToDo(simulation)).to.deep.equal([]);
  });

  it('takes it for no failure that something is wanted again, was taken away, and is wanted again', () => {
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

  describe('whose API takes its time', () => {
    it('corrects what was written late and is not so any more', () => {
      const simulation = new Simulation(world).start();
      expect(simulation.entry('blue')).to.include({ ready: 'True' });
      simulation.publishesLater = true;
      simulation.node = {
        ...simulation.node,
        rules: simulation.node.rules.filter(({ protocol }) => protocol !== '94'),
      };
      simulation.refuses = (operation) => (isRule(operation) ? 'No buffer space' : undefined);
      simulation.change();
      simulation.pass(100);
      simulation.refuses = () => undefined;
      simulation.pass(5000);
      expect(leftToDo(simulation)).to.deep.equal([]);
      simulation.publishesLater = false;
      simulation.publishNow();
      simulation.pass(1000);
      expect(simulation.entry('blue')).to.include({ ready: 'True' });
    });

    it('waits longer each time where it takes nothing', () => {
      const simulation = new Simulation(world);
      simulation.unwritable = 'read-only file system';
      simulation.start();
      simulation.pass(20_000);
      const { looks } = simulation;
      simulation.pass(300_000);
      expect(simulation.looks - looks).to.be.below(30);
      simulation.unwritable = undefined;
      simulation.pass(60_000);
      expect(simulation.entry('blue')).to.include({ ready: 'True' });
    });

    describe('is told of', () => {
      let simulation: Simulation;
      const told = () => simulation.reports.filter(({ kind }) => kind === 'unpublished').length;
      beforeEach(() => {
        simulation = new Simulation(world);
        simulation.unwritable = 'read-only file system';
        simulation.start();
      });

      it('once for each reason, and every ten minutes', () => {
        simulation.pass(300_000);
        expect(told()).to.equal(1);
        simulation.unwritable = 'no space left on device';
        simulation.pass(300_000);
        expect(told()).to.equal(2);
        simulation.pass(660_000);
        expect(told()).to.equal(3);
      });

      /** Has a state that should be another one. */
      function wantAnother(): void {
        simulation.refuses = (operation) => (isRule(operation) ? 'No buffer space' : undefined);
        simulation.node = { ...simulation.node, rules: [] };
        simulation.change();
        simulation.pass(1000);
      }

      it('again where it is written in between', () => {
        simulation.unwritable = undefined;
        simulation.pass(100_000);
        simulation.unwritable = 'read-only file system';
        wantAnother();
        expect(told()).to.equal(2);
      });

      it('again where nobody wants it in between', () => {
        const { cluster } = simulation;
        simulation.cluster = { ...cluster, uplinks: [], clusterUserDefinedNetworks: [] };
        simulation.change('cluster');
        simulation.pass(5000);
        simulation.cluster = cluster;
        simulation.change('cluster');
        simulation.pass(5000);
        expect(told()).to.equal(2);
      });
    });

    it('is told of though the loop has ended', () => {
      const simulation = new Simulation({ ...world, once: true });
      simulation.unwritable = 'read-only file system';
      simulation.start();
      simulation.pass(1000);
      expect(simulation.reports.map(({ kind }) => kind)).to.include('unpublished');
    });
  });

  for (const once of [false, true]) {
    it(`says that ${once ? 'not all was done where it was to be done once' : 'it ended as asked'} and it is stopped before`, () => {
      const simulation = new Simulation({ ...world, once });
      simulation.afterwards = () => {
        if (simulation.operations.length === 3) simulation.tell({ kind: 'stop' });
      };
      simulation.start();
      // The one at hand was the fourth.
      expect(simulation.operations).to.have.length(4);
      expect(simulation.finished).to.equal(!once);
    });
  }

  it('ends without another look where it is stopped and the operation at hand is refused', () => {
    const simulation = new Simulation(world);
    simulation.refuses = () => {
      simulation.tell({ kind: 'stop' });
      return 'No';
    };
    simulation.start();
    expect(simulation.finished).to.equal(true);
    expect(simulation.looks).to.equal(1);
  });
});
