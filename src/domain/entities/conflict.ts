import { sortedBy, canonical } from '../basics/names/ordering.ts';
import type { Ledger } from '../snapshot/ledger.ts';
import { type Entity, kindOf } from './entity-kinds.ts';
import { conflictSentence } from './parts.ts';

/** An entity of another program, or of another network, is at the place of a desired one and has other content. */
export interface EntityConflict {
  readonly cause: 'in-the-way';
  readonly wanted: Entity;
  readonly found: Entity;
}

/** The fault, for people. */
export function conflictText({ found, wanted }: Pick<EntityConflict, 'found' | 'wanted'>): string {
  const kind = kindOf<Entity>(wanted);
  return kind.conflictText?.(found, wanted) ?? conflictSentence(kind.text(found), kind.text(wanted));
}

/**
 * The conflict of a desired entity with one of several; absent if all of them satisfy it.
 *
 * @param isSatisfied whether one of them is as desired
 */
export function conflictAmong<Some extends Entity>(
  desired: Some,
  others: readonly Some[],
  isSatisfied: (other: Some) => boolean,
): EntityConflict | undefined {
  const wanted: Entity = canonical(desired);
  const conflicts = others
    .filter((other) => !isSatisfied(other))
    .map((other): EntityConflict => ({ cause: 'in-the-way', wanted, found: canonical(other) }));
  return sortedBy(conflicts, conflictText)[0];
}

/**
 * The conflict of a desired entity with one of another program; absent if there is none.
 *
 * @param others of `foreignAtPlaceOf`
 */
export function conflictWith(desired: Entity, others: readonly Entity[], ledger: Ledger): EntityConflict | undefined {
  if (others.length === 0) return undefined;
  return conflictAmong(desired, others, (other) => kindOf<Entity>(desired).satisfies(other, desired, ledger));
}
