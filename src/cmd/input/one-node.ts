/** The node of `flows` and `trace`: a captured one, or this machine. */
import type { Command } from 'commander';
import type { Container } from 'inversify';
import { observeNode } from '../../control/node/observation/observe.ts';
import type { NodeSnapshot } from '../../domain/index.ts';
import { describeProblem } from '../../ports/input-problem.ts';
import { ports } from '../ports/container.ts';
import { withInputOptions } from './input-options.ts';
import type { InputOptions, Inputs } from './inputs.ts';
import { DATABASE_SOCKET } from './node-options.ts';
import { type RunSettings, serversOf } from './settings.ts';
import type { Terminal } from '../output/terminal.ts';
import { printable } from '../output/text-table.ts';

/** The options that select the node. */
export interface OneNodeOptions extends InputOptions {
  /** Whether it is this machine. */
  readonly local?: true;
  readonly ovsdb: string;
}

/** Adds them. */
export function withOneNodeOptions(command: Command): Command {
  return withInputOptions(command)
    .option('--manifests <dir>', 'instead of --cluster: the folder from which the agent reads its objects')
    .option('--local', 'the node is this machine: read it instead of a capture; needs root')
    .option('--ovsdb <socket>', 'with --local: socket of Open vSwitch’s database', DATABASE_SOCKET);
}

function captured({ nodes }: Inputs, name: string, terminal: Terminal): NodeSnapshot | undefined {
  const node = nodes.find(({ nodeName }) => nodeName === name);
  if (node === undefined) {
    const names = nodes.map(({ nodeName }) => nodeName).join(', ') || 'none';
    terminal.err(
      `error: there is no capture of node ${printable(name)}, only of ${printable(names)}; add --host ${printable(name)}=DIR, or --local on the node itself`,
    );
  }
  return node;
}

/** Reads this machine as a node of the cluster; prints problems on standard error. */
async function local(
  { cluster }: Inputs,
  name: string,
  socket: string,
  run: RunSettings,
  container: Container,
  terminal: Terminal,
): Promise<NodeSnapshot | undefined> {
  if (!cluster.nodes.some(({ metadata }) => metadata.name === name)) {
    terminal.err(`error: the cluster objects have no Node ${printable(name)}; expected the one of this machine`);
    return undefined;
  }
  const nodePorts = container.get(ports.liveNode)(socket, serversOf(run));
  const { hostNetwork, switchDatabase, kernelSettings, datapath } = nodePorts;
  try {
    const observed = await observeNode(nodePorts, name, cluster);
    const problems = observed.read ? observed.value.warnings : observed.problems;
    for (const problem of problems) {
      terminal.err(`${observed.read ? 'warning' : 'error'}: ${printable(describeProblem(problem))}`);
    }
    return observed.read ? observed.value.node : undefined;
  } finally {
    const open = [hostNetwork, switchDatabase, kernelSettings];
    const { flowTables, northbound, southbound, packetFilters } = datapath ?? {};
    for (const port of [...open, flowTables, northbound, southbound, packetFilters]) await port?.close();
  }
}

/** The node with a name; if it cannot be read or does not exist, prints why on standard error. */
export async function oneNode(
  inputs: Inputs,
  name: string,
  options: OneNodeOptions,
  run: RunSettings,
  container: Container,
  terminal: Terminal,
): Promise<NodeSnapshot | undefined> {
  if (options.local !== true) return captured(inputs, name, terminal);
  return await local(inputs, name, options.ovsdb, run, container, terminal);
}
