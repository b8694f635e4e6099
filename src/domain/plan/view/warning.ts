import { lazyByObject } from '../../basics/incremental/by-identity.ts';
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

/** Warnings about the objects of a list: those of each object are made once, and those of each list. */
export function warningsOfEach<Item extends object>(warningsOf: (item: Item) => readonly Warning[]) {
  const ofItem = lazyByObject(warningsOf);
  return lazyByObject((items: readonly Item[]) => items.flatMap(ofItem));
}
