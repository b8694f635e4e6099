import type { Command } from 'commander';
import type { Container } from 'inversify';
import { type NodePlan, type NodeSnapshot, planNode } from '../../domain/index.ts';
import { describeProblem } from '../../ports/input-problem.ts';
import { plannedFlows } from '../../domain/explanation/preview/planned-datapath.ts';
import { ports } from '../ports/container.ts';
import { flowSections, type PacketCounts } from '../output/flow-text.ts';
import { readInputs } from '../input/inputs.ts';
import { oneNode, type OneNodeOptions, withOneNodeOptions } from '../input/one-node.ts';
import { printDocument } from '../output/output-format.ts';
import { flowRows } from '../output/plan-document.ts';
import { runWithSettings } from '../run/run.ts';
import { selectNetworks } from '../input/selected-networks.ts';
import { type RunSettings, withCommonOptions } from '../input/settings.ts';
import { clusterSettings } from '../input/cluster-settings.ts';
import { helpText } from '../output/help-text.ts';
import { paletteOf, type Terminal } from '../output/terminal.ts';
import { printable } from '../output/text-table.ts';
import { warningLines } from './warning-lines.ts';

interface FlowOptions extends OneNodeOptions {
  readonly bridge?: readonly string[];
  readonly network?: readonly string[];
  readonly wide?: true;
}

/** The number of packets that the flows of the plan have matched on this machine, with a warning for each bridge that cannot be read. */
async function countedPackets(
  plan: NodePlan,
  { bridges }: NodeSnapshot,
  socket: string,
  container: Container,
  terminal: Terminal,
): Promise<PacketCounts> {
  const running = container.get(ports.runningBridges)(socket);
  const counts = new Map<string, ReadonlyMap<string, number>>();
  for (const name of plannedFlows(plan).keys()) {
    const bridge = bridges.find((each) => each.name === name);
    const reading = bridge && (await running.packets(bridge));
    if (reading?.read === true) counts.set(name, reading.value);
    for (const problem of reading?.read === false ? reading.problems : []) {
      terminal.err(`warning: ${printable(describeProblem(problem))}`);
    }
  }
  return counts;
}

async function runFlows(
  nodeName: string,
  options: FlowOptions,
  run: RunSettings,
  container: Container,
  terminal: Terminal,
): Promise<number> {
  const inputs = await readInputs(options, container, terminal);
  if (inputs === undefined) return 1;
  const selection = selectNetworks(options, inputs.cluster);
  if ('problems' in selection) {
    for (const line of selection.problems) terminal.err(`error: ${printable(line)}`);
    return 1;
  }
  const node = await oneNode(inputs, nodeName, options, run, container, terminal);
  if (node === undefined) return 1;
  const plan = planNode(inputs.cluster, node, run.settings);
  const bridges = [...plannedFlows(plan).keys()];
  const unknown = (options.bridge ?? []).filter((name) => !bridges.includes(name));
  for (const name of unknown) {
    terminal.err(
      `error: --bridge ${printable(name)}: no network on ${printable(nodeName)} has flows there, only on ${printable(bridges.join(', ') || 'none')}`,
    );
  }
  if (unknown.length > 0) return 1;
  for (const line of warningLines(inputs, plan.warnings)) terminal.err(`warning: ${printable(line)}`);
  const packets =
    options.local === true ? await countedPackets(plan, node, options.ovsdb, container, terminal) : undefined;
  if (run.output !== 'text') {
    printDocument(flowRows(plan, node.bridges, packets), run.output, terminal);
    return 0;
  }
  const sections = flowSections(
    plan,
    { bridges: options.bridge, isWanted: selection.isWanted },
    paletteOf(options.wide === true ? { ...terminal, columns: undefined } : terminal),
    packets,
  );
  const lines = sections.flatMap((section, index) => (index === 0 ? section : ['', ...section]));
  if (lines.length === 0) terminal.out(`No network on ${printable(nodeName)} has flows.`);
  for (const line of lines) terminal.out(line);
  return 0;
}

/** Adds the command `flows`. */
export function addFlows(program: Command, container: Container, terminal: Terminal): void {
  const command = withOneNodeOptions(program.command('flows'))
    .description('Shows the OpenFlow flows of a node’s uplink bridges as planned, each with its reason.')
    .argument('<node>', 'name of a captured node, or with --local of this one')
    .optionsGroup('Selection:')
    .option('--bridge <name...>', 'show these bridges only')
    .option('--network <name...>', 'show the flows of these networks only, by name or Kind/name')
    .option('--wide', 'cut nothing, however long the lines are; so where the output is not a terminal')
    .addHelpText(
      'after',
      helpText(`
Examples:
  ovn-uplinks flows worker-a --cluster cluster.yaml \\
    --host worker-a=captures/worker-a --bridge br-blue

On the node, with the packets that each has matched:
  ovn-uplinks flows worker-a --manifests /etc/ovn-uplinks --local

Exit status: 0 shown, 1 bad input.`),
    );
  withCommonOptions(command).action(async (node: string) => {
    await runWithSettings(
      command,
      terminal,
      (run) => runFlows(node, command.opts<FlowOptions>(), run, container, terminal),
      () => clusterSettings(command.opts<FlowOptions>(), container, terminal),
    );
  });
}
