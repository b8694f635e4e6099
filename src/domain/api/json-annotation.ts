import type { Static, TSchema } from 'typebox';
import { conformanceTo } from './conformance.ts';
import type { Immutable } from './schema.ts';

/** The content of an annotation with JSON in it. */
export type JsonAnnotation<Value> =
  | { readonly kind: 'absent' }
  | { readonly kind: 'broken'; readonly problem: string }
  | { readonly kind: 'read'; readonly value: Value };

/** Prepares the reading of an annotation whose text is JSON of a known shape. Text that is neither is `broken` and says why. */
export function jsonAnnotation<Schema extends TSchema>(
  schema: Schema,
): (text: string | undefined) => JsonAnnotation<Immutable<Static<Schema>>> {
  const conform = conformanceTo(schema);
  return (text) => {
    if (text === undefined) return { kind: 'absent' };
    const parsed = parseJson(text);
    if (parsed === undefined) return { kind: 'broken', problem: 'the text is not valid JSON' };
    const conformance = conform(parsed.value);
    if (conformance.conforms) return { kind: 'read', value: conformance.value };
    const [{ path, expected, found } = { path: '', expected: 'another value', found: 'this' }] = conformance.findings;
    return { kind: 'broken', problem: `${path === '' ? '' : `${path}: `}expected ${expected}, found ${found}` };
  };
}

/** Parses JSON; undefined for other text. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  // eslint-disable-next-line no-restricted-syntax -- The language's only parser of JSON throws; it goes no further than this.
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
