import { nameOfNetwork } from '../../domain/network/key.ts';
import { type NodePlan, type PlannedOperation, type Preview, preview } from '../../domain/index.ts';
import { viewCluster } from '../../domain/plan/view/cluster-view.ts';
import { withCommands } from '../../domain/explanation/preview/planned-operation.ts';
import { reportedNetworks } from '../../domain/plan/cluster/reported-node.ts';
import { clusterSection } from '../output/cluster-text.ts';
import { flowSections } from '../output/flow-text.ts';
import type { Inputs } from '../input/inputs.ts';
import { changedObjectCount } from '../output/object-changes.ts';
import { objectSummary, operationSummary } from '../output/operation-text.ts';
import { printDocument } from '../output/output-format.ts';
import { planDocument } from '../output/plan-document.ts';
import { nodeSection, reportedSection } from '../output/plan-text.ts';
import type { RunSettings } from '../input/settings.ts';
import { paletteOf, type Terminal } from '../output/terminal.ts';
import { fitted, printable } from '../output/text-table.ts';
import { warningLines } from './warning-lines.ts';

/** Maximum number of nodes without a capture that are shown by default. */
const MAX_REPORTED_NODES = 10;

/** The shown part of a plan. */
export interface Shown {
  /** Names of nodes; all if absent. */
  readonly node?: readonly string[];
  /** Names of networks as they were given; all if absent. */
  readonly network?: readonly string[];
  /** Whether a network is shown. */
  readonly isWanted: (network: string) => boolean;
  /** Whether the command of each operation is shown. */
  readonly commands?: true;
  /** Whether all flows are shown. */
  readonly flows?: true;
  /** Whether lines may be longer than the terminal is wide. */
  readonly wide?: true;
}

/** All warnings, with files. */
function allWarnings(inputs: Inputs, { nodes, cluster }: Preview): readonly string[] {
  return warningLines(inputs, [...nodes.flatMap((plan) => plan.warnings), ...cluster.warnings]);
}

function planText(
  inputs: Inputs,
  result: Preview,
  { settings }: RunSettings,
  { node, network, isWanted, commands, flows, wide }: Shown,
  terminal: Terminal,
): readonly string[] {
  // A command that is wrapped cannot be copied.
  const isAnyLength = wide === true || commands === true;
  const palette = paletteOf(isAnyLength ? { ...terminal, columns: undefined } : terminal);
  const view = viewCluster(result.after, settings);
  const isWantedNode = (name: string) => node === undefined || node.includes(name);
  const captured = new Set(result.nodes.map(({ nodeName }) => nodeName));
  const reported = view.nodes.all
    .map(({ metadata }) => metadata.name)
    .filter((name) => !captured.has(name) && isWantedNode(name));
  const shown = node === undefined ? reported.slice(0, MAX_REPORTED_NODES) : reported;
  const warnings = allWarnings(inputs, result);
  const planned = result.nodes.filter(({ nodeName }) => isWantedNode(nodeName));
  const nodes = new Map(inputs.nodes.map((snapshot) => [snapshot.nodeName, snapshot]));
  const operationsOn = ({ nodeName }: NodePlan): readonly PlannedOperation[] => {
    const all = result.operations.get(nodeName) ?? [];
    const snapshot = nodes.get(nodeName);
    if (network === undefined || snapshot === undefined) return all;
    // The shown operations do not depend on the others.
    const shown = all
      .map(({ operation }) => operation)
      .filter(({ networks }) => networks.map(nameOfNetwork).some(isWanted));
    return withCommands(shown, snapshot);
  };
  const sections = [
    ...planned.flatMap((plan) => {
      const folder = inputs.folders.get(plan.nodeName);
      const shownNode = { plan, operations: operationsOn(plan), states: result.states, folder };
      return [
        nodeSection(shownNode, { isWanted, showCommands: commands === true }, palette),
        ...(flows === true ? flowSections(plan, { isWanted }, palette) : []),
      ];
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
  const lines = sections.flatMap((section, index) => (index === 0 ? section : ['', ...section]));
  return lines.map((line) => fitted(line, palette.columns));
}

/** Plans and prints the plan: selected parts as text, or all of it as JSON. */
export function showPlan(inputs: Inputs, run: RunSettings, shown: Shown, terminal: Terminal): Preview {
  const result = preview(inputs.cluster, inputs.nodes, run.settings);
  if (run.output !== 'text') {
    printDocument(planDocument(result, inputs.nodes, allWarnings(inputs, result)), run.output, terminal);
  } else {
    for (const line of planText(inputs, result, run, shown, terminal)) terminal.out(line);
  }
  return result;
}
