/**
 * Entities of an interface that the kernel drops when its membership changes, and where each belongs then.
 */
import { lazyByMove } from '../snapshot/lazy-by-move.ts';
import { canonical } from '../basics/names/ordering.ts';
import { isPlaced, originsOn, placeIn, tableOfMaster } from '../entities/ownership/displaced-entities.ts';
import { linkCycleOf } from '../entities/ownership/link-cycle.ts';
import type { DisplacedEntity } from '../snapshot/ledger.ts';

/** A displaced entity, once per place outside of VRFs. Canonical, so that messages do not depend on the order of its parts. */
export interface LostEntity {
  /** As it is outside of VRFs. */
  readonly origin: DisplacedEntity;
  /** As it is where the interface is to be. */
  readonly place: DisplacedEntity;
}

/**
 * Lost entities, in an order in which all of them can be restored.
 *
 * @param target table of the VRF that the interface is to be in; absent where it is to be in none
 */
export const lostOn = lazyByMove((device, target, view): readonly LostEntity[] => {
  const { around, lost } = linkCycleOf(device, target, view);
  const table = tableOfMaster(view.link(device), (name) => view.link(name));
  return lost
    .flatMap(originsOn(device, table, around.ledger.entries.filter(isPlaced)))
    .map(canonical)
    .map((origin) => ({ origin, place: placeIn(origin, device, target) }));
});
