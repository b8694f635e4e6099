import type { NodeView } from '../snapshot/node-view.ts';
import { linkCycleOf } from '../ownership/link-cycle.ts';
import { vlansOn } from '../node-model/stacked-devices.ts';
import type { Link } from '../snapshot/node-snapshot.ts';

/** An interface, and the VLAN devices on it: what is out of reach while its membership changes. */
export function takenDownWith(device: string, view: NodeView): readonly Link[] {
  const link = view.link(device);
  return link === undefined ? [] : [link, ...vlansOn(linkCycleOf(device, view).around, device)];
}
