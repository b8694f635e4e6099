/** A plan of a node that is made after others is the same as one that is made from nothing, and so are its operations. */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  type ClusterSnapshot,
  diffNode,
  type NodePlan,
  type NodeSettings,
  type NodeSnapshot,
  type Operation,
  planNode,
} from '../../src/domain/index.ts';
import { disturbed } from '../../src/testing/disturbance.ts';
import { frozen } from '../../src/testing/frozen.ts';
import { NodeModel } from '../../src/testing/node-model.ts';
import { stories, type Story } from '../../src/testing/index.ts';
import { chooser } from '../../src/testing/shuffle.ts';
import { caseCount } from '../case-count.ts';

/** A cluster and a node, as they are observed together. */
interface Observed {
  readonly cluster: ClusterSnapshot;
  readonly node: NodeSnapshot;
}

interface Planned {
  readonly plan: NodePlan;
  readonly operations: readonly Operation[];
}

/** Plans what was observed, one after the other. */
type Planner = (observed: Observed, settings: NodeSettings) => Planned;

const planned: Planner = ({ cluster, node }, settings) => {
  const plan = planNode(cluster, node, settings);
  return { plan, operations: diffNode(plan, node) };
};

/** Nothing is known of such a cluster and node, nor of such settings. */
const fromNothing: Planner = (observed, settings) => planned(structuredClone(observed), { ...settings });

/** Number of operations of a step after each of which there is another plan. */
const MOST_SINGLE = 5;

/** Number of times that a list of the node is read again after each step. */
const READ_AGAIN = 4;

const lists = ['links', 'links', 'routes', 'rules', 'neighbours', 'bridges', 'flows', 'northbound'] as const;

/** The node with one list read again: in another order, with one item that is equal and another object, or without one, with the last one in its place. */
function readAgain(node: NodeSnapshot, choose: (count: number) => number): NodeSnapshot {
  const part = lists[choose(lists.length)] ?? 'links';
  const items: readonly object[] = node[part];
  const [at, last] = [choose(Math.max(1, items.length)), items.length - 1];
  const changed = [
    items.toReversed(),
    items.map((item, index) => (index === at ? { ...item } : item)),
    items.flatMap((item, index) => (index === last ? [] : [index === at ? (items[last] ?? item) : item])),
  ][choose(3)];
  return { ...node, [part]: changed };
}

/** Everything that is observed in a story, with what is shared between two observations as an agent shares it. */
function observationsOf({ node: first, steps, settings }: Story, seed: number): readonly Observed[] {
  const choose = chooser(seed);
  const all: Observed[] = [];
  let node = first;
  const observe = (cluster: ClusterSnapshot, found: NodeSnapshot): readonly Operation[] => {
    node = found;
    all.push({ cluster: frozen(cluster), node: frozen(node) });
    return planned({ cluster, node }, { ...settings }).operations;
  };
  for (const step of steps) {
    const { cluster } = step;
    let operations = observe(cluster, disturbed(node, step));
    for (let count = 0; count < MOST_SINGLE && operations.length > 0; count += 1) {
      const model = new NodeModel(node);
      for (const operation of operations.slice(0, 1)) model.apply(operation);
      operations = observe(cluster, model.snapshot);
    }
    const model = new NodeModel(node);
    for (const operation of operations) model.apply(operation);
    observe(cluster, model.snapshot);
    const done = model.snapshot;
    for (let count = 0; count < READ_AGAIN; count += 1) observe(cluster, readAgain(done, choose));
    observe({ ...cluster, nodes: cluster.nodes.map((each) => ({ ...each })) }, { ...done });
    node = done;
  }
  return all;
}

/** Checks the plans of a story. All are made before the first one from nothing, which would change what is cached. */
function check(planner: Planner, story: Story, seed: number): void {
  const observations = observationsOf(story, seed);
  const settings = { ...story.settings };
  const made = observations.map((observed) => planner(observed, settings));
  for (const [index, observed] of observations.entries())
    expect(made[index]).to.deep.equal(fromNothing(observed, settings));
}

/** A planner that is told of the changes of one part of a node a plan too late. */
function late(part: keyof NodeSnapshot): Planner {
  let former: NodeSnapshot | undefined;
  return ({ cluster, node }, settings) => {
    const known: NodeSnapshot = { ...node, ...(former && { [part]: former[part] }) };
    former = node;
    return planned({ cluster, node: known }, settings);
  };
}

const seeds = fc.nat();

describe('a plan of a node after any sequence of changes is the one made from nothing, with the same operations', function () {
  this.timeout(0);

  it('in stories', () => {
    fc.assert(
      fc.property(stories, seeds, (story, seed) => {
        check(planned, story, seed);
      }),
      { numRuns: caseCount(60) },
    );
  });

  for (const part of ['links', 'routes', 'rules', 'ledger', 'bridges', 'switchExternalIds', 'sysctls'] as const) {
    it(`which finds that ${part} are known a plan too late`, () => {
      const { failed } = fc.check(
        fc.property(stories, seeds, (story, seed) => {
          check(late(part), story, seed);
        }),
        { numRuns: caseCount(60), endOnFailure: true },
      );
      expect(failed).to.be.true;
    });
  }
});
