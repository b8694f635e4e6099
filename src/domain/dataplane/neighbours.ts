import { type ADOPTED_NEIGHBOUR_PROTOCOL, OWN_ROUTE_PROTOCOL } from '../basics/conventions.ts';
import { isOwnNeighbour, type NeighbourEntity, neighbourEntity } from '../entities/kernel/neighbour.ts';
import { canonicalAddress, familyOf } from '../basics/addresses/ip-address.ts';
import { isLasting } from '../node-model/neighbours/lasting-neighbour.ts';
import type { Neighbour } from '../snapshot/node-snapshot.ts';
import type { NodeView } from '../snapshot/node-view.ts';
import type { DataplaneInput } from './dataplane-input.ts';
import { nextHopFlow } from './pipeline/next-hop.ts';
import { nextHopVlans, ownActions } from './remembered-flows.ts';
import type { UplinkInput } from './pipeline/bridge-input.ts';

/** The neighbour entries of the dummy next hop, which no device answers for. */
export function wantedNeighbours(input: DataplaneInput): readonly Neighbour[] {
  return input.families.flatMap((family) => {
    const { dummyNextHop } = input.addressing[family];
    if (dummyNextHop === undefined) return [];
    return [{ ...dummyNextHop, device: input.device, states: ['permanent'], protocol: OWN_ROUTE_PROTOCOL }];
  });
}

/** An uplink, as far as its neighbour entries depend on it. */
export interface NeighbourLink {
  /** The uplink's interface on the host. */
  readonly device: string;
  readonly bridge: string;
  readonly uplink: Pick<UplinkInput, 'macAddress' | 'vlan'>;
}

/** Whether managed flows have a neighbour in a VLAN other than the present one of the uplink, and not in that. */
function isOfAnotherVlan(
  { bridge, uplink }: NeighbourLink,
  address: string,
  isGateway: boolean,
  node: NodeView,
): boolean {
  const { flows } = node.snapshot;
  const known = nextHopVlans(bridge, flows);
  if (known.every((vlan) => vlan === uplink.vlan)) return false;
  const vlans = known.filter((vlan) => {
    const { flow } = nextHopFlow(
      { macAddress: uplink.macAddress, ...(vlan !== undefined && { vlan }) },
      address,
      isGateway,
    );
    return ownActions({ bridge, ...flow }, flows) !== undefined;
  });
  return vlans.length > 0 && !vlans.includes(uplink.vlan);
}

/**
 * Entries by which the kernel keeps addresses resolved, although the host may not send to them. A lasting entry of the administrator's is used as it
 * is: to have the kernel resolve it would change it.
 */
export function managedNeighbours(
  link: NeighbourLink,
  addresses: readonly string[],
  protocol: typeof OWN_ROUTE_PROTOCOL | typeof ADOPTED_NEIGHBOUR_PROTOCOL,
  node: NodeView,
): readonly NeighbourEntity[] {
  const { device } = link;
  const isLastingOfOthers = (neighbour: Neighbour) =>
    isLasting(neighbour, node.link(device)) && !isOwnNeighbour(neighbour);
  const lasting = new Set(
    node
      .neighboursOn(device)
      .filter(isLastingOfOthers)
      .map(({ address }) => canonicalAddress(address)),
  );
  return addresses
    .filter((address) => !lasting.has(canonicalAddress(address)))
    .map((address) => ({
      ...neighbourEntity({ device, address, states: ['managed'], protocol }),
      ...(isOfAnotherVlan(link, address, protocol === OWN_ROUTE_PROTOCOL, node) && { isOutdated: true as const }),
    }));
}

/** The gateways of an uplink in some families: flows need their MAC addresses. */
export function wantedManagedNeighbours(
  {
    defaultGateways,
    families,
    device,
    bridge,
    node,
  }: Pick<DataplaneInput, 'defaultGateways' | 'families' | 'device' | 'bridge' | 'node'>,
  uplink: NeighbourLink['uplink'],
): readonly NeighbourEntity[] {
  const gateways = defaultGateways.filter((address) => families.some((family) => family === familyOf(address)));
  return managedNeighbours({ device, bridge, uplink }, gateways, OWN_ROUTE_PROTOCOL, node);
}
