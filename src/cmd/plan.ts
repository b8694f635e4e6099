import type { Command } from 'commander';
import type { Container } from 'inversify';
import { type NodePlan, type PlannedOperation, type Preview, preview } from '../domain/index.ts';
import { viewCluster } from '../domain/plan/cluster-view.ts';
import { withCommands } from '../domain/plan/planned-operation.ts';
import { reportedNetworks } from '../domain/plan/reported-node.ts';
import { clusterSection } from './cluster-text.ts';
import { withInputOptions } from './input-options.ts';
import { type InputOptions, type Inputs, readInputs } from './inputs.ts';
import { changedObjectCount, isAnythingToDo } from './object-changes.ts';
import { objectSummary, operationSummary } from './operation-text.ts';
import { planDocument } from './plan-document.ts';
import { nodeSection, reportedSection } from './plan-text.ts';
import { runWithSettings } from './run.ts';
import { type RunSettings, withCommonOptions } from './settings.ts';
import { paletteOf, type Terminal } from './terminal.ts';
import { printable } from './text-table.ts';
import { warningLines } from './warning-lines.ts';

/** Most nodes without a capture that are shown unasked. */
const SHOWN_REPORTED_NODES = 10;

interface PlanOptions extends InputOptions {
  readonly node?: readonly string[];
  readonly network?: readonly string[];
  readonly commands?: true;
  readonly exitCode?: true;
}

/** Exit status of `--exit-code` where something is to be done. */
const SOMETHING_TO_DO = 2;

/** Everything odd, told with files. */
function allWarnings(inputs: Inputs, { nodes, cluster }: Preview): readonly string[] {
  return warningLines(inputs, [...nodes.flatMap((plan) => plan.warnings), ...cluster.warnings]);
}

function planText(
  inputs: Inputs,
  result: Preview,
  { settings }: RunSettings,
  { node, network, commands }: PlanOptions,
  terminal: Terminal,
): readonly string[] {
  const palette = paletteOf(terminal);
  const view = viewCluster(result.after, settings);
  const isWanted = (name: string) => network === undefined || network.includes(name);
  const isWantedNode = (name: string) => node === undefined || node.includes(name);
  const captured = new Set(result.nodes.map(({ nodeName }) => nodeName));
  const reported = view.nodes.all
    .map(({ metadata }) => metadata.name)
    .filter((name) => !captured.has(name) && isWantedNode(name));
  const shown = node === undefined ? reported.slice(0, SHOWN_REPORTED_NODES) : reported;
  const warnings = allWarnings(inputs, result);
  const planned = result.nodes.filter(({ nodeName }) => isWantedNode(nodeName));
  const nodes = new Map(inputs.nodes.map((snapshot) => [snapshot.nodeName, snapshot]));
  const operationsOn = ({ nodeName }: NodePlan): readonly PlannedOperation[] => {
    const all = result.operations.get(nodeName) ?? [];
    const snapshot = nodes.get(nodeName);
    if (network === undefined || snapshot === undefined) return all;
    // What is shown can be run without the rest.
    const shown = all.map(({ operation }) => operation).filter(({ networks }) => networks.some(isWanted));
    return withCommands(shown, snapshot);
  };
  const sections = [
    ...planned.map((plan) => {
      const folder = inputs.folders.get(plan.nodeName) ?? '';
      const shownNode = { plan, operations: operationsOn(plan), states: result.states, folder };
      return nodeSection(shownNode, { isWanted, showCommands: commands === true }, palette);
    }),
    ...shown.map((name) => reportedSection(name, reportedNetworks(view, name), isWanted, palette)),
    ...(reported.length > shown.length
      ? [[`… and ${reported.length - shown.length} more nodes without a capture; --node NAME shows one`]]
      : []),
    clusterSection(result, inputs.cluster, isWanted, palette),
    ...(warnings.length === 0
      ? []
      : [[palette.heading('Warnings'), ...warnings.map((line) => `  ${printable(line)}`)]]),
    [
      objectSummary(changedObjectCount(result, inputs.cluster)),
      ...planned.map((plan) => operationSummary(plan.nodeName, operationsOn(plan), network)),
    ].map((line) => palette.heading(line)),
  ];
  return sections.flatMap((section, index) => (index === 0 ? section : ['', ...section]));
}

/** Tells names in `--node` and `--network` that nothing bears. */
function unknownNames({ cluster }: Inputs, { node = [], network = [] }: PlanOptions): readonly string[] {
  const nodes = new Set(cluster.nodes.map(({ metadata }) => metadata.name));
  const networks = new Set(cluster.clusterUserDefinedNetworks.map(({ metadata }) => metadata.name));
  return [
    ...node.filter((name) => !nodes.has(name)).map((name) => `--node ${name}: the cluster objects have no such Node`),
    ...network
      .filter((name) => !networks.has(name))
      .map((name) => `--network ${name}: the cluster objects have no such ClusterUserDefinedNetwork`),
  ];
}

async function runPlan(
  options: PlanOptions,
  run: RunSettings,
  container: Container,
  terminal: Terminal,
): Promise<number> {
  const inputs = await readInputs(options, container, terminal);
  if (inputs === undefined) return 1;
  const unknown = unknownNames(inputs, options);
  for (const line of unknown) terminal.err(`error: ${line}`);
  if (unknown.length > 0) return 1;
  const result = preview(inputs.cluster, inputs.nodes, run.settings);
  if (run.output === 'json' && (options.node ?? options.network) !== undefined) {
    terminal.err(
      'error: --node and --network choose what people are shown; --output json has everything: leave them out',
    );
    return 1;
  }
  if (run.output === 'json') {
    terminal.out(JSON.stringify(planDocument(result, allWarnings(inputs, result)), null, 2));
  } else {
    for (const line of planText(inputs, result, run, options, terminal)) terminal.out(line);
  }
  return options.exitCode === true && isAnythingToDo(result, inputs.cluster) ? SOMETHING_TO_DO : 0;
}

/** Adds the command `plan`. */
export function addPlan(program: Command, container: Container, terminal: Terminal): void {
  const command = withInputOptions(program.command('plan'))
    .description('Shows what would be found, decided, done and reported for captured nodes; changes nothing.')
    .optionsGroup('What is shown:')
    .option('--node <name...>', 'show these nodes only')
    .option('--network <name...>', 'show these networks only')
    .option('--commands', 'show the command of each operation, in the order in which they work')
    .option('--exit-code', 'exit with status 2 where anything is to be done or written, whatever is shown')
    .addHelpText(
      'after',
      `
Examples:
  ovn-uplinks plan --cluster cluster.yaml --host worker-a=captures/worker-a
  kubectl get nodes,namespaces,pods,uplinks,uplinkstates,clusteruserdefinednetworks,routeadvertisements,network-attachment-definitions,frrconfigurations -A -o yaml \\
    | ovn-uplinks plan --cluster - --host worker-a=captures/worker-a
  ovn-uplinks plan --cluster manifests/ --host worker-a=captures/worker-a --output json | jq .nodes

Whoever runs the commands that --commands shows: after an interface went down and up the kernel looks for duplicates of its IPv6
addresses, and refuses a route with such an address as src (“Invalid source address”). The command works 2 s later.

Exit status: 0 planned, 1 bad input; with --exit-code 0 nothing to do, 2 something to do.`,
    );
  withCommonOptions(command).action(async () => {
    await runWithSettings(command, terminal, (run) => runPlan(command.opts<PlanOptions>(), run, container, terminal));
  });
}
