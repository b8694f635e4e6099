/** One document of a text: an object, a list of objects, or anything else. */
export interface ParsedDocument {
  readonly value: unknown;
  /** The line on which the value begins, from 1; absent if the parser does not report it. */
  readonly line?: number;
  /** The line on which a mapping in the value begins, from 1, by the identity of the mapping; absent if the parser does not report it. */
  readonly lineOf: (mapping: unknown) => number | undefined;
}

/** The valid documents of a text, and the errors in the others. */
export interface ParsedText {
  /** In the order of the text; an empty document is null. */
  readonly documents: readonly ParsedDocument[];
  /** Messages with positions. */
  readonly errors: readonly string[];
}
