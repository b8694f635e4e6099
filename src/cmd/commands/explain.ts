import type { Command } from 'commander';
import type { Container } from 'inversify';
import { explain } from '../../domain/explanation/explain.ts';
import type { ExplainedOperation, Explanation } from '../../domain/explanation/explanation.ts';
import { unknownNetworkSentence, unknownObjectSentence } from '../../domain/explanation/unknown-object.ts';
import { readinessText, verdictText } from '../../domain/explanation/verdict.ts';
import { explainObject, parseExplainedObject } from './explain-object.ts';
import { changeLines, factLines } from './explanation-text.ts';
import { clusterSettings } from '../input/cluster-settings.ts';
import { withInputOptions } from '../input/input-options.ts';
import { type InputOptions, type Inputs, readInputs } from '../input/inputs.ts';
import { networkIn, podsIn } from '../input/namespaced-names.ts';
import { operationLine } from '../output/operation-text.ts';
import { printDocument } from '../output/output-format.ts';
import { runWithSettings } from '../run/run.ts';
import { type RunSettings, withCommonOptions } from '../input/settings.ts';
import { helpText } from '../output/help-text.ts';
import { type Palette, paletteOf, type Terminal } from '../output/terminal.ts';
import { fitted, printable } from '../output/text-table.ts';
import { warningLines } from './warning-lines.ts';

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
  { network, node, readiness, verdict, facts, operations, changes }: Explanation,
  inputs: Inputs,
  terminal: Terminal,
): readonly string[] {
  const palette = paletteOf(terminal);
  const asAWhole = readiness === undefined ? '' : `${readinessText(readiness)}; `;
  return [
    palette.heading(`${network} on ${node}: ${asAWhole}${verdictText(verdict)}`),
    ...factLines(facts, inputs, palette),
    ...(operations === undefined ? [] : operationLines(operations, palette)),
    ...changeLines(changes.map(({ change, verdict: other }) => [change, verdictText(other)])),
  ];
}

function explainNetwork(
  [networkName, nodeName]: readonly [string, string],
  inputs: Inputs,
  { settings, output }: RunSettings,
  terminal: Terminal,
): number {
  const node = inputs.nodes.find((snapshot) => snapshot.nodeName === nodeName);
  const outcome = explain({ cluster: inputs.cluster, node, settings }, networkName, nodeName);
  if (!outcome.explained) {
    const nodes = inputs.cluster.nodes.map(({ metadata }) => metadata.name);
    const unknown =
      unknownNetworkSentence(networkName, inputs.cluster) ?? unknownObjectSentence('Node', nodeName, nodes);
    terminal.err(`error: ${printable(unknown)}`);
    return 1;
  }
  // Warnings may explain an unexpected verdict; standard output keeps the explanation only.
  for (const line of warningLines(inputs, [])) terminal.err(`warning: ${printable(line)}`);
  if (output !== 'text') printDocument(outcome.explanation, output, terminal);
  else
    for (const line of explanationText(outcome.explanation, inputs, terminal))
      terminal.out(fitted(line, terminal.columns));
  return 0;
}

async function runExplain(
  [subject, nodeName]: readonly [string, string | undefined],
  options: InputOptions,
  run: RunSettings,
  container: Container,
  terminal: Terminal,
): Promise<number> {
  const object = parseExplainedObject(podsIn(options.namespace, subject));
  if (object === undefined && nodeName === undefined) {
    terminal.err(
      `error: ${subject}: expected a network and a node, namespace/NAME, pod/NAMESPACE/NAME, or service/NAMESPACE/NAME`,
    );
    return 1;
  }
  if (object !== undefined && object.kind !== 'service' && nodeName !== undefined) {
    terminal.err(`error: ${subject} ${nodeName}: expected no node after a ${object.kind}`);
    return 1;
  }
  const inputs = await readInputs(options, container, terminal);
  if (inputs === undefined) return 1;
  return object === undefined
    ? explainNetwork([networkIn(options.namespace, subject), nodeName ?? ''], inputs, run, terminal)
    : explainObject(
        object.kind === 'service' && nodeName !== undefined ? { ...object, node: nodeName } : object,
        inputs,
        run,
        terminal,
      );
}

/** Adds the command `explain`. */
export function addExplain(program: Command, container: Container, terminal: Terminal): void {
  const command = withInputOptions(program.command('explain'))
    .description(
      'Explains the routing domain and the readiness of a network on a node, and what would change them; or the primary network of a namespace, the addresses of a pod in it, and whether a Service is served there, and by which endpoints on a node.',
    )
    .argument(
      '<subject>',
      'name of a ClusterUserDefinedNetwork, NAMESPACE/NAME of a UserDefinedNetwork, namespace/NAME, pod/NAMESPACE/NAME, or service/NAMESPACE/NAME',
    )
    .argument('[node]', 'name of a node, with a network or a Service')
    .addHelpText(
      'after',
      helpText(`
Examples:
  ovn-uplinks explain blue worker-a --cluster cluster.yaml \\
    --host worker-a=captures/worker-a
  ovn-uplinks explain demo/green worker-a --networks all --cluster cluster.yaml
  ovn-uplinks explain namespace/demo --networks all --cluster cluster.yaml
  ovn-uplinks explain pod/demo/web --networks all --cluster cluster.yaml
  ovn-uplinks explain service/demo/web worker-a --networks all

Exit status: 0 explained, 1 bad input.`),
    );
  withCommonOptions(command).action(async (subject: string, node: string | undefined) => {
    await runWithSettings(
      command,
      terminal,
      (run) => runExplain([subject, node], command.opts<InputOptions>(), run, container, terminal),
      () => clusterSettings(command.opts<InputOptions>(), container, terminal),
    );
  });
}
