import { clusterNetworkKey } from '../../src/domain/network/key.ts';
import { partsOf } from '../../src/domain/entities/operations/operation.ts';
import { uplinkPart } from '../../src/domain/network/part.ts';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Effect } from '../../src/control/node/effect.ts';
import { displaceableKindOf, displacedKey, displacedText } from '../../src/domain/entities/displaceable.ts';
import { type EntityOperation, movedDevice } from '../../src/domain/entities/operations/operation.ts';
import { displacedBy } from '../../src/domain/entities/ownership/displace.ts';
import { presenceIn } from '../../src/domain/entities/ownership/displaced-entities.ts';
import { deviceOfEntry, type DisplacedEntity, entriesOf } from '../../src/domain/snapshot/ledger.ts';
import { isManagementPortName } from '../../src/domain/network/names/management-port.ts';
import { operationKey } from '../../src/domain/entities/operations/operation-key.ts';
import {
  type ClusterSnapshot,
  diffNode,
  semanticsOf,
  type NodePlan,
  type NodeSettings,
  type NodeSnapshot,
  type Operation,
  planNode,
} from '../../src/domain/index.ts';
import { type Case, cases, converge, type Convergence, engine, normalForm } from '../../src/testing/index.ts';
import { decide } from '../../src/testing/convergence.ts';
import { caseCount } from '../case-count.ts';
import { Coverage } from '../coverage.ts';
import { nameOf, Simulation, stateIn } from '../unit/control/node/simulation.ts';
import { inFile } from '../../src/ports/input-problem.ts';

/** Milliseconds for which there are faults, and then until the loop has retried everything. */
const [FAULTS, RECOVERY] = [30_000, 200_000];

/** Maximum number of effects in a second without a busy loop: a plan has some hundred operations. */
const MAX_EFFECTS_PER_SECOND = 5000;

/** Faults of a run. Numbers choose among operations. */
interface Faults {
  /** Which operations are refused, and until when in milliseconds. */
  readonly refusals: readonly { readonly which: number; readonly until: number }[];
  /** Milliseconds until a change is reported, the loop is restarted, or reads fail. */
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

interface Situation {
  readonly cluster: ClusterSnapshot;
  readonly node: NodeSnapshot;
  readonly settings: NodeSettings;
}

/** A loop that is checked after each effect. */
class CheckedLoop {
  simulation: Simulation;
  readonly #situation: Situation;
  readonly #refusals: ReadonlyMap<string, number>;
  #effects = 0;
  #second = 0;

  constructor(situation: Situation, refusals: ReadonlyMap<string, number>) {
    this.#situation = situation;
    this.#refusals = refusals;
    this.simulation = this.#started(situation);
  }

  /** Stops the loop and starts another one on the same node. */
  restart(): void {
    const before = this.simulation;
    before.tell({ kind: 'stop' });
    expect(before.finished, 'the loop ends when it is stopped').to.equal(true);
    const { cluster, node, now } = before;
    this.simulation = this.#started({ ...this.#situation, cluster, node }, now);
  }

  #started(situation: Situation, now = 1000): Simulation {
    const simulation = new Simulation(situation);
    simulation.now = now;
    simulation.refuses = (operation) =>
      simulation.now < (this.#refusals.get(operationKey(operation)) ?? 0) ? 'not now' : undefined;
    simulation.afterwards = (effect) => {
      this.#check(effect, simulation);
    };
    return simulation;
  }

  #check(effect: Effect, simulation: Simulation): void {
    const second = Math.floor(simulation.now / 1000);
    this.#effects = second === this.#second ? this.#effects + 1 : 1;
    this.#second = second;
    expect(this.#effects, 'effects in a second').to.be.below(MAX_EFFECTS_PER_SECOND);
    if (effect.do === 'observe' && simulation.unreadable.length === 0)
      expect({ ...simulation.observed, ledger: simulation.node.ledger }, 'the node in parts').to.deep.equal(
        simulation.node,
      );
    if (effect.do === 'apply') expectNotHeld(effect.operation, simulation.state.execution?.nodePlan);
    if (effect.do === 'publish') this.#expectReady(effect, simulation);
  }

  /** Networks that are published as ready are programmed, unless they were ready before and are being changed. */
  #expectReady({ publication: { states } }: Effect & { readonly do: 'publish' }, { cluster, node }: Simulation): void {
    const { settings } = this.#situation;
    const unfinished = new Set(diffNode(planNode(cluster, node, settings), node).flatMap(partsOf));
    for (const { write } of states) {
      const stored = cluster.uplinkStates.find(({ metadata }) => metadata.name === write.name);
      const readyBefore = new Set(
        (stored?.status?.networks ?? []).flatMap((each) => (each.ready === 'True' ? each.name : [])),
      );
      for (const { name, ready } of stateIn(write).status?.networks ?? []) {
        const isTrue =
          ready !== 'True' || readyBefore.has(name) || !unfinished.has(uplinkPart(clusterNetworkKey(name)));
        expect(isTrue, `${name} is published as ready`).to.equal(true);
      }
    }
  }
}

function expectNotHeld(operation: Operation, plan: NodePlan | undefined): void {
  const held = (plan?.networks ?? []).filter((row) => row.held).map(({ key }) => uplinkPart(key));
  // One for both parts of a network is for the network itself.
  const parts = operation.part === undefined ? [] : partsOf(operation);
  expect(
    parts.filter((part) => held.includes(part)),
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

function checkLoop(situation: Situation, faults: Faults): Reached {
  const { node: expected, operations } = converge(engine, '2 converges', situation, situation.node);
  const refused = refusedOf(operations, faults);
  const loop = new CheckedLoop(situation, refused);
  loop.simulation.change('cluster');
  for (const { after, what } of faults.events) {
    loop.simulation.pass(after);
    loop.simulation.unreadable =
      what === 'unreadable' ? [{ origin: inFile('db.sock'), message: 'nobody answers' }] : [];
    if (what === 'restart') loop.restart();
    loop.simulation.change(what === 'cluster' || what === 'restart' ? 'cluster' : 'node');
  }
  loop.simulation.pass(FAULTS);
  loop.simulation.unreadable = [];
  loop.simulation.pass(RECOVERY);

  const { simulation } = loop;
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
  return { ...cluster, clusterUserDefinedNetworks: [], userDefinedNetworks: [], routeAdvertisements: [] };
}

type Anticipated = EntityOperation<'vrf' | 'address'>;

/** Whether a node has the entity of an operation. */
function isThere(operation: Anticipated, { links }: NodeSnapshot): boolean {
  const { entity } = operation;
  if (entity.kind === 'vrf') return links.some(({ name, kind }) => name === entity.name && kind === 'vrf');
  const { device, address } = entity;
  return links.some(
    ({ name, addresses }) => name === device && addresses.some((each) => each.address === address.address),
  );
}

/** A management port is managed with all that is on it (docs/design/ownership.md, "Three rules"). */
const isOnManagementPort = ({ entity }: Anticipated) =>
  entity.kind === 'address' && isManagementPortName(entity.device);

/**
 * Another program adds an entity right before the loop would; then all networks are deleted.
 *
 * @returns whether that was possible
 */
function checkAnticipated(situation: Situation, which: number): boolean {
  const { operations } = converge(engine, '2 converges', situation, situation.node);
  const candidates = operations
    .filter((each): each is Anticipated => ['add-vrf', 'add-address'].includes(nameOf(each)))
    .filter((each) => !isOnManagementPort(each));
  const chosen = candidates[which % Math.max(1, candidates.length)];
  if (chosen === undefined) return false;
  const simulation = new Simulation(situation);
  const added = new Set<Operation>();
  simulation.meanwhile = (effect) => {
    if (effect.do !== 'apply' || operationKey(effect.operation) !== operationKey(chosen) || added.has(chosen)) return;
    const change = semanticsOf(chosen).effect(chosen, simulation.node);
    if (!change.done) return;
    simulation.node = change.node;
    added.add(chosen);
  };
  simulation.change('cluster');
  simulation.pass(FAULTS);
  simulation.cluster = withoutNetworks(simulation.cluster);
  simulation.change('cluster');
  simulation.pass(RECOVERY);
  if (!added.has(chosen)) return false;
  expect(isThere(chosen, simulation.node), `${operationKey(chosen)} of another program exists`).to.equal(true);
  return true;
}

type Move = EntityOperation<'membership'>;

/** Entities that an administrator may add on an interface and its VLAN devices, of each kind that the kernel displaces. */
function entitiesOn(interfaceName: string, { links }: NodeSnapshot): readonly DisplacedEntity[] {
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

/** An interface that moves: into a VRF or out of it. */
interface Movement {
  readonly name: 'enslave' | 'release';
  /** Whether it is a management port, and not an interface of the administrator. */
  readonly isOwn: boolean;
}

function isMove(operation: Operation | undefined, { name, isOwn }: Movement): operation is Move {
  if (operation === undefined || operation.verb === 'put-back') return false;
  const device = movedDevice(operation);
  return device !== undefined && nameOf(operation) === name && isManagementPortName(device) === isOwn;
}

/** The next move, if the observation right before it, or the move itself, is in progress. */
function imminentMove(effect: Effect, { state }: Simulation, movement: Movement, moment: Moment): Move | undefined {
  const operation = state.execution?.queue[0];
  if (!isMove(operation, movement)) return undefined;
  if (moment === 'applied') return effect.do === 'apply' ? operation : undefined;
  const isObservation =
    effect.do === 'observe' && state.activity.kind === 'observing' && state.activity.purpose === 'continue';
  return isObservation ? operation : undefined;
}

const moments = ['observed', 'applied'] as const;
type Moment = (typeof moments)[number];

/**
 * Whether an interface moves while networks are added and deleted, with a displaced route if one is required. Most do not, and running the loop
 * takes ten times as long as planning.
 */
function moves(situation: Situation, movement: Movement, adds: boolean): boolean {
  const movesOn = (from: Situation, node: NodeSnapshot) => {
    const { operations } = decide(engine, from, node);
    if (!operations.some((operation) => isMove(operation, movement))) return false;
    return adds || displacesRoute(converge(engine, '2 converges', from, node), movement);
  };
  if (movesOn(situation, situation.node)) return true;
  if (movement.name === 'enslave') return false;
  const { node } = converge(engine, '2 converges', situation, situation.node);
  // What is not a member is not released.
  if (entriesOf(node.ledger, 'membership').length === 0) return false;
  return movesOn({ ...situation, cluster: withoutNetworks(situation.cluster) }, node);
}

/** Whether the kernel drops a route when such an interface moves. */
function displacesRoute({ operations, states }: Convergence, movement: Movement): boolean {
  return operations.some(
    (operation, index) =>
      isMove(operation, movement) &&
      displacedBy(states[index]!, operation.entity.device).some((entity) => entity.kind === 'route'),
  );
}

/** The number of routes with the key of a route in any table. */
function countOfSimilar(entity: DisplacedEntity, { routes }: NodeSnapshot): number {
  if (entity.kind !== 'route') return 0;
  const keyOf = (route: typeof entity.route) => displacedKey({ kind: 'route', route: { ...route, table: 0 } });
  return routes.filter((route) => keyOf(route) === keyOf(entity.route)).length;
}

/** The interference of an administrator right before an interface moves. */
interface Interference {
  readonly movement: Movement;
  readonly moment: Moment;
  /** Whether an entity is added on the interface, or a route deleted. */
  readonly adds: boolean;
  /** Chooses the entity. */
  readonly which: number;
}

/** A loop in which an administrator has interfered, and all networks were deleted then; undefined if that was not possible. */
function interfered(situation: Situation, { movement, moment, adds, which }: Interference) {
  const simulation = new Simulation(situation);
  let changed: { readonly entity: DisplacedEntity; readonly device: string } | undefined;
  simulation.meanwhile = (effect) => {
    const move = imminentMove(effect, simulation, movement, moment);
    if (changed !== undefined || move === undefined) return;
    const { node } = simulation;
    const { device } = move.entity;
    const entities = adds
      ? entitiesOn(device, node)
      : displacedBy(node, device).filter(({ kind: entityKind }) => entityKind === 'route');
    const entity = entities[which % Math.max(1, entities.length)];
    if (entity === undefined || presenceIn(node)(entity) === adds) return;
    const change = adds
      ? displaceableKindOf(entity).displaced.restore(entity, node)
      : semanticsOf({ verb: 'remove', networks: [], entity }).effect({ verb: 'remove', networks: [], entity }, node);
    if (!change.done) return;
    simulation.node = change.node;
    changed = { entity, device };
  };
  simulation.change('cluster');
  simulation.pass(FAULTS);
  const left = leftToDoOn(simulation, situation);
  simulation.cluster = withoutNetworks(simulation.cluster);
  simulation.change('cluster');
  simulation.pass(RECOVERY);
  return changed && { simulation, ...changed, left };
}

/** The operations that remain to be done on a node. */
function leftToDoOn({ cluster, node }: Simulation, { settings }: Situation): readonly string[] {
  return diffNode(planNode(cluster, node, settings), node).map(operationKey);
}

/**
 * An administrator adds an entity on an interface, or deletes a route, right before it moves; then all networks are deleted.
 *
 * @returns whether that was possible
 */
function checkMeanwhile(situation: Situation, interference: Interference): boolean {
  const result = interfered(situation, interference);
  if (result === undefined) return false;
  const { adds } = interference;
  const { entity, simulation } = result;
  expect(presenceIn(simulation.node)(entity), `${displacedText(entity)} exists`).to.equal(adds);
  const max = Math.max(0, countOfSimilar(entity, situation.node) - 1);
  if (!adds)
    expect(countOfSimilar(entity, simulation.node), `${displacedText(entity)} in any table`).to.be.at.most(max);
  return true;
}

/**
 * An administrator adds an entity on a management port right before it moves; then all networks are deleted.
 *
 * @returns whether that was possible
 */
function checkOnManagementPort(situation: Situation, interference: Omit<Interference, 'adds'>): boolean {
  if (!moves(situation, interference.movement, true)) return false;
  const result = interfered(situation, { ...interference, adds: true });
  if (result === undefined) return false;
  const { entity, device, left, simulation } = result;
  expect(left, 'operations that are left while the networks are there').to.deep.equal([]);
  const { links, ledger } = simulation.node;
  expect(
    links.some(({ name }) => name === device),
    `${device} exists`,
  ).to.equal(false);
  expect(presenceIn(simulation.node)(entity), `${displacedText(entity)} exists`).to.equal(false);
  expect(ledger.entries.filter((entry) => deviceOfEntry(entry) === device)).to.deep.equal([]);
  return true;
}

function forEachNode<Result>(
  { cluster, nodes, settings }: Case,
  check: (situation: Situation) => Result,
): readonly Result[] {
  return nodes.map((node) => check({ cluster, node, settings }));
}

function parameters(runs: number) {
  return {
    endOnFailure: true,
    numRuns: caseCount(runs),
  };
}

/** @param least minimum shares of nodes with operations, and with refused ones */
function checkRuns(runs: number, generated: fc.Arbitrary<Faults>, least: Partial<Record<keyof Reached, number>>): void {
  const coverage = new Coverage();
  fc.assert(
    fc.property(cases, generated, (subject, fault) => {
      try {
        for (const reached of forEachNode(subject, (situation) => checkLoop(situation, fault))) coverage.count(reached);
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

  it('applies its plan and settles', () => {
    checkRuns(150, fc.constant({ refusals: [], events: [] }), { operations: 0.3 });
  });

  it('does not remove an entity that another program added right before the loop would', () => {
    fc.assert(
      fc.property(cases, fc.nat(), (subject, which) => {
        fc.pre(forEachNode(subject, (situation) => checkAnticipated(situation, which)).includes(true));
      }),
      parameters(100),
    );
  });

  for (const name of ['enslave', 'release'] as const) {
    for (const adds of [true, false]) {
      const what = adds
        ? 'keeps an entity that an administrator adds'
        : 'does not restore a route that an administrator deletes';
      it(`${what} right before ${name === 'enslave' ? 'enslaving' : 'releasing'} is observed, or is applied`, () => {
        fc.assert(
          fc.property(cases, fc.nat(), (subject, which) => {
            const movement = { name, isOwn: false };
            // Most do not have such an interface, and the moments have it at the same time.
            const moving = forEachNode(subject, (situation) =>
              moves(situation, movement, adds) ? [situation] : [],
            ).flat();
            for (const moment of moments) {
              const interference = { movement, moment, adds, which };
              fc.pre(moving.map((situation) => checkMeanwhile(situation, interference)).includes(true));
            }
          }),
          parameters(50),
        );
      });
    }
  }

  it('deletes a management port with what an administrator adds on it right before it moves', () => {
    const interferences = fc.record({
      movement: fc.record({ name: fc.constantFrom('enslave', 'release'), isOwn: fc.constant(true) }),
      // It is not observed once more before: nothing is displaced from it.
      moment: fc.constant('applied' as const),
      which: fc.nat(),
    });
    const provided = cases.filter(({ settings }) => settings.providedNetworks !== 'none');
    fc.assert(
      fc.property(provided, interferences, (subject, interference) => {
        const reached = forEachNode(subject, (situation) => checkOnManagementPort(situation, interference));
        fc.pre(reached.includes(true));
      }),
      parameters(12),
    );
  });

  it('applies its plan despite refused operations, reported changes, failed observations and restarts', () => {
    checkRuns(300, faults, { operations: 0.3, refusals: 0.2 });
  });
});
