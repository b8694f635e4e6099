/** Something about an input that a person has to know: what is wrong, where, and what was expected. */
export interface InputProblem {
  /** The file or folder as it was named, or as it was found below what was named; `-` for standard input. */
  readonly file: string;
  /** The object in the file, as `Uplink/blue` or `Pod/namespace/name`; absent where the whole file is meant. */
  readonly object?: string;
  /** Where in the object, as `spec.nodeConfigs[0].type`; absent where the whole object is meant. */
  readonly path?: string;
  /** What was wrong, what was expected and what to do, in a sentence without a full stop. */
  readonly message: string;
}

/** The problem in one line: file, object, path, message. */
export function describeProblem({ file, object, path, message }: InputProblem): string {
  return [file, object, path, message].filter((part) => part !== undefined && part !== '').join(': ');
}

/** What was read, or everything that was wrong with it. */
export type Reading<Value> =
  { readonly read: true; readonly value: Value } | { readonly read: false; readonly problems: readonly InputProblem[] };
