import type { Link, NodeSnapshot } from '../snapshot/node-snapshot.ts';

/** A part of a snapshot without some entities. */
export function without<Item, Entity>(
  items: readonly Item[],
  entities: readonly Entity[],
  itemOf: (entity: Entity) => Item,
): readonly Item[] {
  const taken = new Set(entities.map(itemOf));
  return items.filter((item) => !taken.has(item));
}

/** The conflict of an entity with one that is not managed, as texts. */
export function conflictSentence(found: string, desired: string): string {
  return `${found} conflicts with ${desired} and is not managed by ovn-uplinks`;
}

/** The node with its devices changed. */
export function withLinks(node: NodeSnapshot, change: (link: Link) => Link): NodeSnapshot {
  return { ...node, links: node.links.map(change) };
}
