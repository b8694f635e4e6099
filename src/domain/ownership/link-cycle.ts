import { lazyByKey, lazyByObject } from '../lazy.ts';
import { lostByCycle } from '../node-model/cycle.ts';
import type { DisplacedEntity } from '../snapshot/ledger.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import type { NodeView } from '../snapshot/node-view.ts';
import { surroundings } from '../snapshot/surroundings.ts';

/** The link cycle of a membership change: what it touches, and what of that the kernel drops and does not add again, in an order in which it can be restored. */
export interface LinkCycle {
  readonly around: NodeSnapshot;
  readonly lost: readonly DisplacedEntity[];
}

const linkCycles = lazyByObject((view: NodeView) =>
  lazyByKey((device: string): LinkCycle => {
    const around = surroundings(view, [device]);
    return { around, lost: lostByCycle(around, device) };
  }),
);

/** The link cycle that a change of a device's membership would be; foreseen once for a node, as many decisions ask for it. */
export function linkCycleOf(device: string, view: NodeView): LinkCycle {
  return linkCycles(view)(device);
}
