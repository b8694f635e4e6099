/** A plan of a node that is made after others is the same as one that is made from nothing, and so are its operations. */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  type ClusterSnapshot,
  defaultSettings,
  diffNode,
  emptyCluster,
  type NodePlan,
  type NodeSettings,
  type NodeSnapshot,
  type Operation,
  planNode,
} from '../../src/domain/index.ts';
import { disturbed } from '../../src/testing/disturbance.ts';
import { frozen } from '../../src/testing/frozen.ts';
import { NodeModel } from '../../src/testing/node-model.ts';
import { completeNode, stories, type Story } from '../../src/testing/index.ts';
import { type Choose, chooser } from '../../src/testing/shuffle.ts';
import {
  CHASSIS_ID_ANNOTATION,
  ENCAPSULATION_IPS_ANNOTATION,
  ID_CLAIMS_NAME,
  NODE_REPORT_ANNOTATION,
  PRIMARY_NETWORK_LABEL,
} from '../../src/domain/basics/conventions.ts';
import { nodeReportName, reportData } from '../../src/domain/network/allocation/node-report.ts';
import { caseCount } from '../case-count.ts';
import { labelled, namespace, network, node, pod } from '../unit/domain/brief-objects.ts';
import { changedCluster, type ClusterChange, clusterHistories } from './cluster-changes.ts';

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
function readAgain(node: NodeSnapshot, choose: Choose): NodeSnapshot {
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

/** Observes a node while it is programmed and changed. */
class Observer {
  readonly all: Observed[] = [];
  readonly #settings: NodeSettings;
  readonly #choose: Choose;
  #node: NodeSnapshot;

  constructor(node: NodeSnapshot, settings: NodeSettings, seed: number) {
    this.#node = node;
    this.#settings = settings;
    this.#choose = chooser(seed);
  }

  #observe(cluster: ClusterSnapshot, node: NodeSnapshot): readonly Operation[] {
    this.all.push({ cluster: frozen(cluster), node: frozen(node) });
    return planned({ cluster, node }, { ...this.#settings }).operations;
  }

  /** Observes the node after some single operations, when all is done, and then with lists that are read again. What is the same is shared. */
  converge(cluster: ClusterSnapshot, disturb = (node: NodeSnapshot): NodeSnapshot => node): void {
    let node = disturb(this.#node);
    let operations = this.#observe(cluster, node);
    for (let count = 0; count < MOST_SINGLE && operations.length > 0; count += 1) {
      node = applied(node, operations.slice(0, 1));
      operations = this.#observe(cluster, node);
    }
    this.#node = applied(node, operations);
    this.#observe(cluster, this.#node);
    for (let count = 0; count < READ_AGAIN; count += 1) this.#observe(cluster, readAgain(this.#node, this.#choose));
    this.#observe({ ...cluster, nodes: cluster.nodes.map((each) => ({ ...each })) }, { ...this.#node });
  }
}

function applied(node: NodeSnapshot, operations: readonly Operation[]): NodeSnapshot {
  const model = new NodeModel(node);
  for (const operation of operations) model.apply(operation);
  return model.snapshot;
}

/** Everything that is observed in a story. */
function observedIn({ node, steps, settings }: Story, seed: number): readonly Observed[] {
  const observer = new Observer(node, settings, seed);
  for (const step of steps) observer.converge(step.cluster, (found) => disturbed(found, step));
  return observer.all;
}

const configMap = (name: string, data: Readonly<Record<string, string>>) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: defaultSettings.namespace, name },
  data,
});

/** A cluster of three nodes that know each other, with a network that has an id, and names for others that have one. */
const numbered: ClusterSnapshot = {
  ...emptyCluster,
  nodes: ['a', 'b', 'c'].map((name, index) =>
    node(name, {
      uid: `uid-${name}`,
      annotations: {
        [NODE_REPORT_ANNOTATION]: nodeReportName(name),
        [CHASSIS_ID_ANNOTATION]: `chassis-${name}`,
        [ENCAPSULATION_IPS_ANNOTATION]: JSON.stringify([`172.16.1.${String(index)}`]),
      },
    }),
  ),
  clusterUserDefinedNetworks: [
    network('blue', {
      namespaceSelector: labelled('tenant', 'blue'),
      network: { layer3: { role: 'Primary', subnets: [{ cidr: '10.30.0.0/16' }] } },
      metadata: { uid: 'uid-blue' },
    }),
  ],
  namespaces: [namespace('blue', { tenant: 'blue', [PRIMARY_NETWORK_LABEL]: '' })],
  pods: [pod('first', 'blue', 'a'), pod('second', 'blue', 'b')],
  configMaps: [
    configMap(nodeReportName('a'), reportData({ name: 'a', uid: 'uid-a' }, [1, 2, 3, 4], [])),
    configMap(
      ID_CLAIMS_NAME,
      Object.fromEntries<string>([
        ...['blue', 'green', 'red', 'white'].map(
          (name, index) => [`network-${String(index + 1)}`, `cluster_udn_${name} uid-${name}`] as const,
        ),
        ...['a', 'b', 'c', 'd', 'e'].map(
          (name, index) => [`node-${String(index + 2)}`, `${name} uid-${name}`] as const,
        ),
      ]),
    ),
  ],
};

/** Everything that is observed on a node of a cluster that changes one object at a time. */
function observedWhile(
  history: readonly (readonly ClusterChange[])[],
  settings: NodeSettings,
  seed: number,
): readonly Observed[] {
  const found = completeNode({
    nodeName: 'a',
    isNorthboundRead: true,
    bridges: [{ name: 'br-int' }],
    switchExternalIds: { 'ovn-is-interconn': 'true' },
  });
  const observer = new Observer(found, settings, seed);
  let cluster = numbered;
  observer.converge(cluster);
  for (const changes of history) {
    cluster = changes.reduce((all, change) => changedCluster(all, change, settings), cluster);
    observer.converge(cluster);
  }
  return observer.all;
}

/**
 * Checks plans that are made one after the other. All are made before the first one from nothing, which would change what is cached; and those from the last
 * to the first one, so that what a plan takes over from the one before would be something else.
 */
function check(planner: Planner, observations: readonly Observed[], { ...settings }: NodeSettings): void {
  const made = observations.map((observed) => ({ observed, plan: planner(observed, settings) }));
  for (const { observed, plan } of made.toReversed()) expect(plan).to.deep.equal(fromNothing(observed, settings));
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
        check(planned, observedIn(story, seed), story.settings);
      }),
      { numRuns: caseCount(60) },
    );
  });

  for (const dynamicNetworks of [false, true]) {
    it(`where a cluster with ${dynamicNetworks ? 'dynamic' : 'static'} networks that are provided changes one object at a time`, () => {
      const settings: NodeSettings = { ...defaultSettings, providedNetworks: 'all', dynamicNetworks };
      let [all, programmed] = [0, 0];
      fc.assert(
        fc.property(clusterHistories, seeds, (history, seed) => {
          const observations = observedWhile(history.slice(1), settings, seed);
          check(planned, observations, settings);
          programmed += observations.filter(({ node: { northbound } }) => northbound.length > 0).length;
          all += observations.length;
        }),
        { numRuns: caseCount(20) },
      );
      expect(programmed / all).to.be.greaterThan(0.5);
    });
  }

  for (const part of ['links', 'routes', 'rules', 'ledger', 'bridges', 'switchExternalIds', 'sysctls'] as const) {
    it(`which finds that ${part} are known a plan too late`, () => {
      const { failed } = fc.check(
        fc.property(stories, seeds, (story, seed) => {
          check(late(part), observedIn(story, seed), story.settings);
        }),
        { numRuns: caseCount(60), endOnFailure: true },
      );
      expect(failed).to.be.true;
    });
  }
});
