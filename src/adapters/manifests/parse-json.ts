import type { ParsedDocument } from './documents.ts';
import { sizeOfValue, MAX_DEPTH } from './nesting.ts';

/** The document in a JSON text, or why it is invalid; completes "the text …". */
export type JsonParsing =
  { readonly parsed: true; readonly document: ParsedDocument } | { readonly parsed: false; readonly reason: string };

/** Parses JSON (RFC 8259). Rejects duplicate fields, which the standard leaves open. */
export function parseJson(text: string): JsonParsing {
  try {
    const value: unknown = JSON.parse(text);
    const { fields, depth } = sizeOfValue(value);
    if (depth > MAX_DEPTH) return { parsed: false, reason: `has more than ${MAX_DEPTH} levels of nesting` };
    if (fields !== countFieldNames(text)) return { parsed: false, reason: 'has a duplicate field in an object' };
    return { parsed: true, document: { value, lineOf: () => undefined } };
  } catch (error) {
    return { parsed: false, reason: `is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/**
 * The number of field names in valid JSON.
 *
 * The parser keeps the last of two fields with one name and does not report it; but then the text has more names than the value has fields.
 */
function countFieldNames(text: string): number {
  let names = 0;
  for (let open = text.indexOf('"'); open !== -1;) {
    const close = endOfString(text, open);
    if (nextNonBlank(text, close + 1) === ':') names += 1;
    open = text.indexOf('"', close + 1);
  }
  return names;
}

function endOfString(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (isEscaped(text, close)) close = text.indexOf('"', close + 1);
  return close;
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === '\\') first -= 1;
  return (at - first) % 2 === 1;
}

function nextNonBlank(text: string, from: number): string | undefined {
  let at = from;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1;
  return text[at];
}
