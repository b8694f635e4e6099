/**
 * Measures how long the agent takes after a restart of ovs-vswitchd, with the loop of a node and a real Open vSwitch (dummy datapath): from the moment at
 * which the first bridge is back until nothing is left to do. Networks of the default routing domain are on one bridge, with IPv4 and IPv6.
 */
import { NodeLoop } from '../src/control/node/node-loop.ts';
import { type ClusterSnapshot, defaultSettings, diffNode, type NodeSnapshot, planNode } from '../src/domain/index.ts';
import { FLOW_COOKIE } from '../src/domain/basics/conventions.ts';
import { foreseen } from '../src/domain/diff/foresee.ts';
import type { FlowTables } from '../src/ports/node/flow-tables.ts';
import type { NodeReport } from '../src/ports/node/node-report.ts';
import { dualStack } from './dual-stack.ts';
import { median, report } from './figure.ts';
import { populatedNode } from './populated-node.ts';
import { type SwitchedNode, switchedNode } from './switched-node.ts';

const numberOfRuns = 5;

const [further = 0] = process.argv.slice(2).map(Number);

const changes = (cluster: ClusterSnapshot, node: NodeSnapshot) =>
  diffNode(planNode(cluster, node, defaultSettings), node);

function converged(cluster: ClusterSnapshot, node: NodeSnapshot): NodeSnapshot {
  const operations = changes(cluster, node);
  return operations.length === 0 ? node : converged(cluster, foreseen(operations, node));
}

/** Milliseconds by step. */
type Times = Map<string, number>;

/** Follows a loop that is run. */
class Watched {
  readonly #flowTables: FlowTables;
  #times: Times = new Map();
  #settled = Promise.withResolvers<unknown>();
  #gone = Promise.withResolvers<unknown>();
  /** When a change was reported last. */
  #changed = 0;
  /** When the change was reported after which a bridge was back; absent before. */
  #back: number | undefined;
  readonly #bridges: number;

  constructor(flowTables: FlowTables, bridges: number) {
    this.#flowTables = flowTables;
    this.#bridges = bridges;
  }

  /** Flow tables whose readings and changes are timed. */
  get flowTables(): FlowTables {
    const tables = this.#flowTables;
    return {
      read: async (switches) => {
        const changed = this.#changed;
        const reading = await this.#timed('reading', () => tables.read(switches));
        const { bridgesWithoutSwitch = [] } = reading.read ? reading.value : {};
        if (bridgesWithoutSwitch.length === this.#bridges) this.#gone.resolve(bridgesWithoutSwitch);
        else this.#back ??= changed;
        return reading;
      },
      apply: (operation, bridges) => {
        const kind = operation.verb === 'change' ? operation.kind : operation.entity.kind;
        return this.#timed(`changes of kind ${kind}`, () => tables.apply(operation, bridges));
      },
      onChange: (listener) =>
        tables.onChange(() => {
          this.#changed = performance.now();
          listener();
        }),
      close: () => tables.close(),
    };
  }

  readonly report = (event: NodeReport): void => {
    if (event.kind === 'plan-duration') this.#add('planning', event.milliseconds);
    if (event.kind === 'failed' || event.kind === 'unreadable') this.#settled.reject(new Error(JSON.stringify(event)));
    if (event.kind === 'settled' && event.milliseconds !== undefined) this.#settled.resolve(event);
  };

  get settled(): Promise<unknown> {
    return this.#settled.promise;
  }

  /** Restarts ovs-vswitchd. @returns the times since a bridge is back */
  async restart({ openVSwitch }: SwitchedNode): Promise<Times> {
    this.#settled = Promise.withResolvers();
    this.#gone = Promise.withResolvers();
    await openVSwitch.killSwitch();
    await this.#gone.promise;
    this.#back = undefined;
    this.#times = new Map();
    await openVSwitch.startSwitch();
    await this.#settled.promise;
    this.#add('all', this.#sinceBack());
    return this.#times;
  }

  #sinceBack(): number {
    return performance.now() - (this.#back ?? Number.NaN);
  }

  async #timed<Result>(step: string, run: () => Promise<Result>): Promise<Result> {
    const start = performance.now();
    const result = await run();
    this.#add(step, performance.now() - start);
    return result;
  }

  #add(step: string, value: number): void {
    this.#times.set(step, (this.#times.get(step) ?? 0) + value);
  }
}

async function measure(cluster: ClusterSnapshot, node: SwitchedNode, bridges: number): Promise<readonly Times[]> {
  const { datapath } = node.ports;
  if (datapath === undefined) throw new Error('there are no flow tables');
  const watched = new Watched(datapath.flowTables, bridges);
  const ports = { ...node.ports, datapath: { ...datapath, flowTables: watched.flowTables } };
  const loop = new NodeLoop('worker-a', ports, { settings: defaultSettings, once: false }, watched.report);
  const finished = loop.run();
  const runs: Times[] = [];
  try {
    await watched.settled;
    for (let run = 0; run < numberOfRuns; run += 1) runs.push(await watched.restart(node));
  } finally {
    loop.stop();
    await finished;
  }
  const left = changes(cluster, await node.observeAnew());
  if (left.length > 0) throw new Error(`expected nothing to do after a restart, found ${left.length} operations`);
  return runs;
}

const { cluster, node } = dualStack(await populatedNode(further));
const done = converged(cluster, node);
const flows = done.flows.filter(({ cookie }) => cookie === FLOW_COOKIE);
const bridges = [...new Set(flows.map(({ bridge }) => bridge))];
const switched = await switchedNode(cluster, done, bridges);
try {
  const runs = await measure(cluster, switched, bridges.length);
  const size = { networks: 2 + further, flows: flows.length };
  for (const step of new Set(runs.flatMap((run) => [...run.keys()]))) {
    const value = median(runs.map((run) => run.get(step) ?? 0));
    report({
      name: `restart of ovs-vswitchd, ${step}, median of ${numberOfRuns}`,
      size,
      value,
      unit: 'ms',
    });
  }
} finally {
  await switched.close();
}
