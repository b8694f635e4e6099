import { expect } from 'chai';
import fc from 'fast-check';
import type { Effect } from '../../src/control/node/effect.ts';
import { displaceableKindOf, displacedKey, displacedText } from '../../src/domain/entities/displaceable.ts';
import { type EntityOperation, movedDevice } from '../../src/domain/operations/operation.ts';
import { displacedBy } from '../../src/domain/ownership/displace.ts';
import { presenceIn } from '../../src/domain/ownership/displaced-things.ts';
import type { DisplacedEntity } from '../../src/domain/snapshot/ledger.ts';
import { operationKey } from '../../src/domain/operations/operation-key.ts';
import {
  type ClusterSnapshot,
  diffNode,
  meaningOf,
  type NodePlan,
  type NodeSettings,
  type NodeSnapshot,
  type Operation,
  planNode,
} from '../../src/domain/index.ts';
import { type Case, cases, converge, type Convergence, engine, normalForm } from '../../src/testing/index.ts';
import { caseCount } from '../case-count.ts';
import { Coverage } from '../coverage.ts';
import { nameOf, Simulation } from '../unit/control/node/simulation.ts';
import { inFile } from '../../src/ports/input-problem.ts';

/** Milliseconds after which every fault is over, and then until the loop has retried everything. */
const [FAULTS, AFTERWARDS] = [30_000, 200_000];

/** Effects in a second that are not a busy loop: a plan has some hundred operations. */
const MOST_EFFECTS_IN_A_SECOND = 5000;

/** Faults of a run. Numbers choose among operations. */
interface Faults {
  /** Which operations are refused, and until when in milliseconds. */
  readonly refusals: readonly { readonly which: number; readonly until: number }[];
  /** When a change is reported, the loop is restarted, or nothing can be read. */
  readonly events: readonly { readonly after: number; readonly what: 'node' | 'cluster' | 'restart' | 'unreadable' }[];
}

const faults: fc.Arbitrary<Faults> = fc.record({
  refusals: fc.array(fc.record({ which: fc.nat(), until: fc.nat(FAULTS) }), { maxLength: 4 }),
  events: fc.array(
    fc.record({
      after: fc.oneof(fc.constant(0), fc.nat(5), fc.nat(3000)),
      what: fc.constantFrom('node', 'cluster', 'restart', 'unreadable'),
    }),
    { maxLength: 6 },
  ),
});

interface Place {
  readonly cluster: ClusterSnapshot;
  readonly node: NodeSnapshot;
  readonly settings: NodeSettings;
}

/** A loop that is checked after each effect. */
class Watched {
  simulation: Simulation;
  readonly #place: Place;
  readonly #refusals: ReadonlyMap<string, number>;
  #effects = 0;
  #second = 0;

  constructor(place: Place, refusals: ReadonlyMap<string, number>) {
    this.#place = place;
    this.#refusals = refusals;
    this.simulation = this.#started(place);
  }

  /** Stops the loop and starts another one on the same node. */
  restart(): void {
    const before = this.simulation;
    before.tell({ kind: 'stop' });
    expect(before.finished, 'the loop ends when it is stopped').to.equal(true);
    const { cluster, node, now } = before;
    this.simulation = this.#started({ ...this.#place, cluster, node }, now);
  }

  #started(place: Place, now = 1000): Simulation {
    const simulation = new Simulation(place);
    simulation.now = now;
    simulation.refuses = (operation) =>
      simulation.now < (this.#refusals.get(operationKey(operation)) ?? 0) ? 'not now' : undefined;
    simulation.afterwards = (effect) => {
      this.#watch(effect, simulation);
    };
    return simulation;
  }

  #watch(effect: Effect, simulation: Simulation): void {
    const second = Math.floor(simulation.now / 1000);
    this.#effects = second === this.#second ? this.#effects + 1 : 1;
    this.#second = second;
    expect(this.#effects, 'effects in a second').to.be.below(MOST_EFFECTS_IN_A_SECOND);
    if (effect.do === 'apply') expectNotHeld(effect.operation, simulation.state.execution?.nodePlan);
    if (effect.do === 'publish') this.#expectTrue(effect, simulation);
  }

  /** Networks that are published as ready are ready, unless they were before and are under way. */
  #expectTrue({ states }: Effect & { readonly do: 'publish' }, { cluster, node }: Simulation): void {
    const { settings } = this.#place;
    const unfinished = new Set(diffNode(planNode(cluster, node, settings), node).flatMap(({ networks }) => networks));
    for (const { state, stored } of states) {
      const formerly = new Set(
        (stored?.status?.networks ?? []).flatMap((each) => (each.ready === 'True' ? each.name : [])),
      );
      for (const { name, ready } of state.status.networks ?? []) {
        const isTrue = ready !== 'True' || formerly.has(name) || !unfinished.has(name);
        expect(isTrue, `${name} is published as ready`).to.equal(true);
      }
    }
  }
}

function expectNotHeld(operation: Operation, plan: NodePlan | undefined): void {
  const held = (plan?.networks ?? []).filter((row) => row.held).map(({ network }) => network);
  expect(
    operation.networks.filter((network) => held.includes(network)),
    `held networks that get ${nameOf(operation)}`,
  ).to.deep.equal([]);
}

function refusedOf(operations: readonly Operation[], { refusals }: Faults): ReadonlyMap<string, number> {
  return new Map(
    refusals.flatMap(({ which, until }) => {
      const operation = operations[which % Math.max(1, operations.length)];
      return operation === undefined ? [] : [[operationKey(operation), until] as const];
    }),
  );
}

type Reached = Readonly<Record<'operations' | 'refusals', boolean>>;

function checkLoop(place: Place, faults: Faults): Reached {
  const { node: expected, operations } = converge(engine, '2 converges', place, place.node);
  const refused = refusedOf(operations, faults);
  const watched = new Watched(place, refused);
  watched.simulation.change('cluster');
  for (const { after, what } of faults.events) {
    watched.simulation.pass(after);
    watched.simulation.unreadable =
      what === 'unreadable' ? [{ origin: inFile('db.sock'), message: 'nobody answers' }] : [];
    if (what === 'restart') watched.restart();
    watched.simulation.change(what === 'cluster' || what === 'restart' ? 'cluster' : 'node');
  }
  watched.simulation.pass(FAULTS);
  watched.simulation.unreadable = [];
  watched.simulation.pass(AFTERWARDS);

  const { simulation } = watched;
  expect(normalForm(simulation.node)).to.deep.equal(normalForm(expected));
  expect([...simulation.state.failures.values()].map((failure) => JSON.stringify(failure)).join()).to.equal('');
  const { observations, writes } = simulation;
  const [done, ledgers] = [simulation.operations.length, simulation.ledgerWrites.length];
  simulation.pass(120_000);
  expect(simulation.observations - observations, 'observations while nothing happens').to.be.at.most(2);
  expect([
    simulation.operations.length - done,
    simulation.ledgerWrites.length - ledgers,
    simulation.writes - writes,
  ]).to.deep.equal([0, 0, 0]);
  return { operations: operations.length > 0, refusals: refused.size > 0 };
}

function withoutNetworks(cluster: ClusterSnapshot): ClusterSnapshot {
  return { ...cluster, clusterUserDefinedNetworks: [], routeAdvertisements: [] };
}

type Overtaken = EntityOperation<'vrf' | 'address'>;

/** Whether a node has what an operation makes. */
function isThere(operation: Overtaken, { links }: NodeSnapshot): boolean {
  const { entity } = operation;
  if (entity.kind === 'vrf') return links.some(({ name, kind }) => name === entity.name && kind === 'vrf');
  const { device, address } = entity;
  return links.some(
    ({ name, addresses }) => name === device && addresses.some((each) => each.address === address.address),
  );
}

/**
 * Another program makes the same as the loop, right before the loop does; then every network is deleted.
 *
 * @returns whether that was possible
 */
function checkOvertaken(place: Place, which: number): boolean {
  const { operations } = converge(engine, '2 converges', place, place.node);
  const candidates = operations.filter((each): each is Overtaken => ['add-vrf', 'add-address'].includes(nameOf(each)));
  const chosen = candidates[which % Math.max(1, candidates.length)];
  if (chosen === undefined) return false;
  const simulation = new Simulation(place);
  const made = new Set<Operation>();
  simulation.meanwhile = (effect) => {
    if (effect.do !== 'apply' || operationKey(effect.operation) !== operationKey(chosen) || made.has(chosen)) return;
    const change = meaningOf(chosen).effect(chosen, simulation.node);
    if (!change.done) return;
    simulation.node = change.node;
    made.add(chosen);
  };
  simulation.change('cluster');
  simulation.pass(FAULTS);
  simulation.cluster = withoutNetworks(simulation.cluster);
  simulation.change('cluster');
  simulation.pass(AFTERWARDS);
  if (!made.has(chosen)) return false;
  expect(isThere(chosen, simulation.node), `${operationKey(chosen)} of somebody else is there`).to.equal(true);
  return true;
}

type Move = EntityOperation<'membership'>;

/** What an administrator may add to an interface and its VLAN devices, of each kind that the kernel drops with a move. */
function thingsOn(interfaceName: string, { links }: NodeSnapshot): readonly DisplacedEntity[] {
  const vlans = links.filter(({ lowerDevice, kind }) => lowerDevice === interfaceName && kind === 'vlan');
  return [interfaceName, ...vlans.map(({ name }) => name)].flatMap((device): readonly DisplacedEntity[] => {
    const route = { type: 'unicast', protocol: 'static', nextHops: [{ device }] } as const;
    const ofFamily4 = { ...route, family: 4, destination: '203.0.113.240/28', scope: 'link' } as const;
    return [
      { kind: 'route', route: { ...ofFamily4, table: 254, metric: 0 } },
      { kind: 'route', route: { ...ofFamily4, table: 77, metric: 9 } },
      { kind: 'route', route: { ...route, family: 6, destination: '2001:db8:99::/64', table: 254, metric: 1024 } },
      { kind: 'address', device, address: { address: '198.51.140.1', prefixLength: 24, scope: 'global', flags: [] } },
      { kind: 'address', device, address: { address: '2001:db8:98::1', prefixLength: 64, scope: 'global', flags: [] } },
      {
        kind: 'neighbour',
        neighbour: { device, address: '192.0.2.80', macAddress: '02:00:00:00:77:80', states: ['permanent'] },
      },
      { kind: 'neighbour-proxy', proxy: { device, address: '192.0.2.81' } },
      { kind: 'next-hop-object', object: { id: 999, family: 4, device, protocol: 'static' } },
    ];
  });
}

function isMove(operation: Operation | undefined): operation is Move {
  return operation !== undefined && operation.verb !== 'put-back' && movedDevice(operation) !== undefined;
}

/** The next move of a kind, where the observation right before it is under way, or the move itself. */
function imminentMove(effect: Effect, { state }: Simulation, kind: MoveName, moment: Moment): Move | undefined {
  const operation = state.execution?.queue[0];
  if (!isMove(operation) || nameOf(operation) !== kind) return undefined;
  if (moment === 'applied') return effect.do === 'apply' ? operation : undefined;
  const isObservation =
    effect.do === 'observe' && state.activity.kind === 'observing' && state.activity.purpose === 'continue';
  return isObservation ? operation : undefined;
}

type MoveName = 'enslave' | 'release';
type Moment = 'observed' | 'applied';

/**
 * Whether an interface moves so while networks come and go, with a route to lose where it must have one: most do not, and a loop that shows that
 * takes ten times as long as a plan.
 */
function moves(place: Place, kind: MoveName, adds: boolean): boolean {
  const isThere = ({ operations, states }: Convergence) =>
    operations.some((operation, index) => {
      const device = isMove(operation) && nameOf(operation) === kind ? movedDevice(operation) : undefined;
      if (device === undefined) return false;
      return adds || displacedBy(states[index]!, device).some((thing) => thing.kind === 'route');
    });
  const coming = converge(engine, '2 converges', place, place.node);
  const without = { ...place, cluster: withoutNetworks(place.cluster) };
  return isThere(coming) || (kind === 'release' && isThere(converge(engine, '2 converges', without, coming.node)));
}

/** How many routes there are like one, in any table. */
function likeIt(thing: DisplacedEntity, { routes }: NodeSnapshot): number {
  if (thing.kind !== 'route') return 0;
  const keyOf = (route: typeof thing.route) => displacedKey({ kind: 'route', route: { ...route, table: 0 } });
  return routes.filter((route) => keyOf(route) === keyOf(thing.route)).length;
}

/**
 * An administrator adds something to an interface, or deletes a route, right before it moves; then every network is deleted.
 *
 * @returns whether that was possible
 */
function checkMeanwhile(place: Place, kind: MoveName, adds: boolean, moment: Moment, which: number): boolean {
  if (!moves(place, kind, adds)) return false;
  const simulation = new Simulation(place);
  let changed: DisplacedEntity | undefined;
  simulation.meanwhile = (effect) => {
    const move = imminentMove(effect, simulation, kind, moment);
    if (changed !== undefined || move === undefined) return;
    const { node } = simulation;
    const things = adds
      ? thingsOn(move.entity.device, node)
      : displacedBy(node, move.entity.device).filter(({ kind: kindOfThing }) => kindOfThing === 'route');
    const thing = things[which % Math.max(1, things.length)];
    if (thing === undefined || presenceIn(node)(thing) === adds) return;
    const change = adds
      ? displaceableKindOf(thing).displaced.restore(thing, node)
      : meaningOf({ verb: 'remove', networks: [], entity: thing }).effect(
          { verb: 'remove', networks: [], entity: thing },
          node,
        );
    if (!change.done) return;
    simulation.node = change.node;
    changed = thing;
  };
  simulation.change('cluster');
  simulation.pass(FAULTS);
  simulation.cluster = withoutNetworks(simulation.cluster);
  simulation.change('cluster');
  simulation.pass(AFTERWARDS);
  if (changed === undefined) return false;
  expect(presenceIn(simulation.node)(changed), `${displacedText(changed)} is there`).to.equal(adds);
  const most = Math.max(0, likeIt(changed, place.node) - 1);
  if (!adds) expect(likeIt(changed, simulation.node), `${displacedText(changed)} in any table`).to.be.at.most(most);
  return true;
}

function forEachNode<Result>({ cluster, nodes, settings }: Case, check: (place: Place) => Result): readonly Result[] {
  return nodes.map((node) => check({ cluster, node, settings }));
}

function parameters(runs: number) {
  return {
    endOnFailure: true,
    numRuns: caseCount(runs),
    ...(process.env['SEED'] !== undefined && { seed: Number(process.env['SEED']) }),
  };
}

/** @param least the least share of nodes that must have operations, and refused ones */
function hold(runs: number, generated: fc.Arbitrary<Faults>, least: Partial<Record<keyof Reached, number>>): void {
  const coverage = new Coverage();
  fc.assert(
    fc.property(cases, generated, (subject, fault) => {
      try {
        for (const reached of forEachNode(subject, (place) => checkLoop(place, fault))) coverage.count(reached);
      } catch (error) {
        throw new Error(`${String(error)}\n${JSON.stringify(fault)}`, { cause: error });
      }
    }),
    parameters(runs),
  );
  coverage.expect(least);
}

describe('the loop of a node', function () {
  this.timeout(0);

  it('reaches its plan, and rests', () => {
    hold(150, fc.constant({ refusals: [], events: [] }), { operations: 0.3 });
  });

  it('removes nothing that another program made right before it would have made the same', () => {
    fc.assert(
      fc.property(cases, fc.nat(), (subject, which) => {
        fc.pre(forEachNode(subject, (place) => checkOvertaken(place, which)).includes(true));
      }),
      parameters(100),
    );
  });

  for (const kind of ['enslave', 'release'] as const) {
    for (const moment of ['observed', 'applied'] as const) {
      for (const adds of [true, false]) {
        const what = adds ? 'loses nothing that somebody adds' : 'puts back nothing that somebody deletes';
        it(`${what} right before ${kind} is ${moment}`, () => {
          fc.assert(
            fc.property(cases, fc.nat(), (subject, which) => {
              const moments = forEachNode(subject, (place) => checkMeanwhile(place, kind, adds, moment, which));
              fc.pre(moments.includes(true));
            }),
            parameters(50),
          );
        });
      }
    }
  }

  it('reaches its plan also with refused operations, reported changes, failed observations and restarts', () => {
    hold(300, faults, { operations: 0.3, refusals: 0.2 });
  });
});
