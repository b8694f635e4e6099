import { OWN_ROUTE_PROTOCOL } from '../conventions.ts';
import { isOwnNeighbour } from '../entities/neighbour.ts';
import { canonicalAddress, familyOf } from '../ip-address.ts';
import { isLasting } from '../node-model/lasting-neighbour.ts';
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

/**
 * The gateways of an uplink whose networks' packets go by flows: the kernel keeps them resolved, though the host itself may not send to them. Entries of
 * the administrator's that last serve as they are: to have the kernel resolve a permanent one would change it.
 */
export function wantedManagedNeighbours({
  defaultGateways,
  families,
  device,
  node,
}: DataplaneInput): readonly Neighbour[] {
  const link = node.link(device);
  const isLastingOfOthers = (neighbour: Neighbour) => isLasting(neighbour, link) && !isOwnNeighbour(neighbour);
  const lasting = new Set(
    node
      .neighboursOn(device)
      .filter(isLastingOfOthers)
      .map(({ address }) => canonicalAddress(address)),
  );
  return defaultGateways
    .filter(
      (address) => families.some((family) => family === familyOf(address)) && !lasting.has(canonicalAddress(address)),
    )
    .map((address) => ({ device, address, states: ['managed'], protocol: OWN_ROUTE_PROTOCOL }));
}
