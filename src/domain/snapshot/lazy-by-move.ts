import { lazyByObject } from '../basics/incremental/by-identity.ts';
import { lazyByKey } from '../basics/incremental/lazy.ts';
import type { NodeView } from './node-view.ts';

/** Computes something about the membership that a device is to have on a node. @param target the table of the VRF; undefined for none */
type OfMove<Value> = (device: string, target: number | undefined, view: NodeView) => Value;

/** Computes a value for each change of a device's membership on a node, on first use: many decisions ask for it. */
export function lazyByMove<Value>(compute: OfMove<Value>): OfMove<Value> {
  const onNode = lazyByObject((view: NodeView) =>
    lazyByKey((target: number | undefined) => lazyByKey((device: string) => compute(device, target, view))),
  );
  return (device, target, view) => onNode(view)(target)(device);
}
