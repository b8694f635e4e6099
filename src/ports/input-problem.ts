import type { Warning } from '../domain/plan/warning.ts';

/** Where something was read. */
export type Origin =
  | {
      readonly kind: 'file';
      /**
       * The file or folder as it was named, or as it was found below what was named; `-` for standard input; a socket, or the command whose output
       * was read.
       */
      readonly file: string;
      /** The object in the file, as `Uplink/blue` or `Pod/namespace/name`; absent where the whole file is meant. */
      readonly object?: string;
    }
  /** An object that came from no file: one of an API, or one that is missing, as `Uplink/blue` or `Pod/namespace/name`. */
  | { readonly kind: 'object'; readonly object: string };

/** Something about an input that a person has to know: what is wrong, where, and what was expected. */
export interface InputProblem {
  readonly origin: Origin;
  /** Where in the object, as `spec.nodeConfigs[0].type`; absent where the whole object is meant. */
  readonly path?: string;
  /** What was wrong, what was expected and what to do, in a sentence without a full stop. */
  readonly message: string;
}

/** A file, or an object in it. */
export function inFile(file: string, object?: string): Origin {
  return { kind: 'file', file, ...(object !== undefined && { object }) };
}

/** The problem as fields of one level, for programs: `file`, `object`, `path`, `message`, as far as they are known. */
export function problemFields({ origin: { kind: _, ...place }, ...problem }: InputProblem) {
  return { ...place, ...problem };
}

/** The problem in one line: file, object, path, message. */
export function describeProblem(problem: InputProblem): string {
  const { file, object, path, message }: { file?: string; object?: string; path?: string; message: string } =
    problemFields(problem);
  return [file, object, path, message].filter((part) => part !== undefined && part !== '').join(': ');
}

/** A warning in one line, by its object where nobody knows a file. */
export function describeWarning(warning: Warning | InputProblem): string {
  if ('origin' in warning) return describeProblem(warning);
  const { object, path, message } = warning;
  return describeProblem({ origin: { kind: 'object', object }, ...(path !== undefined && { path }), message });
}

/** What was read, or everything that was wrong with it. */
export type Reading<Value> =
  { readonly read: true; readonly value: Value } | { readonly read: false; readonly problems: readonly InputProblem[] };
