import { lazyByMove } from '../../snapshot/lazy-by-move.ts';
import { cycle, lostBetween } from '../../node-model/cycle.ts';
import { withoutMaster } from '../../node-model/membership.ts';
import { addVrf } from '../../node-model/vrf.ts';
import type { DisplacedEntity } from '../../snapshot/ledger.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import type { NodeView } from '../../snapshot/node-view.ts';
import { surroundings } from '../../snapshot/surroundings.ts';

/** The link cycle of a membership change. */
export interface LinkCycle {
  /** The part of the node that it touches. */
  readonly around: NodeSnapshot;
  /** The part after the change. */
  readonly after: NodeSnapshot;
  /** Entities that the kernel drops and does not add again, in an order in which they can be restored. */
  readonly lost: readonly DisplacedEntity[];
}

/** A name that no device has. */
function freeName({ links }: NodeSnapshot): string {
  const names = new Set(links.flatMap(({ name, alternativeNames = [] }) => [name, ...alternativeNames]));
  return ['vrf', ...[...names].map((_, number) => `vrf${number}`)].find((name) => !names.has(name)) ?? '';
}

/** The node with a VRF of the table, which may still have to be created. */
function withVrf(node: NodeSnapshot, table: number, view: NodeView): NodeSnapshot {
  const links = [...new Set([...node.links, ...view.vrfsOf(table)])];
  if (links.some(({ vrfTable }) => vrfTable === table)) return { ...node, links };
  const made = addVrf(node, { name: freeName(node), table });
  return made.done ? made.node : node;
}

/** The node with the device where it is to be. */
function moved(node: NodeSnapshot, device: string, target: number | undefined, view: NodeView): NodeSnapshot {
  if (target === undefined) return cycle(node, device, withoutMaster);
  const ready = withVrf(node, target, view);
  const master = ready.links.find(({ vrfTable }) => vrfTable === target)?.name;
  return cycle(ready, device, (link) => ({ ...link, ...(master !== undefined && { master }) }));
}

/**
 * The link cycle that a change of a device's membership would be; foreseen once for a node, as many decisions ask for it.
 *
 * @param target table of the VRF that the device is to be in; absent where it is to be in none
 */
export const linkCycleOf = lazyByMove((device, target, view): LinkCycle => {
  const around = surroundings(view, [device]);
  const after = moved(around, device, target, view);
  return { around, after, lost: lostBetween(around, after, device) };
});
