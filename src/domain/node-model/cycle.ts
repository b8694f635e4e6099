import type { DisplacedThing } from '../ownership/ledger.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';

/**
 * What the kernel drops and does not make again when the link of a device goes down and up, as it does when the device enters a VRF or
 * leaves one. In an order in which all of it can be put back.
 */
export function lostByCycle(_node: NodeSnapshot, _device: string): readonly DisplacedThing[] {
  return [];
}
