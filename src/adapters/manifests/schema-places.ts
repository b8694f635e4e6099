import { isJsonObject } from '../json/json-object.ts';
import type { SchemaNode } from './schema-node.ts';

/** A part of a value together with the part of the schema that describes it. */
export interface SchemaPlace {
  readonly node: SchemaNode;
  readonly value: unknown;
  /** The same part of the object before an update; undefined where there was none. */
  readonly oldValue: unknown;
  /** Where in the value, as a JSON pointer (RFC 6901). */
  readonly pointer: string;
}

/**
 * Prepares a walk over values of one schema that stops only at certain nodes, and leaves out what cannot lead to one: most kinds
 * have none, and a list of a thousand items is passed by if its items have none.
 *
 * @returns the places of a value whose node is wanted, outermost first. Items of a list have no old value: nothing says which item
 *   became which.
 */
export function placesWhere(
  root: SchemaNode,
  isWanted: (node: SchemaNode) => boolean,
): (value: unknown, oldValue?: unknown) => Generator<SchemaPlace> {
  const ways = new Set<SchemaNode>();
  markWays(root, isWanted, ways);
  function* followLinks(place: SchemaPlace): Generator<SchemaPlace> {
    if (!ways.has(place.node)) return;
    if (isWanted(place.node)) yield place;
    for (const child of childrenOf(place)) yield* followLinks(child);
  }
  return (value, oldValue) => followLinks({ node: root, value, oldValue, pointer: '' });
}

/** Collects the nodes that are wanted or have a wanted node below them. */
function markWays(node: SchemaNode, isWanted: (node: SchemaNode) => boolean, ways: Set<SchemaNode>): boolean {
  const below = [...node.properties.values(), node.additionalProperties, node.items]
    .filter((child) => child !== undefined)
    .map((child) => markWays(child, isWanted, ways));
  const leads = isWanted(node) || below.includes(true);
  if (leads) ways.add(node);
  return leads;
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

/** The pointer to a field of what a pointer leads to (RFC 6901, section 3). */
export function pointerTo(parent: string, field: string): string {
  return `${parent}/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
