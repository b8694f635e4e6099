import type { Command } from 'commander';
import type { Container } from 'inversify';
import { explain } from '../domain/explanation/explain.ts';
import type { ExplainedOperation, Explanation, Fact } from '../domain/explanation/explanation.ts';
import { verdictText } from '../domain/explanation/verdict.ts';
import { withInputOptions } from './input-options.ts';
import { type InputOptions, type Inputs, readInputs } from './inputs.ts';
import { operationLine } from './operation-text.ts';
import { runWithSettings } from './run.ts';
import { type RunSettings, withCommonOptions } from './settings.ts';
import { type Palette, paletteOf, type Terminal } from './terminal.ts';
import { printable, textTable } from './text-table.ts';
import { warningLines } from './warning-lines.ts';

/** An object, with its file if there are several; or a file of the capture. */
function sourceText(source: string, { origins }: Inputs): string {
  const file = new Set(origins.values()).size > 1 ? origins.get(source) : undefined;
  return file === undefined ? source : `${source} in ${file}`;
}

function factRow({ depth, text, sources }: Fact, inputs: Inputs, palette: Palette): readonly string[] {
  return [
    printable('  '.repeat(depth) + text),
    palette.faint(printable(sources.map((source) => sourceText(source, inputs)).join(', '))),
  ];
}

/** Maximum number of printed operations; `plan` prints all. */
const MAX_OPERATIONS = 6;

/** The most disruptive operations, in the order of execution. */
function mostDisruptive(operations: readonly ExplainedOperation[]): readonly ExplainedOperation[] {
  // A line "1 more" would be as long as the operation.
  if (operations.length <= MAX_OPERATIONS + 1) return operations;
  const [calm, disturbing] = [operations.filter(isHarmless), operations.filter((operation) => !isHarmless(operation))];
  const chosen = new Set([...disturbing, ...calm].slice(0, MAX_OPERATIONS));
  return operations.filter((operation) => chosen.has(operation));
}

function isHarmless({ disturbs }: ExplainedOperation): boolean {
  return disturbs === undefined;
}

function operationLines(operations: readonly ExplainedOperation[], palette: Palette): readonly string[] {
  if (operations.length === 0) return ['no changes planned'];
  const chosen = mostDisruptive(operations);
  const more = operations.length - chosen.length;
  return [
    'planned changes:',
    ...chosen.map((operation) => `  ${operationLine(operation, palette)}`),
    ...(more === 0 ? [] : [`  … and ${more} more, see plan`]),
  ];
}

function explanationText(
  { network, node, verdict, facts, operations, changes }: Explanation,
  inputs: Inputs,
  terminal: Terminal,
): readonly string[] {
  const palette = paletteOf(terminal);
  return [
    palette.heading(printable(`${network} on ${node}: ${verdictText(verdict)}`)),
    ...textTable(facts.map((fact) => factRow(fact, inputs, palette))),
    ...(operations === undefined ? [] : operationLines(operations, palette)),
    ...(changes.length === 0
      ? []
      : [
          'would change with:',
          ...textTable(
            changes.map(({ change, verdict: other }) => [printable(change), printable(`→ ${verdictText(other)}`)]),
          ),
        ]),
  ];
}

async function runExplain(
  [networkName, nodeName]: readonly [string, string],
  options: InputOptions,
  { settings, output }: RunSettings,
  container: Container,
  terminal: Terminal,
): Promise<number> {
  const inputs = await readInputs(options, container, terminal);
  if (inputs === undefined) return 1;
  const node = inputs.nodes.find((snapshot) => snapshot.nodeName === nodeName);
  const outcome = explain({ cluster: inputs.cluster, node, settings }, networkName, nodeName);
  if (!outcome.explained) {
    const [kind, name, known] =
      outcome.unknown === 'network'
        ? (['ClusterUserDefinedNetwork', networkName, inputs.cluster.clusterUserDefinedNetworks] as const)
        : (['Node', nodeName, inputs.cluster.nodes] as const);
    const names = known.map(({ metadata }) => metadata.name).sort();
    terminal.err(
      `error: the cluster objects have no ${kind} ${name}; they have ${names.slice(0, 5).join(', ') || 'none'}${names.length > 5 ? ', …' : ''}`,
    );
    return 1;
  }
  // Warnings may explain an unexpected verdict; standard output keeps the explanation only.
  for (const line of warningLines(inputs, [])) terminal.err(`warning: ${printable(line)}`);
  if (output === 'json') terminal.out(JSON.stringify(outcome.explanation, null, 2));
  else for (const line of explanationText(outcome.explanation, inputs, terminal)) terminal.out(line);
  return 0;
}

/** Adds the command `explain`. */
export function addExplain(program: Command, container: Container, terminal: Terminal): void {
  const command = withInputOptions(program.command('explain'))
    .description('Explains the routing domain and the readiness of a network on a node, and what would change them.')
    .argument('<cudn>', 'name of a ClusterUserDefinedNetwork')
    .argument('<node>', 'name of a node')
    .addHelpText(
      'after',
      `
Example:
  ovn-uplinks explain blue worker-a --cluster cluster.yaml --host worker-a=captures/worker-a

Exit status: 0 explained, 1 bad input.`,
    );
  withCommonOptions(command).action(async (network: string, node: string) => {
    await runWithSettings(command, terminal, (run) =>
      runExplain([network, node], command.opts<InputOptions>(), run, container, terminal),
    );
  });
}
