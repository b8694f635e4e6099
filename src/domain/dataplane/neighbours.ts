import { OWN_ROUTE_PROTOCOL } from '../conventions.ts';
import type { Neighbour } from '../snapshot/node-snapshot.ts';
import type { DataplaneInput } from './dataplane-input.ts';
import { dummyNextHop } from './masquerade.ts';

/** Nobody would answer for the dummy next hop, so the kernel is told its MAC address. */
export function wantedNeighbours(input: DataplaneInput): readonly Neighbour[] {
  return input.families.flatMap((family) => {
    const nextHop = dummyNextHop(input, family);
    if (nextHop === undefined) return [];
    return [{ ...nextHop, device: input.device, states: ['permanent'], protocol: OWN_ROUTE_PROTOCOL }];
  });
}
