/** Explains a namespace or a pod: which primary network it has, and why not; or a Service: whether it is served in a network, and by which endpoints. */
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

/** An object on the command line, as kubectl names it: `namespace/demo`, `pod/demo/web`, or `service/demo/web`. */
export type ExplainedObject =
  | { readonly kind: 'namespace'; readonly name: string }
  | { readonly kind: 'pod' | 'service'; readonly namespace: string; readonly name: string };

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
  { namespace, name }: { readonly namespace: string; readonly name: string },
  inputs: Inputs,
  run: RunSettings,
  terminal: Terminal,
): ObjectText | undefined {
  const explanation = explainService(inputs.cluster, run.settings, namespace, name);
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

/** Of a pod or a Service whose namespace is unknown too, that is what is wrong. */
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
  return unknownObjectSentence(kind, `${namespace}/${object.name}`, names);
}

/** Explains an object. Returns the exit status. */
export function explainObject(object: ExplainedObject, inputs: Inputs, run: RunSettings, terminal: Terminal): number {
  if (run.settings.providedNetworks === 'none') {
    terminal.err(
      `error: --networks none: another implementation decides which network a ${object.kind} has; expected with-uplinks or all`,
    );
    return 1;
  }
  const explained =
    object.kind === 'namespace'
      ? namespaceText(object.name, inputs, run, terminal)
      : (object.kind === 'pod' ? podText : serviceText)(object, inputs, run, terminal);
  if (explained === undefined) {
    terminal.err(`error: ${printable(unknownObjectText(object, inputs))}`);
    return 1;
  }
  if (run.output !== 'text') printDocument(explained.document, run.output, terminal);
  else for (const line of explained.lines) terminal.out(fitted(line, terminal.columns));
  return 0;
}
