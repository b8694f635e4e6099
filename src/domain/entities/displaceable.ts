import type { DisplacedEntity } from '../snapshot/ledger.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import type { DisplaceableKind } from './entity-kind.ts';
import { entityKinds } from './entity-kinds.ts';

/** The properties of the kind of an entity that link cycles displace. */
export function displaceableKindOf<Some extends DisplacedEntity>({ kind }: Some): DisplaceableKind<Some> {
  // As in `kindOf`: the compiler cannot infer that each name has the kind of its own entities.
  return entityKinds[kind] as unknown as DisplaceableKind<Some>;
}

/** Identifies a displaced entity. */
export function displacedKey(entity: DisplacedEntity): string {
  return displaceableKindOf(entity).displaced.key(entity);
}

/** The entity, for people. */
export function displacedText(entity: DisplacedEntity): string {
  return displaceableKindOf(entity).text(entity);
}

/** Whether ovn-uplinks restores an entity. */
export function isPutBack(entity: DisplacedEntity, node: Pick<NodeSnapshot, 'sysctls'>): boolean {
  return displaceableKindOf(entity).displaced.isPutBack(entity, node);
}

/** The kinds of entity that link cycles displace. */
export const displaceableKinds = Object.values(entityKinds).filter((kind) => 'displaced' in kind);
