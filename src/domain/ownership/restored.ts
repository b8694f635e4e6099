/**
 * A node as it will be once everything that our changes displaced is back in its place.
 *
 * Decisions are made about this node: a gateway that is on its way back counts as there, or a crash half-way would change what is decided.
 */
import { displaceableKindOf } from '../entities/displaceable.ts';
import { groupBy } from '../grouping.ts';
import { lazyByObject } from '../lazy.ts';
import type { DisplacedEntity } from '../snapshot/ledger.ts';
import { entriesOf } from '../snapshot/ledger.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { placeIn, presenceIn, vrfTableOf } from './displaced-things.ts';
import { elapsedSeconds } from './entry-kinds.ts';
import { settle } from './settle.ts';

/** One entity that has to be put back. */
export interface AwaitingEntity {
  /** The device whose membership was changed. */
  readonly device: string;
  /** The entity where it belongs now, with what is left of its lifetime. */
  readonly entity: DisplacedEntity;
  /** The entity as it was. */
  readonly origin: DisplacedEntity;
}

/** What has to be put back on a node whose ledger is settled. */
export function awaitingEntities(node: NodeSnapshot): readonly AwaitingEntity[] {
  const entries = entriesOf(node.ledger, 'displaced').filter(({ state }) => state === 'awaiting');
  if (entries.length === 0) return [];
  const links = new Map(node.links.map((link) => [link.name, link]));
  const isThere = presenceIn(node);
  return entries.flatMap((entry) => {
    const { device, entity: origin } = entry;
    const vrfTable = vrfTableOf(links.get(device), (name) => links.get(name));
    const elapsed = elapsedSeconds(entry, node);
    const aged = elapsed === 0 ? origin : (displaceableKindOf(origin).displaced.aged?.(origin, elapsed) ?? origin);
    const entity = placeIn(aged, device, vrfTable);
    return isThere(entity) ? [] : [{ device, entity, origin }];
  });
}

/** The node with its ledger settled; the node itself where that changes nothing. */
export const withSettledLedger = lazyByObject((node: NodeSnapshot): NodeSnapshot => {
  const ledger = settle(node);
  return ledger === node.ledger ? node : { ...node, ledger };
});

/** The node as it will be once everything that awaits being put back is there; its ledger is settled. */
export const restored = lazyByObject((found: NodeSnapshot): NodeSnapshot => {
  const node = withSettledLedger(found);
  const byKind = groupBy(
    awaitingEntities(node).map(({ entity }) => entity),
    ({ kind }) => kind,
  );
  return [...byKind.values()].reduce((before, entities) => {
    const [first] = entities;
    return first === undefined ? before : displaceableKindOf(first).put(before, entities);
  }, node);
});
