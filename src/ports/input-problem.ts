import type { Warning } from '../domain/plan/view/warning.ts';

/** The source of an input. */
export type Origin =
  | {
      readonly kind: 'file';
      /**
       * The file or folder as given, or below the given one; `-` for standard input; a socket, or the command whose output was read.
       */
      readonly file: string;
      /** The object in the file, as `Uplink/blue` or `Pod/namespace/name`; absent for the whole file. */
      readonly object?: string;
    }
  /** An object without a file: of an API, or missing; as `Uplink/blue` or `Pod/namespace/name`. */
  | { readonly kind: 'object'; readonly object: string };

/** A problem of an input: what is wrong, where, and what was expected. */
export interface InputProblem {
  readonly origin: Origin;
  /** Where in the object, as `spec.nodeConfigs[0].type`; absent for the whole object. */
  readonly path?: string;
  /** The fault, what was expected and how to fix it, without a full stop. */
  readonly message: string;
}

/** A file, or an object in it. */
export function inFile(file: string, object?: string): Origin {
  return { kind: 'file', file, ...(object !== undefined && { object }) };
}

/** The problem as flat fields, for programs: `file`, `object`, `path`, `message`, as far as known. */
export function problemFields({ origin: { kind: _, ...place }, ...problem }: InputProblem) {
  return { ...place, ...problem };
}

/** The problem in one line: file, object, path, message. */
export function describeProblem(problem: InputProblem): string {
  const { file, object, path, message }: { file?: string; object?: string; path?: string; message: string } =
    problemFields(problem);
  return [file, object, path, message].filter((part) => part !== undefined && part !== '').join(': ');
}

/** A warning in one line, by its object if it has no file. */
export function describeWarning(warning: Warning | InputProblem): string {
  if ('origin' in warning) return describeProblem(warning);
  const { object, path, message } = warning;
  return describeProblem({ origin: { kind: 'object', object }, ...(path !== undefined && { path }), message });
}

/** A value that was read, or every problem with it. */
export type Reading<Value> =
  { readonly read: true; readonly value: Value } | { readonly read: false; readonly problems: readonly InputProblem[] };
