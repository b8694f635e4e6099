import { parseEvents, YAMLException } from 'js-yaml';
import type { ParsedDocument, ParsedText } from './documents.ts';
import { MAX_DEPTH } from './nesting.ts';
import { documentValues, type DocumentValue, tooDeep } from './yaml-values.ts';

/** A part of a text. */
interface Chunk {
  readonly text: string;
  /** The offset of the part in the whole text. */
  readonly offset: number;
}

/**
 * Parses a text of YAML documents as Kubernetes reads it; never throws. Reports the first error of each invalid document, as it usually
 * causes the others.
 */
export function parseYaml(text: string): ParsedText {
  const lines = new LineNumbers(text);
  const whole = parseStream({ text, offset: 0 }, lines);
  if (typeof whole !== 'string') return whole;
  // The parser stops at the first syntax error. Document by document, an error in one does not hide those in others.
  const documents: ParsedDocument[] = [];
  const errors: string[] = [];
  for (const chunk of splitAtMarkers(text)) {
    const parsed = parseStream(chunk, lines);
    if (typeof parsed === 'string') errors.push(parsed);
    else {
      for (const document of parsed.documents) documents.push(document);
      for (const error of parsed.errors) errors.push(error);
    }
  }
  return { documents, errors };
}

/** The documents of a chunk, or its syntax error. */
function parseStream(chunk: Chunk, lines: LineNumbers): ParsedText | string {
  try {
    const events = parseEvents(chunk.text, { maxDepth: MAX_DEPTH });
    const values = documentValues(chunk.text, events);
    return {
      documents: values.flatMap((value) => (value.read ? [documentOf(value, chunk, lines)] : [])),
      errors: values.flatMap((value) => (value.read ? [] : [lines.at(chunk.offset + value.offset, value.message)])),
    };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const message = error.reason.startsWith('nesting exceeded') ? tooDeep : error.reason;
    return lines.at(chunk.offset + (error.mark?.position ?? 0), message);
  }
}

function documentOf(
  { value, offset, offsets }: Extract<DocumentValue, { read: true }>,
  chunk: Chunk,
  lines: LineNumbers,
): ParsedDocument {
  return {
    value,
    ...(offset !== undefined && { line: lines.numberAt(chunk.offset + offset) }),
    lineOf: (mapping) => {
      const start = typeof mapping === 'object' && mapping !== null ? offsets.get(mapping) : undefined;
      return start === undefined ? undefined : lines.numberAt(chunk.offset + start);
    },
  };
}

/** Splits a text before each line that begins a document (YAML 1.2.2, 9.1.2). No scalar can contain such a line. */
function splitAtMarkers(text: string): readonly Chunk[] {
  const starts = [0, ...[...text.matchAll(/(?<=[\n\r])---(?=[ \t\n\r]|$)/g)].map(({ index }) => index)];
  return starts.map((offset, index) => ({ text: text.slice(offset, starts[index + 1]), offset }));
}

/** Line numbers of offsets in a text. */
class LineNumbers {
  readonly #text: string;
  #starts: readonly number[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** An error with its position. */
  at(offset: number, message: string): string {
    const line = this.numberAt(offset);
    return `line ${line}, column ${offset - (this.#lineStarts()[line - 1] ?? 0) + 1}: ${message}`;
  }

  /** The line of an offset, from 1. */
  numberAt(offset: number): number {
    const starts = this.#lineStarts();
    let [first, end] = [0, starts.length];
    while (end - first > 1) {
      const middle = (first + end) >> 1;
      if ((starts[middle] ?? 0) <= offset) first = middle;
      else end = middle;
    }
    return first + 1;
  }

  #lineStarts(): readonly number[] {
    if (this.#starts !== undefined) return this.#starts;
    const starts = [0];
    for (let at = this.#text.indexOf('\n'); at !== -1; at = this.#text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.#starts = starts;
    return starts;
  }
}
