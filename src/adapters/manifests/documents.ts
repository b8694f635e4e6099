/** One document of a text: an object, a list of objects, or what was written instead. */
export interface ParsedDocument {
  readonly value: unknown;
  /** Line on which the document's value begins, from 1; absent where the parser does not tell. */
  readonly line?: number;
  /** Line on which a mapping in the value begins, from 1; the mapping is known by its identity. Absent where the parser does not tell. */
  readonly lineOf: (mapping: unknown) => number | undefined;
}

/** The documents of a text and what kept others from being read; both may hold something. */
export interface ParsedText {
  /** In the order of the text; an empty document is null. */
  readonly documents: readonly ParsedDocument[];
  /** What is wrong and where in the text, each a sentence without a full stop. */
  readonly faults: readonly string[];
}
