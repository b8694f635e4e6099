/**
 * Which entities of a node come and go: read from the states of the node, so that any operation of any engine is judged by its effect.
 */
import { allKinds, type Entity, entityKey } from '../../domain/entities/entity-kinds.ts';
import { lazyByObject } from '../../domain/basics/incremental/by-identity.ts';
import type { NodeSnapshot } from '../../domain/snapshot/node-snapshot.ts';

/** Effects of an operation on the entities of a node. */
export interface ObservedChanges {
  readonly removed: readonly Entity[];
  readonly made: readonly Entity[];
}

/** The entities of each kind on a node, by key. */
const entitiesOn = lazyByObject(
  (node: NodeSnapshot) =>
    new Map(
      allKinds.map((kind) => {
        return [kind, new Map(kind.all(node).map((entity) => [entityKey(entity), entity]))] as const;
      }),
    ),
);

function missing(node: NodeSnapshot, other: NodeSnapshot): readonly Entity[] {
  if (node === other) return [];
  return allKinds
    .filter(({ parts }) => parts.some((part) => node[part] !== other[part]))
    .flatMap((kind) => {
      const known = entitiesOn(other).get(kind);
      return [...(entitiesOn(node).get(kind) ?? [])].flatMap(([key, entity]) => (known?.has(key) ? [] : [entity]));
    });
}

/** Effects of every operation, in order. */
export function entityChanges(states: readonly NodeSnapshot[]): readonly ObservedChanges[] {
  return states.slice(1).map((after, index) => {
    const before = states[index] ?? after;
    return { removed: missing(before, after), made: missing(after, before) };
  });
}
