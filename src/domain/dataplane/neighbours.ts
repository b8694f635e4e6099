import { OWN_ROUTE_PROTOCOL } from '../conventions.ts';
import type { Neighbour } from '../snapshot/node-snapshot.ts';
import type { DataplaneInput } from './dataplane-input.ts';

/** No device answers for the dummy next hop, so its MAC address is set. */
export function wantedNeighbours(input: DataplaneInput): readonly Neighbour[] {
  return input.families.flatMap((family) => {
    const { dummyNextHop } = input.addressing[family];
    if (dummyNextHop === undefined) return [];
    return [{ ...dummyNextHop, device: input.device, states: ['permanent'], protocol: OWN_ROUTE_PROTOCOL }];
  });
}
