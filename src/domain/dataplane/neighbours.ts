import { OWN_ROUTE_PROTOCOL } from '../conventions.ts';
import { isOwnNeighbour } from '../entities/neighbour.ts';
import { canonicalAddress, familyOf } from '../ip-address.ts';
import { isLasting } from '../node-model/lasting-neighbour.ts';
import type { Neighbour } from '../snapshot/node-snapshot.ts';
import type { NodeView } from '../snapshot/node-view.ts';
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
 * Entries by which the kernel keeps addresses resolved, though the host itself may not send to them. Entries of the administrator's that last serve as
 * they are: to have the kernel resolve a permanent one would change it.
 */
export function managedNeighbours(
  device: string,
  addresses: readonly string[],
  protocol: string,
  node: NodeView,
): readonly Neighbour[] {
  const link = node.link(device);
  const isLastingOfOthers = (neighbour: Neighbour) => isLasting(neighbour, link) && !isOwnNeighbour(neighbour);
  const lasting = new Set(
    node
      .neighboursOn(device)
      .filter(isLastingOfOthers)
      .map(({ address }) => canonicalAddress(address)),
  );
  return addresses
    .filter((address) => !lasting.has(canonicalAddress(address)))
    .map((address) => ({ device, address, states: ['managed'], protocol }));
}

/** The gateways of an uplink whose networks' packets go by flows. */
export function wantedManagedNeighbours({
  defaultGateways,
  families,
  device,
  node,
}: DataplaneInput): readonly Neighbour[] {
  const gateways = defaultGateways.filter((address) => families.some((family) => family === familyOf(address)));
  return managedNeighbours(device, gateways, OWN_ROUTE_PROTOCOL, node);
}
