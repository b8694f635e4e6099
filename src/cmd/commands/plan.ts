import type { Command } from 'commander';
import type { Container } from 'inversify';
import { unknownObjectSentence } from '../../domain/explanation/unknown-object.ts';
import { clusterSettings } from '../input/cluster-settings.ts';
import { withInputOptions } from '../input/input-options.ts';
import { type InputOptions, type Inputs, readInputs } from '../input/inputs.ts';
import { isAnythingToDo } from '../output/object-changes.ts';
import { runWithSettings } from '../run/run.ts';
import { selectNetworks } from '../input/selected-networks.ts';
import { type RunSettings, withCommonOptions } from '../input/settings.ts';
import { showPlan, type Shown } from './show-plan.ts';
import { helpText } from '../output/help-text.ts';
import type { Terminal } from '../output/terminal.ts';
import { printable } from '../output/text-table.ts';

interface PlanOptions extends InputOptions, Omit<Shown, 'isWanted'> {
  readonly exitCode?: true;
}

/** Exit status of `--exit-code` if there are changes. */
const HAS_CHANGES = 2;

/** Unknown names in `--node`. */
function unknownNodes({ cluster }: Inputs, { node = [] }: PlanOptions): readonly string[] {
  const nodes = cluster.nodes.map(({ metadata }) => metadata.name);
  return node
    .filter((name) => !nodes.includes(name))
    .map((name) => `--node ${name}: ${unknownObjectSentence('Node', name, nodes)}`);
}

async function runPlan(
  options: PlanOptions,
  run: RunSettings,
  container: Container,
  terminal: Terminal,
): Promise<number> {
  const inputs = await readInputs(options, container, terminal);
  if (inputs === undefined) return 1;
  const selection = selectNetworks(options, inputs.cluster);
  const unknown = [...unknownNodes(inputs, options), ...('problems' in selection ? selection.problems : [])];
  for (const line of unknown) terminal.err(`error: ${printable(line)}`);
  if (unknown.length > 0 || 'problems' in selection) return 1;
  if (run.output !== 'text' && (options.node ?? options.network) !== undefined) {
    terminal.err(`error: --node and --network apply to text output only; leave them out with --output ${run.output}`);
    return 1;
  }
  const result = showPlan(inputs, run, { ...options, isWanted: selection.isWanted }, terminal);
  return options.exitCode === true && isAnythingToDo(result, inputs.cluster) ? HAS_CHANGES : 0;
}

/** Adds the command `plan`. */
export function addPlan(program: Command, container: Container, terminal: Terminal): void {
  const command = withInputOptions(program.command('plan'))
    .description(
      'Shows the plan for captured nodes: the state found, the changes and the status reported. Changes nothing.',
    )
    .optionsGroup('Selection:')
    .option('--node <name...>', 'show these nodes only')
    .option('--network <name...>', 'show these networks only, by name or Kind/name')
    .option('--commands', 'show the command of each operation, in the order of execution')
    .option('--flows', 'show all flows of the uplink bridges as planned')
    .option('--wide', 'wrap and cut nothing, however long the lines are; so where the output is not a terminal')
    .option('--exit-code', 'exit with status 2 if there are changes, whatever is shown')
    .addHelpText(
      'after',
      helpText(`
Examples:
  ovn-uplinks plan --cluster cluster.yaml --host worker-a=captures/worker-a
  kinds=nodes,namespaces,pods,uplinks,uplinkstates,clusteruserdefinednetworks
  kinds=$kinds,network-attachment-definitions,routeadvertisements
  kubectl get $kinds,frrconfigurations -A -o yaml \\
    | ovn-uplinks plan --cluster - --host worker-a=captures/worker-a
  ovn-uplinks plan --cluster manifests/ --host worker-a=captures/worker-a \\
    --output json | jq .nodes

If you run the commands that --commands prints: after a link cycle the kernel checks the IPv6 addresses of the interface for duplicates,
and refuses routes with such an address as src (“Invalid source address”). Run the command again 2 s later.

Exit status: 0 planned, 1 bad input; with --exit-code 0 nothing to do, 2 something to do.`),
    );
  withCommonOptions(command).action(async () => {
    await runWithSettings(
      command,
      terminal,
      (run) => runPlan(command.opts<PlanOptions>(), run, container, terminal),
      () => clusterSettings(command.opts<PlanOptions>(), container, terminal),
    );
  });
}
