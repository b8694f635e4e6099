import type { Command } from 'commander';
import type { Container } from 'inversify';
import { planNode } from '../domain/index.ts';
import { plannedFlows } from '../domain/preview/planned-datapath.ts';
import { capturedNode } from './captured-node.ts';
import { flowSections } from './flow-text.ts';
import { withInputOptions } from './input-options.ts';
import { type InputOptions, readInputs } from './inputs.ts';
import { flowRows } from './plan-document.ts';
import { runWithSettings } from './run.ts';
import { type RunSettings, withCommonOptions } from './settings.ts';
import { paletteOf, type Terminal } from './terminal.ts';
import { printable } from './text-table.ts';
import { warningLines } from './warning-lines.ts';

interface FlowOptions extends InputOptions {
  readonly bridge?: readonly string[];
  readonly network?: readonly string[];
}

async function runFlows(
  nodeName: string,
  options: FlowOptions,
  { settings, output }: RunSettings,
  container: Container,
  terminal: Terminal,
): Promise<number> {
  const inputs = await readInputs(options, container, terminal);
  if (inputs === undefined) return 1;
  const node = capturedNode(inputs, nodeName, terminal);
  if (node === undefined) return 1;
  const plan = planNode(inputs.cluster, node, settings);
  const bridges = [...plannedFlows(plan).keys()];
  const unknown = (options.bridge ?? []).filter((name) => !bridges.includes(name));
  for (const name of unknown) {
    terminal.err(
      `error: --bridge ${printable(name)}: no network on ${printable(nodeName)} has flows there, only on ${printable(bridges.join(', ') || 'none')}`,
    );
  }
  if (unknown.length > 0) return 1;
  for (const line of warningLines(inputs, plan.warnings)) terminal.err(`warning: ${printable(line)}`);
  const isWanted = (network: string) => options.network === undefined || options.network.includes(network);
  if (output === 'json') {
    terminal.out(JSON.stringify(flowRows(plan), null, 2));
    return 0;
  }
  const sections = flowSections(plan, { bridges: options.bridge, isWanted }, paletteOf(terminal));
  const lines = sections.flatMap((section, index) => (index === 0 ? section : ['', ...section]));
  if (lines.length === 0) terminal.out(`No network on ${printable(nodeName)} has flows.`);
  for (const line of lines) terminal.out(line);
  return 0;
}

/** Adds the command `flows`. */
export function addFlows(program: Command, container: Container, terminal: Terminal): void {
  const command = withInputOptions(program.command('flows'))
    .description('Shows the OpenFlow flows of a node’s uplink bridges as planned, each with its reason.')
    .argument('<node>', 'name of a captured node')
    .optionsGroup('Selection:')
    .option('--bridge <name...>', 'show these bridges only')
    .option('--network <name...>', 'show the flows of these networks only')
    .addHelpText(
      'after',
      `
Example:
  ovn-uplinks flows worker-a --cluster cluster.yaml --host worker-a=captures/worker-a --bridge br-blue

Exit status: 0 shown, 1 bad input.`,
    );
  withCommonOptions(command).action(async (node: string) => {
    await runWithSettings(command, terminal, (run) =>
      runFlows(node, command.opts<FlowOptions>(), run, container, terminal),
    );
  });
}
