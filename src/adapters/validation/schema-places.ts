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

/** A node that is wanted, or contains a wanted one. */
interface VisitedNode {
  readonly node: SchemaNode;
  readonly isWanted: boolean;
  /** By name, for all fields that the schema names: undefined where nothing is visited. */
  readonly properties: ReadonlyMap<string, VisitedNode | undefined>;
  readonly additionalProperties: VisitedNode | undefined;
  readonly items: VisitedNode | undefined;
}

/**
 * Prepares a walk over values of a schema that visits only certain nodes, and skips parts that cannot contain any: most kinds have none,
 * and a list of a thousand items is skipped if its items have none.
 *
 * @returns a function that finds the places in a value whose node is wanted, outermost first. Items of a list have no old value, since
 * it is unknown which item they were before.
 */
export function placesWhere(
  root: SchemaNode,
  isWanted: (node: SchemaNode) => boolean,
): (value: unknown, oldValue?: unknown) => readonly SchemaPlace[] {
  const visited = visitedNode(root, isWanted);
  return (value, oldValue) => {
    const found: SchemaPlace[] = [];
    if (visited !== undefined) walk(visited, { node: root, value, oldValue, pointer: '' }, found);
    return found;
  };
}

function visitedNode(node: SchemaNode, isWanted: (node: SchemaNode) => boolean): VisitedNode | undefined {
  const visit = (child: SchemaNode | undefined) => child && visitedNode(child, isWanted);
  const properties = new Map([...node.properties].map(([name, child]) => [name, visit(child)]));
  const [additionalProperties, items] = [visit(node.additionalProperties), visit(node.items)];
  const isVisited = [...properties.values(), additionalProperties, items].some((child) => child !== undefined);
  if (!isVisited && !isWanted(node)) return undefined;
  return { node, isWanted: isWanted(node), properties, additionalProperties, items };
}

function walk(visited: VisitedNode, place: SchemaPlace, found: SchemaPlace[]): void {
  const { value, oldValue, pointer } = place;
  if (visited.isWanted) found.push(place);
  if (Array.isArray(value)) {
    const { items } = visited;
    if (items === undefined) return;
    for (const [index, item] of value.entries())
      walk(items, { node: items.node, value: item, oldValue: undefined, pointer: `${pointer}/${index}` }, found);
  } else if (isJsonObject(value)) {
    const { properties, additionalProperties } = visited;
    for (const name of Object.keys(value)) {
      const child = properties.has(name) ? properties.get(name) : additionalProperties;
      if (child === undefined) continue;
      const at = { value: value[name], oldValue: ownField(oldValue, name), pointer: pointerTo(pointer, name) };
      walk(child, { node: child.node, ...at }, found);
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
