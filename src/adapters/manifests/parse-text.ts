import type { ParsedText } from './documents.ts';
import { dropNullFields } from './null-fields.ts';
import { parseJson } from './parse-json.ts';
import { parseYaml } from './parse-yaml.ts';

/**
 * Most characters in a YAML text that may delimit a node. The parser keeps up to 250 bytes for each: what is beyond this could end the
 * process for want of memory.
 */
const MAX_DELIMITERS = 12_000_000;

/**
 * Parses a manifest's text, JSON or YAML, whatever the file is called; never throws. Fields without a value are dropped, as the API
 * server does.
 */
export function parseText(text: string, maxDelimiters = MAX_DELIMITERS): ParsedText {
  const parsed = parseEither(text, maxDelimiters);
  for (const { value } of parsed.documents) dropNullFields(value);
  return parsed;
}

function parseEither(text: string, maxDelimiters: number): ParsedText {
  const json = startsLikeJson(text) ? parseJson(text) : undefined;
  if (json?.parsed === true) return { documents: [json.document], faults: [] };
  const control = controlCharacter(text);
  if (control !== undefined) return { documents: [], faults: [control] };
  if (hasMoreDelimiters(text, maxDelimiters)) {
    const reason =
      json?.reason ?? 'has more YAML nodes than can be read at once; split it into several files or write it as JSON';
    return { documents: [], faults: [`the text ${reason}`] };
  }
  // The YAML parser takes what is not quite JSON, and knows where it is wrong.
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

/** Where a text holds a character that YAML forbids (YAML 1.2.2, 5.1). */
function controlCharacter(text: string): string | undefined {
  const at = text.search(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/);
  if (at === -1) return undefined;
  const before = text.slice(0, at).split('\n');
  const code = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}: control character U+${code} is not allowed`;
}
