import { by } from '../../basics/names/ordering.ts';

/** A condition that should be reported but does not prevent programming. */
export interface Warning {
  /** The object, as `Kind/name` or `Kind/namespace/name`; a node without an object of its own as `Node/name`. */
  readonly object: string;
  /** Where in the object, as `spec.nodeSelector`. */
  readonly path?: string;
  readonly message: string;
  /** Present if it was found on the node, not in the object. */
  readonly seenOnNode?: true;
}

/** Warnings in a stable order, each once. */
export function sortedWarnings(warnings: readonly Warning[]): readonly Warning[] {
  const keyOf = ({ object, path = '', message }: Warning) => `${object}\n${path}\n${message}`;
  return [...new Map(warnings.map((warning) => [keyOf(warning), warning])).values()].sort(by(keyOf));
}
