import { OWN_ROUTE_PROTOCOL } from '../conventions.ts';
import { isOwnNeighbour } from '../entities/neighbour.ts';
import { type ManagedNeighbourEntity, managedNeighbour } from '../entities/managed-neighbour.ts';
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
 * The gateways of an uplink whose networks' packets go by flows: the kernel keeps them resolved, though the host itself may not send to them. An entry of
 * the administrator's that lasts serves as it is.
 */
export function wantedManagedNeighbours({
  defaultGateways,
  device,
  node,
}: DataplaneInput): readonly ManagedNeighbourEntity[] {
  const link = node.link(device);
  const lasting = new Set(
    node
      .neighboursOn(device)
      .filter((neighbour) => isLasting(neighbour, link) && !isOwnNeighbour(neighbour))
      .map(({ address }) => address),
  );
  return defaultGateways.filter((gateway) => !lasting.has(gateway)).map((gateway) => managedNeighbour(device, gateway));
}
