import { type Document, dump, visit } from 'js-yaml';
import { byName } from '../../domain/basics/names/ordering.ts';

/**
 * An object as YAML, for YAML 1.1 and 1.2: keys in name order, as kubectl prints them, and ambiguous scalars quoted. Deterministic.
 */
export function statusText(object: object): string {
  const text = dump(object, { transform: sortKeys, noRefs: true, lineWidth: -1, quoteStyle: 'double' });
  // The writer does not escape some characters that YAML forbids (YAML 1.2.2, 5.1); JSON can.
  return forbidden.test(text) ? `${escaped(JSON.stringify(object, undefined, 2))}\n` : text;
}

function sortKeys(documents: Document[]): void {
  visit(documents, (node) => {
    if (node.kind === 'mapping') node.items.sort((left, right) => byName(keyOf(left), keyOf(right)));
  });
}

function keyOf({ key }: { readonly key: { readonly kind: string; readonly value?: unknown } }): string {
  return String(key.value);
}

const forbidden = /[\x7f-\x84\x86-\x9f\ufffe\uffff]|\p{Surrogate}/u;

function escaped(json: string): string {
  return json.replace(
    /[\x7f-\x9f\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
