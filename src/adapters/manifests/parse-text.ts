import type { ParsedText } from './documents.ts';
import { dropNullFields } from './null-fields.ts';
import { parseJson } from './parse-json.ts';
import { parseYaml } from './parse-yaml.ts';

/**
 * Maximum number of characters in a YAML text that may delimit nodes. The parser needs up to 250 bytes for each: more could exhaust the
 * memory of the process.
 */
const MAX_DELIMITERS = 12_000_000;

/** Parses a manifest, JSON or YAML, whatever its file name; never throws. Removes fields without a value, as the API server does. */
export function parseText(text: string, maxDelimiters = MAX_DELIMITERS): ParsedText {
  const parsed = parseEither(text, maxDelimiters);
  for (const { value } of parsed.documents) dropNullFields(value);
  return parsed;
}

function parseEither(text: string, maxDelimiters: number): ParsedText {
  const json = startsLikeJson(text) ? parseJson(text) : undefined;
  if (json?.parsed === true) return { documents: [json.document], errors: [] };
  const control = controlCharacter(text);
  if (control !== undefined) return { documents: [], errors: [control] };
  if (hasMoreDelimiters(text, maxDelimiters)) {
    const reason =
      json?.reason ?? 'has more YAML nodes than can be read at once; split it into several files or write it as JSON';
    return { documents: [], errors: [`the text ${reason}`] };
  }
  // The YAML parser accepts text that is almost JSON, and reports the position of errors.
  return parseYaml(text);
}

function startsLikeJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

function hasMoreDelimiters(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  let count = 0;
  for (const _ of text.matchAll(/[\n\r,:?[{-]/g)) {
    count += 1;
    if (count > limit) return true;
  }
  return false;
}

/** The position of a character that YAML forbids (YAML 1.2.2, 5.1). */
function controlCharacter(text: string): string | undefined {
  const at = text.search(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/);
  if (at === -1) return undefined;
  const before = text.slice(0, at).split('\n');
  const code = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}: control character U+${code} is not allowed`;
}
