import type { Command } from 'commander';
import type { Container } from 'inversify';
import { preview } from '../domain/index.ts';
import { viewCluster } from '../domain/plan/cluster-view.ts';
import { reportedNetworks } from '../domain/plan/reported-node.ts';
import { withInputOptions } from './input-options.ts';
import { type InputOptions, type Inputs, readInputs } from './inputs.ts';
import { planDocument } from './plan-document.ts';
import { clusterSection, nodeSection, reportedSection } from './plan-text.ts';
import { runWithSettings } from './run.ts';
import { type RunSettings, withCommonOptions } from './settings.ts';
import { paletteOf, type Terminal } from './terminal.ts';
import { warningLines } from './warning-lines.ts';

/** Most nodes without a capture that are shown unasked. */
const SHOWN_REPORTED_NODES = 10;

interface PlanOptions extends InputOptions {
  readonly node?: readonly string[];
  readonly network?: readonly string[];
}

function planText(
  inputs: Inputs,
  { settings }: RunSettings,
  { node, network }: PlanOptions,
  terminal: Terminal,
): readonly string[] {
  const palette = paletteOf(terminal);
  const result = preview(inputs.cluster, inputs.nodes, settings);
  const view = viewCluster(result.after, settings);
  const isWanted = (name: string) => network === undefined || network.includes(name);
  const isWantedNode = (name: string) => node === undefined || node.includes(name);
  const captured = new Set(result.nodes.map(({ nodeName }) => nodeName));
  const reported = view.nodes.all
    .map(({ metadata }) => metadata.name)
    .filter((name) => !captured.has(name) && isWantedNode(name));
  const shown = node === undefined ? reported.slice(0, SHOWN_REPORTED_NODES) : reported;
  const warnings = warningLines(inputs, [...result.nodes.flatMap((plan) => plan.warnings), ...result.cluster.warnings]);
  const sections = [
    ...result.nodes
      .filter(({ nodeName }) => isWantedNode(nodeName))
      .map((plan) => nodeSection(plan, result.states, inputs.folders.get(plan.nodeName) ?? '', isWanted, palette)),
    ...shown.map((name) => reportedSection(name, reportedNetworks(view, name), isWanted, palette)),
    ...(reported.length > shown.length
      ? [[`… and ${reported.length - shown.length} more nodes without a capture; --node NAME shows one`]]
      : []),
    clusterSection(result, inputs.cluster, isWanted, palette),
    ...(warnings.length === 0 ? [] : [[palette.heading('Warnings'), ...warnings.map((line) => `  ${line}`)]]),
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
  if (run.output === 'json') {
    const result = preview(inputs.cluster, inputs.nodes, run.settings);
    const warnings = warningLines(inputs, [
      ...result.nodes.flatMap((plan) => plan.warnings),
      ...result.cluster.warnings,
    ]);
    terminal.out(JSON.stringify(planDocument(result, warnings), null, 2));
  } else {
    for (const line of planText(inputs, run, options, terminal)) terminal.out(line);
  }
  return 0;
}

/** Adds the command `plan`. */
export function addPlan(program: Command, container: Container, terminal: Terminal): void {
  const command = withInputOptions(program.command('plan'))
    .description('Shows what would be found, decided and reported for captured nodes; changes nothing.')
    .option('--node <name...>', 'show these nodes only')
    .option('--network <name...>', 'show these networks only')
    .addHelpText(
      'after',
      `
Examples:
  ovn-uplinks plan --cluster cluster.yaml --host worker-a=captures/worker-a
  kubectl get uplinks,uplinkstates,clusteruserdefinednetworks,nodes -o yaml | ovn-uplinks plan --cluster -
  ovn-uplinks plan --cluster manifests/ --host worker-a=captures/worker-a --output json | jq .nodes

Exit status: 0 planned, 1 bad input.`,
    );
  withCommonOptions(command).action(async () => {
    await runWithSettings(command, terminal, (run) => runPlan(command.opts<PlanOptions>(), run, container, terminal));
  });
}
