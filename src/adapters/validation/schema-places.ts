import { isJsonObject } from '../json/json-object.ts';
import type { SchemaNode } from './schema-node.ts';

/** A part of a value, with its schema. */
export interface SchemaPlace {
  readonly node: SchemaNode;
  readonly value: unknown;
  /** This part of the object before an update; undefined if there was none. */
  readonly oldValue: unknown;
  /** The path in the value, as a JSON pointer (RFC 6901). */
  readonly pointer: string;
}

/**
 * Prepares a walk over values of a schema that visits only certain nodes, and skips parts that cannot contain any: most kinds have none,
 * and a list of a thousand items is skipped if its items have none.
 *
 * @returns a function that yields the places in a value whose node is wanted, outermost first. Items of a list have no old value, since
 * it is unknown which item they were before.
 */
export function placesWhere(
  root: SchemaNode,
  isWanted: (node: SchemaNode) => boolean,
): (value: unknown, oldValue?: unknown) => Generator<SchemaPlace> {
  const visited = new Set<SchemaNode>();
  markVisited(root, isWanted, visited);
  function* walk(place: SchemaPlace): Generator<SchemaPlace> {
    if (!visited.has(place.node)) return;
    if (isWanted(place.node)) yield place;
    for (const child of childrenOf(place)) yield* walk(child);
  }
  return (value, oldValue) => walk({ node: root, value, oldValue, pointer: '' });
}

/** Adds the nodes that are wanted or contain a wanted node. */
function markVisited(node: SchemaNode, isWanted: (node: SchemaNode) => boolean, visited: Set<SchemaNode>): boolean {
  const areVisited = [...node.properties.values(), node.additionalProperties, node.items]
    .filter((child) => child !== undefined)
    .map((child) => markVisited(child, isWanted, visited));
  const isVisited = isWanted(node) || areVisited.includes(true);
  if (isVisited) visited.add(node);
  return isVisited;
}

function* childrenOf({ node, value, oldValue, pointer }: SchemaPlace): Generator<SchemaPlace> {
  if (Array.isArray(value)) {
    if (node.items === undefined) return;
    for (const [index, item] of value.entries()) {
      yield { node: node.items, value: item, oldValue: undefined, pointer: `${pointer}/${index}` };
    }
  } else if (isJsonObject(value)) {
    for (const [name, field] of Object.entries(value)) {
      const child = node.properties.get(name) ?? node.additionalProperties;
      if (child === undefined) continue;
      yield { node: child, value: field, oldValue: ownField(oldValue, name), pointer: pointerTo(pointer, name) };
    }
  }
}

function ownField(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The pointer to a field of the value at a pointer (RFC 6901, section 3). */
export function pointerTo(parent: string, field: string): string {
  return `${parent}/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
