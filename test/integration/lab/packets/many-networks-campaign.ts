/**
 * `npm run lab:networks [COUNT]`: measures 250 networks on one bridge, or as many as is said, with packets, on a node of the lab with Open vSwitch and
 * OVN. Takes a quarter of an hour and 2 GiB. Prints the figures as one JSON document; times are milliseconds. Exits with status 1 if pods are not answered.
 */
import { resolve } from 'node:path';
import { NodeAgent, readyNetwork } from '../agent/node-agent.ts';
import { metricsOf } from '../agent/scale.ts';
import { Machine } from '../machine.ts';
import type { ArgumentVector, LabNode } from '../node.ts';
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

const COUNT = Number(process.argv[2] ?? 250);

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

/** How many of the pods ask, and are answered when. */
async function answersTo(node: LabNode, asking: Omit<Asking, 'pods' | 'deadline'>) {
  const asked = await ask(node, { pods: COUNT, deadline: 90, ...asking });
  const { requests, unanswered, elsewhere } = asked;
  if (unanswered.length > 0 || elsewhere > 0) process.exitCode = 1;
  return { slowest: slowest(asked), requests, unanswered: unanswered.length, elsewhere };
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

/** One network more: what the agent takes for it, beside what it takes to replace all flows of the bridge. */
async function oneMore(node: LabNode, agent: NodeAgent, tenants: readonly Tenant[]) {
  const before = (await agent.log()).length;
  const added = tenants.at(-1)!;
  const begin = performance.now();
  await NodeAgent.save(node, clusterWith(tenants));
  await agent.until([], 'uplink-0', readyNetwork(added.name), 5 * MINUTE);
  const ready = Math.round(performance.now() - begin);
  const log = (await agent.log()).slice(before);
  const script = `ovs-ofctl -O OpenFlow14 --no-names --no-stats dump-flows ${bridge} | sed '/NXST\\|OFPST/d' > /run/all-flows && time -p ovs-ofctl -O OpenFlow14 --bundle replace-flows ${bridge} /run/all-flows`;
  const { stderr } = await node.run(['/bin/bash', '-c', script], { deadline: 2 * MINUTE });
  return {
    ready,
    generate: plansIn(log),
    flows: durationsOf(log, 'change-flows'),
    rows: durationsOf(log, 'change-northbound'),
    confirm: durationsOf(log, 'change-router-ports'),
    allFlowsReplaced: Number(/real (\S+)/.exec(stderr)?.[1]) * 1000,
  };
}

/** Until a flow of ours that somebody deletes is there again. */
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

const few = await onNode(manyTenants(FEW), async (node) => {
  await agentFor(node, manyTenants(FEW));
  return await broadcasts(node, FLOOD);
});
report(`${FEW} networks, 10,000 broadcasts`, few);

const all = manyTenants(COUNT + 1);
const many = await onNode(all, async (node) => {
  const tenants = all.slice(0, COUNT);
  await NodeAgent.save(node, clusterWith(tenants));
  const begin = performance.now();
  const agent = await agentFor(node, tenants);
  const figures: Record<string, unknown> = {};
  const note = (what: string, value: unknown) => {
    figures[what] = value;
    report(what, value);
  };
  note('from nothing until all are ready', Math.round(performance.now() - begin));
  for (const to of [...common.outside, ...linkNeighbours])
    note(`first answers of ${to}`, await answersTo(node, { to, interval: 1 }));
  for (const [family, to] of common.outside.entries()) {
    const run = provider('link', 'set', 'eth0', 'address', `02:00:00:00:77:0${family}`);
    note(
      `answers of ${to} after the gateway has got another MAC address`,
      await answersTo(node, { to, interval: 0.25, run }),
    );
  }
  await silence(node);
  await node.does(
    provider('link', 'set', 'eth0', 'address', '02:00:00:00:77:09'),
    provider('link', 'set', 'eth0', 'up'),
  );
  note(
    'the same after the kernel had given it up, in each family',
    await Promise.all(common.outside.map((to) => answersTo(node, { to, interval: 0.25 }))),
  );
  const flood = await broadcasts(node, FLOOD);
  note('10,000 broadcasts', { ...flood, ratio: Number(costRatio(flood, few).toFixed(2)) });
  note('one network more', await oneMore(node, agent, all));
  note('a deleted flow is back', Math.round(await deletedFlow(node, agent)));
  const restart = inside('restart.py', 'ovs-vswitchd');
  const { flows, ports, entries } = await outageOfBridge(node, [restart], bridge);
  note('flows, settings of ports and static FDB entries are back after a restart of ovs-vswitchd', {
    flows,
    ports,
    entries,
  });
  note('first answers after that', await answersTo(node, { to: common.outside[0], interval: 1 }));
  note('the agent in MiB', Math.round((await metricsOf(node)).get('process_resident_memory_bytes')! / 2 ** 20));
  return figures;
});
process.stdout.write(`${JSON.stringify({ networks: COUNT, few, many }, null, 2)}\n`);
