/**
 * `npm run lab:networks [COUNT] [MEASUREMENT...]`: measures 250 networks on one bridge, or as many as is said, with packets, on a node of the lab with
 * Open vSwitch and OVN. Takes a quarter of an hour and 2 GiB with all measurements, which is the default: neighbours, gateway, broadcasts, addition, repair,
 * restart. Prints the figures as one JSON document; times are milliseconds. Exits with status 1 if pods are not answered, or if a figure misses its goal
 * (goals.ts).
 */
import { resolve } from 'node:path';
import { NodeAgent, readyNetwork } from '../agent/node-agent.ts';
import { metricsOf } from '../agent/scale.ts';
import { Machine } from '../machine.ts';
import type { ArgumentVector, LabNode } from '../node.ts';
import { processorTime } from './daemons.ts';
import { type Figures, goalTable, missedGoals } from './goals.ts';
import {
  ask,
  type Asking,
  broadcasts,
  costRatio,
  linkNeighbours,
  manyTenants,
  nodeOfMany,
  provider,
  sharedUplink,
  silence,
  slowest,
} from './many-networks.ts';
import { outageOfBridge } from './outage.ts';
import { NORTHBOUND } from './packet-node.ts';
import { bridgeOf, clusterWith, common, type Tenant } from './tenant.ts';

const [count = '250', ...selected] = process.argv.slice(2);
const COUNT = Number(count);

/** Networks to compare with: what their broadcasts cost. */
const FEW = 5;

const MEMORY = 2048;
const MINUTE = 60_000;
const bridge = bridgeOf(sharedUplink);
const inside = (program: string, ...words: readonly string[]): ArgumentVector => [
  resolve(import.meta.dirname, '../inside', program),
  ...words,
];

function report(what: string, value: unknown): void {
  process.stderr.write(`${what}: ${JSON.stringify(value)}\n`);
}

/** Runs an agent for some networks of a node until all are ready. */
async function agentFor(node: LabNode, tenants: readonly Tenant[]): Promise<NodeAgent> {
  const agent = await NodeAgent.start(node, { northbound: NORTHBOUND, form: 'built' });
  for (const { name } of tenants) await agent.until([], 'uplink-0', readyNetwork(name), 20 * MINUTE);
  return agent;
}

/** Seconds in which all pods have to be answered, far more than it takes: on a busy machine it took 90 for a neighbour. */
const DEADLINE = 300;

/** How many of the pods ask, and are answered when: half of them, and the last one; and who used the processor meanwhile. */
async function answersTo(node: LabNode, asking: Omit<Asking, 'pods' | 'deadline'>) {
  const { result, seconds } = await processorTime(node, () =>
    ask(node, { pods: COUNT, deadline: DEADLINE, ...asking }),
  );
  const { requests, unanswered, elsewhere } = result;
  if (unanswered.length > 0 || elsewhere > 0) process.exitCode = 1;
  const sorted = Object.values(result.milliseconds).toSorted((left, right) => left - right);
  const half = sorted[Math.floor(sorted.length / 2)];
  return { half, slowest: slowest(result), requests, unanswered: unanswered.length, elsewhere, seconds };
}

/** Milliseconds of the operations of one name that the agent has applied since, by its log. */
function durationsOf(log: string, operation: string): readonly number[] {
  return log
    .split('\n')
    .filter((line) => line.includes(`"operation":"${operation}"`))
    .map((line) => (JSON.parse(line) as { readonly milliseconds: number }).milliseconds);
}

/** Milliseconds of the plans that the agent has computed since, by its log. */
function plansIn(log: string): readonly number[] {
  return log
    .split('\n')
    .filter((line) => line.includes('"msg":"plan computed"'))
    .map((line) => (JSON.parse(line) as { readonly milliseconds: number }).milliseconds);
}

/** Milliseconds until a flow of ours that another program deletes is there again. */
async function deletedFlow(node: LabNode, agent: NodeAgent): Promise<number> {
  const repaired = 'repaired: [^\\n]*flow';
  const before = [...(await agent.log()).matchAll(new RegExp(repaired, 'g'))].length;
  const vector = ['ovs-ofctl', '-O', 'OpenFlow14', '--no-names'];
  const dump = await node.does([...vector, '--no-stats', 'dump-flows', bridge, 'table=0']);
  const [, flow] = / (priority=111,\S+) actions=/.exec(dump) ?? [];
  if (flow === undefined) throw new Error(`there are no flows for fragments on ${bridge}:\n${dump}`);
  const deletion = [...vector, '--strict', 'del-flows', bridge, `table=0,${flow}`];
  return await agent.untilLogged(`(?:${repaired}.*?){${before + 1}}`, [deletion], MINUTE);
}

async function onNode<Figures>(
  tenants: readonly Tenant[],
  measure: (node: LabNode) => Promise<Figures>,
): Promise<Figures> {
  const machine = await Machine.start({ memory: MEMORY });
  try {
    return await measure(await nodeOfMany(tenants, () => Promise.resolve(machine)));
  } finally {
    await machine.stop();
  }
}

/** Seconds of broadcasts. */
const FLOOD = 10;

/** The node and agent that are measured, with the networks that are ready, and one more. */
interface Measured {
  readonly node: LabNode;
  readonly agent: NodeAgent;
  readonly all: readonly Tenant[];
}

type Note = (what: string, value: unknown) => void;

/** Notes a figure that has a goal. */
type Compare = (figures: Figures) => void;

/** The measurements, in order: one may change the node for the next ones. */
const measurements: Readonly<Record<string, (measured: Measured, note: Note, compare: Compare) => Promise<void>>> = {
  async neighbours({ node }, note, compare) {
    const answersOf = async (to: string) => {
      const answers = await answersTo(node, { to, interval: 1 });
      note(`first answers of ${to}`, answers);
      return answers;
    };
    const gateways = [await answersOf(common.outside[0]), await answersOf(common.outside[1])];
    compare({ gatewayRequests: Math.max(...gateways.map(({ requests }) => requests)) / COUNT });
    compare({ neighbour4: (await answersOf(linkNeighbours[0])).slowest });
    compare({ neighbour6: (await answersOf(linkNeighbours[1])).slowest });
  },

  async gateway({ node }, note, compare) {
    const changes: number[] = [];
    for (const [family, to] of common.outside.entries()) {
      const run = provider('link', 'set', 'eth0', 'address', `02:00:00:00:77:0${family}`);
      const answers = await answersTo(node, { to, interval: 0.25, run });
      note(`answers of ${to} after the gateway has got another MAC address`, answers);
      changes.push(answers.slowest);
    }
    compare({ gatewayChange: Math.max(...changes) });
    await silence(node);
    await node.does(
      provider('link', 'set', 'eth0', 'address', '02:00:00:00:77:09'),
      provider('link', 'set', 'eth0', 'up'),
    );
    const returned = await Promise.all(common.outside.map((to) => answersTo(node, { to, interval: 0.25 })));
    note('the same after the kernel had given it up, in each family', returned);
    compare({ gatewayReturn: Math.max(...returned.map((answers) => answers.slowest)) });
  },

  async broadcasts({ node }, note, compare) {
    const few = await onNode(manyTenants(FEW), async (other) => {
      await agentFor(other, manyTenants(FEW));
      return await broadcasts(other, FLOOD);
    });
    note(`10,000 broadcasts with ${FEW} networks`, few);
    const flood = await broadcasts(node, FLOOD);
    const ratio = costRatio(flood, few);
    note('10,000 broadcasts', { ...flood, ratio: Number(ratio.toFixed(2)) });
    compare({ broadcasts: ratio });
  },

  /** The agent's time for one network more, beside its time to replace all flows of the bridge. */
  async addition({ node, agent, all }, note, compare) {
    const before = (await agent.log()).length;
    const added = all.at(-1)!;
    const begin = performance.now();
    await NodeAgent.save(node, clusterWith(all));
    await agent.until([], 'uplink-0', readyNetwork(added.name), 5 * MINUTE);
    const ready = Math.round(performance.now() - begin);
    const log = (await agent.log()).slice(before);
    const script = `ovs-ofctl -O OpenFlow14 --no-names --no-stats dump-flows ${bridge} | sed '/NXST\\|OFPST/d' > /run/all-flows && time -p ovs-ofctl -O OpenFlow14 --bundle replace-flows ${bridge} /run/all-flows`;
    const { stderr } = await node.run(['/bin/bash', '-c', script], { deadline: 2 * MINUTE });
    const parts = {
      generate: plansIn(log),
      flows: durationsOf(log, 'change-flows'),
      rows: durationsOf(log, 'change-northbound'),
      confirm: durationsOf(log, 'change-router-ports'),
    };
    const allFlowsReplaced = Number(/real (\S+)/.exec(stderr)?.[1]) * 1000;
    note('one network more', { ready, ...parts, allFlowsReplaced });
    const milliseconds = Object.values(parts).flat();
    compare({ addition: milliseconds.reduce((sum, each) => sum + each, 0) / allFlowsReplaced });
  },

  async repair({ node, agent }, note, compare) {
    const restored = Math.round(await deletedFlow(node, agent));
    note('a deleted flow is restored', restored);
    compare({ deletedFlow: restored });
  },

  /** Of ovs-vswitchd: Open vSwitch has no flow then, neither ours nor those of ovn-controller, which are many more. */
  async restart({ node }, note, compare) {
    const begin = performance.now();
    const ours = await outageOfBridge(node, [inside('restart.py', 'ovs-vswitchd')], bridge);
    const { flows, ports, entries } = ours;
    note('flows, settings of ports and static FDB entries are back after a restart of ovs-vswitchd', {
      flows,
      ports,
      entries,
    });
    // Where none was missing, nothing was measured.
    compare({ restartedFlows: flows || NaN, restartedPorts: ports || NaN });
    const { result, seconds } = await processorTime(node, () =>
      // Confirmed once all of its flows are in the switch (ovn-nbctl(8), sync).
      node.run(['ovn-nbctl', '--wait=hv', 'sync'], { deadline: 10 * MINUTE }),
    );
    if (result.exitCode !== 0) throw new Error(`ovn-controller is not done: ${result.stderr}`);
    const integration = await node.does(['ovs-ofctl', '-O', 'OpenFlow14', 'dump-aggregate', 'br-int']);
    note('flows of ovn-controller are back', {
      milliseconds: Math.round(performance.now() - begin),
      flows: Number(/flow_count=(\d+)/.exec(integration)?.[1]),
      seconds,
    });
    for (const to of common.outside)
      note(`first answers of ${to} after that`, await answersTo(node, { to, interval: 1 }));
  },
};

const unknown = selected.filter((name) => !(name in measurements));
if (unknown.length > 0 || !Number.isInteger(COUNT)) {
  process.stderr.write(`usage: npm run lab:networks -- [COUNT] [${Object.keys(measurements).join('|')}]...\n`);
  process.exit(1);
}

const all = manyTenants(COUNT + 1);
const figures: Record<string, unknown> = {};
let compared: Figures = {};
await onNode(all, async (node) => {
  const tenants = all.slice(0, COUNT);
  await NodeAgent.save(node, clusterWith(tenants));
  const note: Note = (what, value) => {
    figures[what] = value;
    report(what, value);
  };
  const compare: Compare = (measured) => {
    compared = { ...compared, ...measured };
  };
  const begin = performance.now();
  const agent = await agentFor(node, tenants);
  note('from nothing until all are ready', Math.round(performance.now() - begin));
  for (const [name, measure] of Object.entries(measurements))
    if (selected.length === 0 || selected.includes(name)) await measure({ node, agent, all }, note, compare);
  note('the agent in MiB', Math.round((await metricsOf(node)).get('process_resident_memory_bytes')! / 2 ** 20));
});
process.stdout.write(`${JSON.stringify({ networks: COUNT, ...figures }, null, 2)}\n`);
process.stderr.write(`${goalTable(compared).join('\n')}\n`);
if (missedGoals(compared).length > 0) process.exitCode = 1;
