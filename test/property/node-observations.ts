/** Sequences of what an agent observes of its cluster and its node: what has not changed is the same object. */
import fc from 'fast-check';
import { foreseen } from '../../src/domain/diff/foresee.ts';
import {
  type ClusterSnapshot,
  diffNode,
  type NodePlan,
  type NodeSettings,
  type NodeSnapshot,
  nodeStatus,
  type Operation,
  planNode,
  type UplinkStateObject,
} from '../../src/domain/index.ts';
import { disturbed } from '../../src/testing/disturbance.ts';
import { frozen } from '../../src/testing/frozen.ts';
import { type Case, completeNode, type Story } from '../../src/testing/index.ts';
import { NodeModel } from '../../src/testing/node-model.ts';
import { type Choose, chooser } from '../../src/testing/shuffle.ts';
import { changedCluster, type ClusterChange } from './cluster-changes.ts';
import { numberedCluster } from './numbered-cluster.ts';

/** A cluster and a node, as they are observed together. */
export interface Observed {
  readonly cluster: ClusterSnapshot;
  readonly node: NodeSnapshot;
}

/** Everything that follows from an observation. */
export interface Planned {
  readonly plan: NodePlan;
  readonly operations: readonly Operation[];
  readonly states: readonly UplinkStateObject[];
}

/** Plans what was observed, one after the other. */
export type Planner = (observed: Observed, settings: NodeSettings) => Planned;

export const planned: Planner = ({ cluster, node: found }, settings) => {
  const plan = planNode(cluster, found, settings);
  return { plan, operations: diffNode(plan, found), states: nodeStatus(plan) };
};

/** Number of operations of a step after each of which there is another plan. */
const MOST_SINGLE = 5;

/** Number of times that a list of the node is read again after each step. */
const READ_AGAIN = 4;

const listsOfNode = ['links', 'links', 'routes', 'rules', 'neighbours', 'bridges', 'flows', 'northbound'] as const;

/** The node with one list read again: in another order, with one item that is equal and another object, or without one, with the last one in its place. */
function readAgain(found: NodeSnapshot, choose: Choose): NodeSnapshot {
  const part = listsOfNode[choose(listsOfNode.length)] ?? 'links';
  const items: readonly object[] = found[part];
  const [at, last] = [choose(Math.max(1, items.length)), items.length - 1];
  const changed = [
    items.toReversed(),
    items.map((item, index) => (index === at ? { ...item } : item)),
    items.flatMap((item, index) => (index === last ? [] : [index === at ? (items[last] ?? item) : item])),
  ][choose(3)];
  return { ...found, [part]: changed };
}

/** Observes a node while it is programmed and changed. */
class Observer {
  readonly all: Observed[] = [];
  readonly #settings: NodeSettings;
  readonly #choose: Choose;
  #found: NodeSnapshot;

  constructor(found: NodeSnapshot, settings: NodeSettings, seed: number) {
    this.#found = found;
    this.#settings = settings;
    this.#choose = chooser(seed);
  }

  #observe(cluster: ClusterSnapshot, found: NodeSnapshot): readonly Operation[] {
    const observed = { cluster: frozen(cluster), node: frozen(found) };
    this.all.push(observed);
    return planned(observed, { ...this.#settings }).operations;
  }

  /** Observes the node after some single operations, when all is done, and then with lists that are read again. What is the same is shared. */
  converge(cluster: ClusterSnapshot, disturb = (found: NodeSnapshot): NodeSnapshot => found): void {
    let found = disturb(this.#found);
    let operations = this.#observe(cluster, found);
    for (let count = 0; count < MOST_SINGLE && operations.length > 0; count += 1) {
      found = applied(found, operations.slice(0, 1));
      operations = this.#observe(cluster, found);
    }
    this.#found = applied(found, operations);
    this.#observe(cluster, this.#found);
    for (let count = 0; count < READ_AGAIN; count += 1) this.#observe(cluster, readAgain(this.#found, this.#choose));
    this.#observe({ ...cluster, nodes: cluster.nodes.map((each) => ({ ...each })) }, { ...this.#found });
  }
}

function applied(found: NodeSnapshot, operations: readonly Operation[]): NodeSnapshot {
  const model = new NodeModel(found);
  for (const operation of operations) model.apply(operation);
  return model.snapshot;
}

/** Everything that is observed in a story. */
export function observedIn({ node: first, steps, settings }: Story, seed: number): readonly Observed[] {
  const observer = new Observer(first, settings, seed);
  for (const step of steps) observer.converge(step.cluster, (found) => disturbed(found, step));
  return observer.all;
}

/** Everything that is observed on a node of a cluster that changes one object at a time. */
export function observedWhile(
  history: readonly (readonly ClusterChange[])[],
  settings: NodeSettings,
  seed: number,
): readonly Observed[] {
  const found = completeNode({
    nodeName: 'a',
    isNorthboundRead: true,
    bridges: [{ name: 'br-int' }],
    switchExternalIds: { 'ovn-is-interconn': 'true' },
    // A warning names what it leads elsewhere.
    rules: [{ family: 4, priority: 500, table: 1234, others: {} }],
  });
  const observer = new Observer(found, settings, seed);
  let cluster = numberedCluster;
  observer.converge(cluster);
  for (const changes of history) {
    cluster = changes.reduce((all, change) => changedCluster(all, change, settings), cluster);
    observer.converge(cluster);
  }
  return observer.all;
}

const parts = [
  'links',
  'routes',
  'rules',
  'neighbours',
  'bridges',
  'flows',
  'fdbEntries',
  'noFloodPorts',
  'northbound',
] as const satisfies readonly (keyof NodeSnapshot)[];

const listsOfCluster = [
  'uplinks',
  'clusterUserDefinedNetworks',
  'networkAttachmentDefinitions',
  'routeAdvertisements',
] as const satisfies readonly (keyof ClusterSnapshot)[];

/** A change of what is observed. Numbers choose among items. */
export type ReadingStep =
  /** Some of the planned operations, or all, are applied. */
  | { readonly do: 'apply'; readonly which: number }
  /** A part is read again: without an item, with one that is equal, or as it was at first. */
  | {
      readonly do: 'lose' | 'copy' | 'restore';
      readonly part: (typeof parts)[number] | (typeof listsOfCluster)[number];
      readonly which: number;
    };

export const readingSteps: fc.Arbitrary<readonly ReadingStep[]> = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('apply' as const), which: fc.nat() }),
    fc.record({
      do: fc.constantFrom('lose' as const, 'copy' as const, 'restore' as const),
      part: fc.constantFrom(...parts, ...listsOfCluster),
      which: fc.nat(),
    }),
  ),
  { minLength: 2, maxLength: 8 },
);

function changedItems(items: readonly object[], how: 'lose' | 'copy', which: number): readonly object[] {
  const at = which % Math.max(1, items.length);
  return items.flatMap((item, index) => {
    if (index !== at) return [item];
    return how === 'lose' ? [] : [structuredClone(item)];
  });
}

function after(step: ReadingStep, present: Observed, first: Observed, settings: NodeSettings): Observed {
  if (step.do === 'apply') {
    const { operations } = planned(present, settings);
    const some = step.which % 2 === 0 ? operations : operations.slice(0, step.which % (operations.length + 1));
    return { ...present, node: foreseen(some, present.node) };
  }
  const of = listsOfCluster.some((list) => list === step.part) ? 'cluster' : 'node';
  const items = (observed: Observed) =>
    (observed[of] as unknown as Readonly<Record<string, readonly object[]>>)[step.part] ?? [];
  const changed = step.do === 'restore' ? items(first) : changedItems(items(present), step.do, step.which);
  return { ...present, [of]: { ...present[of], [step.part]: changed } };
}

/** Everything that is observed on the first node of a case. */
export function observedAfter(
  { cluster, nodes: [found], settings }: Case,
  changes: readonly ReadingStep[],
): readonly Observed[] {
  if (found === undefined) return [];
  const first: Observed = { cluster, node: found };
  const all = [first];
  for (const step of changes) all.push(after(step, all.at(-1) ?? first, first, settings));
  return all;
}
