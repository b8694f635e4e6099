/**
 * `npm run lab:scale`: measures an agent with 64 networks on 64 bridges, when idle, and in a storm of 10,000 changes a minute. Prints the
 * figures as one JSON document.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { clusterOf } from '../clusters.ts';
import { ip } from '../commands.ts';
import { Machine } from '../machine.ts';
import type { ArgumentVector, LabNode } from '../node.ts';
import { prepare } from '../prepare.ts';
import { clusterNode } from '../story-node.ts';
import { blue, blueBridge } from './blue.ts';
import { NodeAgent, readyNetwork } from './node-agent.ts';
import { manyNetworks, metricsOf, settled, startedProcesses, storm, writings } from './scale.ts';

const NETWORKS = 64;
const MEBIBYTE = 2 ** 20;
const MINUTE = 60_000;

const machine = await Machine.start();

async function onNode<Figures>(
  commands: readonly ArgumentVector[],
  measure: (node: LabNode) => Promise<Figures>,
): Promise<Figures> {
  const node = await machine.node('worker-a');
  try {
    await prepare(node, commands);
    return await measure(node);
  } finally {
    await node.end();
  }
}

async function memory(node: LabNode): Promise<number> {
  return Math.round((await metricsOf(node)).get('process_resident_memory_bytes')! / MEBIBYTE);
}

/** Measures two idle minutes, which include two resyncs. */
async function idle(node: LabNode) {
  const before = {
    processes: await startedProcesses(node),
    writings: await writings(node),
    metrics: await metricsOf(node),
  };
  await pause(2 * MINUTE);
  const metrics = await metricsOf(node);
  const cpu = 'process_cpu_seconds_total';
  return {
    residentMiB: await memory(node),
    cpuMillisecondsAMinute: Math.round(((metrics.get(cpu)! - before.metrics.get(cpu)!) * 1000) / 2),
    plans: metrics.get('ovn_uplinks_plan_seconds_count')! - before.metrics.get('ovn_uplinks_plan_seconds_count')!,
    // Including five programs of this campaign.
    programsStarted: (await startedProcesses(node)) - before.processes,
    filesWritten: (await writings(node)) !== before.writings,
  };
}

const many = manyNetworks(NETWORKS);
const fromNothing = await onNode([...clusterNode, ...many.commands], async (node) => {
  await NodeAgent.prepare(node, many.cluster);
  const before = await startedProcesses(node);
  const agent = await NodeAgent.start(node, { form: 'built' });
  const milliseconds = await settled(agent, 10 * MINUTE);
  // States are written after that.
  for (const [index] of many.cluster.uplinks.entries()) {
    await agent.until([], `uplink-${index}`, readyNetwork(`net-${index + 1}`));
  }
  const metrics = await metricsOf(node);
  const operations = [...metrics].filter(([name]) => name.includes('result="done"'));
  return {
    networks: metrics.get('ovn_uplinks_networks{reason="Ready"}'),
    milliseconds: Math.round(milliseconds),
    operations: operations.reduce((sum, [, count]) => sum + count, 0),
    programsStarted: (await startedProcesses(node)) - before,
    idle: await idle(node),
  };
});

const withOne = await onNode([...clusterNode, ...blueBridge], async (node) => {
  await NodeAgent.prepare(node, clusterOf([blue]));
  const agent = await NodeAgent.start(node, { form: 'built' });
  await agent.until([], 'uplink-0', readyNetwork('blue'));
  await settled(agent);
  const quiet = await idle(node);
  const before = await metricsOf(node);
  const stormProcess = await node.start(storm(167, 60), '/run/storm.log');
  const reactions: number[] = [];
  for (let round = 1; round <= 10; round += 1) {
    await pause(5000);
    const again = `(?:repaired.*?){${round}}`;
    reactions.push(await agent.untilLogged(again, [ip`rule delete priority 1999 table 1011`]));
  }
  await stormProcess.exit();
  const after = await metricsOf(node);
  const increaseOf = (name: string) => after.get(name)! - before.get(name)!;
  const rules = await node.does(ip`rule show priority 1999`);
  return {
    idle: quiet,
    storm: {
      changesAMinute: 10_000,
      cpuSecondsAMinute: Math.round(increaseOf('process_cpu_seconds_total') * 10) / 10,
      plans: increaseOf('ovn_uplinks_plan_seconds_count'),
      repairedMilliseconds: reactions.map(Math.round),
      residentMiB: await memory(node),
      isRepaired: rules.includes('lookup 1011'),
    },
  };
});

await machine.stop();
process.stdout.write(`${JSON.stringify({ fromNothing, withOne }, null, 2)}\n`);
