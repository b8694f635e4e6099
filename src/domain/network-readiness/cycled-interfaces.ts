import type { NodeView } from '../snapshot/node-view.ts';
import { vlansOn } from '../node-model/stacked-devices.ts';
import type { Link } from '../snapshot/node-snapshot.ts';
import { surroundings } from '../snapshot/surroundings.ts';

/** An interface, and the VLAN devices on it: what is out of reach while its membership changes. */
export function cycledInterfaces(device: string, view: NodeView): readonly Link[] {
  const link = view.link(device);
  return link === undefined ? [] : [link, ...vlansOn(surroundings(view, [device]), device)];
}
