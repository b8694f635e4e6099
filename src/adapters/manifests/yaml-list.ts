/**
 * Large lists as `kubectl get -o yaml` prints them, piece by piece.
 *
 * The YAML library keeps all of a document in memory, at a hundred times its size, which 64 MiB of it would exhaust. But the items of
 * a list that is written line by line can be told apart without parsing, and parsed some at a time.
 */
import { divideList, type ListPiece } from './divide-list.ts';
import { isJsonObject, type JsonObject } from '../json/json-object.ts';
import { parseYaml, type YamlOptions, type YamlParsing } from './parse-yaml.ts';

/** Length, in UTF-16 code units, from which on a text is divided, and of the pieces: each takes some 20 MiB of memory. */
const PIECE_LENGTH = 256 * 1024;

/**
 * Parses YAML as `parseYaml` does, but a large list in pieces. The outcome is the same, except that a large list may also be read where
 * the whole would have too many tokens, and lines are known of its items only.
 */
export function parseLargeYaml(text: string, options: YamlOptions = {}, pieceLength = PIECE_LENGTH): YamlParsing {
  const divided = text.length > pieceLength ? divideList(text, pieceLength) : undefined;
  const head = divided === undefined ? undefined : parseHead(divided.head, options);
  if (divided === undefined || head === undefined) return parseYaml(text, options);
  const list = parsePieces(head, divided.pieces, options);
  if (list.faults.length === 0) return list;
  // What makes no sense in pieces may make some as a whole.
  const whole = parseYaml(text, options);
  return whole.exhausted ? list : whole;
}

interface Head {
  readonly fields: JsonObject;
  readonly line?: number;
}

/** The list's other fields, if this is one document with `items` in one place. */
function parseHead(text: string, options: YamlOptions): Head | undefined {
  const { documents, faults } = parseYaml(text, options);
  const [document] = documents;
  if (faults.length > 0 || documents.length !== 1 || document === undefined) return undefined;
  const { value, line } = document;
  if (!isJsonObject(value) || Object.hasOwn(value, 'items')) return undefined;
  return { fields: value, ...(line !== undefined && { line }) };
}

function parsePieces({ fields, line }: Head, pieces: readonly ListPiece[], options: YamlOptions): YamlParsing {
  const items: unknown[] = [];
  const lines = new Map<unknown, number | undefined>();
  for (const { text, firstLine } of pieces) {
    const { documents, faults, exhausted } = parseYaml(text, { ...options, firstLine });
    if (faults.length > 0) return { documents: [], faults, exhausted };
    for (const { value, lineOf } of documents) {
      for (const item of listOf(value)) {
        items.push(item);
        lines.set(item, lineOf(item));
      }
    }
  }
  const value = { ...fields, items };
  const lineOf = (mapping: unknown) => (mapping === value ? line : lines.get(mapping));
  return { documents: [{ value, ...(line !== undefined && { line }), lineOf }], faults: [], exhausted: false };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
