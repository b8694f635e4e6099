import type { ParsedText } from './documents.ts';
import { dropNullFields } from './null-fields.ts';
import { parseJson } from './parse-json.ts';
import type { YamlOptions } from './parse-yaml.ts';
import { parseLargeYaml } from './yaml-list.ts';

/**
 * Parses a manifest's text, JSON or YAML, whatever the file is called; never throws. Fields without a value are dropped, as the API
 * server does.
 */
export function parseText(text: string, options: YamlOptions = {}): ParsedText {
  const parsed = parseEither(text, options);
  for (const { value } of parsed.documents) dropNullFields(value);
  return parsed;
}

function parseEither(text: string, options: YamlOptions): ParsedText {
  const json = startsLikeJson(text) ? parseJson(text) : undefined;
  if (json?.parsed === true) return { documents: [json.document], faults: [] };
  const control = controlCharacter(text);
  if (control !== undefined) return { documents: [], faults: [control] };
  // The YAML parser takes what is not quite JSON, and knows where it is wrong; but it is slow, and gives up on large texts.
  const yaml = parseLargeYaml(text, options);
  return json !== undefined && yaml.exhausted ? { documents: [], faults: [`the text ${json.reason}`] } : yaml;
}

function startsLikeJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

/** Where a text holds a character that YAML forbids (YAML 1.2.2, 5.1); the parser would take it. */
function controlCharacter(text: string): string | undefined {
  const at = text.search(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/);
  if (at === -1) return undefined;
  const before = text.slice(0, at).split('\n');
  const code = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}: control character U+${code} is not allowed`;
}
