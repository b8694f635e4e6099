import {
  Composer,
  type Document,
  type DocumentOptions,
  LineCounter,
  type ParseOptions,
  type SchemaOptions,
  type YAMLParseError,
} from 'yaml';
import { least } from '../../domain/ordering.ts';
import type { ParsedDocument, ParsedText } from './documents.ts';
import { MAX_DEPTH } from './nesting.ts';
import { kubernetesScalars } from './yaml-scalars.ts';
import { MAX_TOKENS, YamlTokens } from './yaml-tokens.ts';
import { plainValueOf } from './yaml-value.ts';

/** What a YAML text holds. */
export interface YamlParsing extends ParsedText {
  /** Whether the rest of the text, from a document of too many tokens on, was not parsed; a fault says where. */
  readonly exhausted: boolean;
}

/** How a YAML text is to be parsed. */
export interface YamlOptions {
  /** Line of its file on which the text begins, from 1. */
  readonly firstLine?: number;
  /** Most tokens of one document. */
  readonly maxTokens?: number;
}

const libraryOptions: ParseOptions & DocumentOptions & SchemaOptions = {
  schema: 'failsafe',
  customTags: [...kubernetesScalars],
  resolveKnownTags: false,
  // Its check is quadratic; the conversion to plain values has one that is not.
  uniqueKeys: false,
};

/**
 * Parses a text of any number of YAML documents as Kubernetes reads it; never throws. Of each document that cannot be read the first
 * fault is told, since it mostly causes the others.
 */
export function parseYaml(text: string, { firstLine = 1, maxTokens = MAX_TOKENS }: YamlOptions = {}): YamlParsing {
  const positions = new LineCounter();
  const position = (offset: number): Position => {
    const { line, col } = positions.linePos(offset);
    return { line: line + firstLine - 1, column: col };
  };
  const tokens = new YamlTokens(text, maxTokens, positions.addNewLine);
  const documents: ParsedDocument[] = [];
  const faults: string[] = [];
  for (const document of new Composer(libraryOptions).compose(tokens, true, text.length)) {
    const result = readDocument(document, position);
    if (typeof result === 'string') faults.push(result);
    else documents.push(result);
  }
  if (tokens.exhausted) {
    faults.push(
      faultAt(position(tokens.documentOffset), `the document has more than ${maxTokens} YAML tokens; write it as JSON`),
    );
  }
  return { documents, faults, exhausted: tokens.exhausted };
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** The document's value, or what keeps it from having one. */
function readDocument(document: Document.Parsed, position: (offset: number) => Position): ParsedDocument | string {
  const error = least(document.errors, (left, right) => left.pos[0] - right.pos[0]);
  if (error !== undefined) return faultAt(position(error.pos[0]), describeError(error));
  const conversion = plainValueOf(document.contents);
  if (!conversion.converted) return faultAt(position(conversion.offset), conversion.message);
  const { value, offsets } = conversion;
  return {
    value,
    line: position(document.contents?.range[0] ?? 0).line,
    lineOf: (mapping) => {
      const offset = isObject(mapping) ? offsets.get(mapping) : undefined;
      return offset === undefined ? undefined : position(offset).line;
    },
  };
}

function describeError({ code, message }: Pick<YAMLParseError, 'code' | 'message'>): string {
  return code === 'RESOURCE_EXHAUSTION' ? `more than ${MAX_DEPTH} levels of nesting` : message;
}

function faultAt({ line, column }: Position, message: string): string {
  return `line ${line}, column ${column}: ${message}`;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
