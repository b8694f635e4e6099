/** Explains a namespace or a pod: which primary network it has, and why not; or a Service: whether it is served in a network, and by which endpoints, on a node too. */
import { explainNamespace } from '../../domain/explanation/explain-namespace.ts';
import { explainPod, podVerdictText } from '../../domain/explanation/explain-pod.ts';
import { explainService, serviceVerdictText } from '../../domain/explanation/explain-service.ts';
import { namespaceVerdictText } from '../../domain/explanation/namespace-verdict.ts';
import { unknownObjectSentence } from '../../domain/explanation/unknown-object.ts';
import { changeLines, factLines } from './explanation-text.ts';
import type { Inputs } from '../input/inputs.ts';
import { printDocument } from '../output/output-format.ts';
import type { RunSettings } from '../input/settings.ts';
import { paletteOf, type Terminal } from '../output/terminal.ts';
import { fitted, printable } from '../output/text-table.ts';

/** An object on the command line, as kubectl names it: `namespace/demo`, `pod/demo/web`, or `service/demo/web`, the latter possibly on a node. */
export type ExplainedObject =
  | { readonly kind: 'namespace'; readonly name: string }
  | { readonly kind: 'pod'; readonly namespace: string; readonly name: string }
  | { readonly kind: 'service'; readonly namespace: string; readonly name: string; readonly node?: string };

/** Parses such a name; undefined for any other text. */
export function parseExplainedObject(text: string): ExplainedObject | undefined {
  const [kind, ...names] = text.split('/');
  const [first = '', second = ''] = names;
  if (kind === 'namespace' && names.length === 1 && first !== '') return { kind, name: first };
  if ((kind === 'pod' || kind === 'service') && names.length === 2 && first !== '' && second !== '') {
    return { kind, namespace: first, name: second };
  }
  return undefined;
}

interface ObjectText {
  /** Whole, for programs. */
  readonly document: object;
  readonly lines: readonly string[];
}

function namespaceText(name: string, inputs: Inputs, run: RunSettings, terminal: Terminal): ObjectText | undefined {
  const explanation = explainNamespace(inputs.cluster, run.settings, name);
  if (explanation === undefined) return undefined;
  const { verdict, facts, changes } = explanation;
  const palette = paletteOf(terminal);
  return {
    document: explanation,
    lines: [
      palette.heading(`namespace ${name}: ${namespaceVerdictText(verdict)}`),
      ...factLines(facts, inputs, palette),
      ...changeLines(changes.map((each) => [each.change, namespaceVerdictText(each.verdict)])),
    ],
  };
}

function podText(
  { namespace, name }: { readonly namespace: string; readonly name: string },
  inputs: Inputs,
  run: RunSettings,
  terminal: Terminal,
): ObjectText | undefined {
  const explanation = explainPod(inputs.cluster, run.settings, namespace, name);
  if (explanation === undefined) return undefined;
  const { verdict, facts } = explanation;
  const palette = paletteOf(terminal);
  return {
    document: explanation,
    lines: [
      palette.heading(`pod ${namespace}/${name}: ${podVerdictText(verdict)}`),
      ...factLines(facts, inputs, palette),
    ],
  };
}

function serviceText(
  { namespace, name, node: nodeName }: Extract<ExplainedObject, { readonly kind: 'service' }>,
  inputs: Inputs,
  run: RunSettings,
  terminal: Terminal,
): ObjectText | undefined {
  const node = inputs.cluster.nodes.find(({ metadata }) => metadata.name === nodeName);
  if (nodeName !== undefined && node === undefined) return undefined;
  const explanation = explainService(inputs.cluster, run.settings, { namespace, name, ...(node && { node }) });
  if (explanation === undefined) return undefined;
  const palette = paletteOf(terminal);
  return {
    document: explanation,
    lines: [
      palette.heading(`service ${namespace}/${name}: ${serviceVerdictText(explanation)}`),
      ...factLines(explanation.facts, inputs, palette),
    ],
  };
}

function objectText(object: ExplainedObject, inputs: Inputs, run: RunSettings, terminal: Terminal) {
  switch (object.kind) {
    case 'namespace':
      return namespaceText(object.name, inputs, run, terminal);
    case 'pod':
      return podText(object, inputs, run, terminal);
    case 'service':
      return serviceText(object, inputs, run, terminal);
  }
}

/** Says which object is unknown: of a pod or a Service its namespace first, and of a Service on a node the node last. */
function unknownObjectText(object: ExplainedObject, { cluster }: Inputs): string {
  const namespaces = cluster.namespaces.map(({ metadata }) => metadata.name);
  const namespace = object.kind === 'namespace' ? object.name : object.namespace;
  if (object.kind === 'namespace' || !namespaces.includes(namespace)) {
    return unknownObjectSentence('Namespace', namespace, namespaces);
  }
  const [kind, all] =
    object.kind === 'pod' ? (['Pod', cluster.pods] as const) : (['Service', cluster.services] as const);
  const names = all
    .map(({ metadata }) => metadata)
    .filter((metadata) => (metadata.namespace ?? 'default') === namespace)
    .map(({ name }) => `${namespace}/${name}`);
  const name = `${namespace}/${object.name}`;
  if (object.kind === 'pod' || object.node === undefined || !names.includes(name))
    return unknownObjectSentence(kind, name, names);
  const nodes = cluster.nodes.map(({ metadata }) => metadata.name);
  return unknownObjectSentence('Node', object.node, nodes);
}

/** Explains an object. Returns the exit status. */
export function explainObject(object: ExplainedObject, inputs: Inputs, run: RunSettings, terminal: Terminal): number {
  if (run.settings.providedNetworks === 'none') {
    terminal.err(
      `error: --networks none: another implementation decides which network a ${object.kind} has; expected with-uplinks or all`,
    );
    return 1;
  }
  const explained = objectText(object, inputs, run, terminal);
  if (explained === undefined) {
    terminal.err(`error: ${printable(unknownObjectText(object, inputs))}`);
    return 1;
  }
  if (run.output !== 'text') printDocument(explained.document, run.output, terminal);
  else for (const line of explained.lines) terminal.out(fitted(line, terminal.columns));
  return 0;
}
