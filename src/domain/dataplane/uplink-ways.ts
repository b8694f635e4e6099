/**
 * The ways of networks from the wire on a node: the place of each on the bridge of its uplink, as flows for its Services need it, and what there is beside it.
 */
import { TCP_IN_VRFS_SETTING } from '../basics/conventions.ts';
import { lastByObject } from '../basics/incremental/by-identity.ts';
import { interned } from '../basics/incremental/interned.ts';
import { sameList } from '../basics/incremental/same-if-equal.ts';
import { by, distinct } from '../basics/names/ordering.ts';
import type { LinkAddresses } from '../network/provision/taken-addresses.ts';
import type { NodeView } from '../snapshot/node-view.ts';
import { bridgesOf, type ClusterSubnets, type Connected, firstZonesOf, isConnected } from './bridge-dataplane.ts';
import type { NetworkDataplane } from './network-dataplane.ts';
import type { BridgeInput, PerFamily } from './pipeline/bridge-input.ts';
import type { Scopes } from './pipeline/row.ts';

/** The way of a network from the wire. Plain data. */
export interface UplinkWay {
  /** Its name in OVN. */
  readonly networkName: string;
  readonly scope: Scopes['network'];
  readonly links: LinkAddresses;
  /** The VRF of the uplink, if TCP sockets of the host that are bound to no VRF do not answer there; absent where they answer at the addresses of the uplink. */
  readonly unansweredVrf?: string;
}

const ofBoth = <Value>(values: PerFamily<Value | readonly Value[]>) =>
  ([4, 6] as const).flatMap((family) => values[family] ?? []) as readonly Value[];

/** Equal ways as one object. */
const sameWay = interned<UplinkWay>();

const sameWays = sameList<UplinkWay>();

function waysOn(
  { uplinks, ...bridge }: BridgeInput,
  connected: ReadonlyMap<string, Connected>,
  links: Omit<LinkAddresses, 'advertised'>,
  isAnsweredInVrfs: boolean,
): readonly UplinkWay[] {
  const advertised = uplinks.flatMap(({ networks }) =>
    networks.flatMap(({ advertisedSubnets }) => ofBoth(advertisedSubnets)),
  );
  return uplinks.flatMap(({ networks, neighbours: _, ...uplink }) =>
    networks.flatMap((network) => {
      const found = connected.get(network.network);
      if (found === undefined) return [];
      const { networkName, vrf } = found;
      const unansweredVrf = vrf.enslaves && !isAnsweredInVrfs ? { unansweredVrf: vrf.name } : {};
      const scope = { bridge, uplink, network };
      return [sameWay({ networkName, scope, links: { ...links, advertised }, ...unansweredVrf })];
    }),
  );
}

function computed(connected: readonly Connected[], subnets: ClusterSubnets, node: NodeView): readonly UplinkWay[] {
  const byKey = new Map(connected.map((each) => [each.network, each]));
  const bridges = bridgesOf(connected, subnets, node);
  const links = {
    uplinks: distinct(bridges.flatMap(({ uplinkAddresses }) => ofBoth(uplinkAddresses))),
    gateways: distinct(connected.flatMap(({ datapath }) => datapath.gateways)),
  };
  // Without that setting a kernel has no VRFs, or was not asked for it.
  const isAnsweredInVrfs = node.snapshot.sysctls[TCP_IN_VRFS_SETTING] !== '0';
  return bridges
    .flatMap((bridge) => waysOn(bridge, byKey, links, isAnsweredInVrfs))
    .toSorted(by(({ networkName }) => networkName));
}

const lastWays = lastByObject<readonly UplinkWay[]>();

/**
 * The ways of networks that are programmed on their uplinks, by the names of these networks: the same list as long as it has the same ways.
 *
 * @param subnets of the cluster
 */
export function uplinkWays(
  networks: readonly NetworkDataplane[],
  subnets: ClusterSubnets,
  node: NodeView,
): readonly UplinkWay[] {
  const connected = networks.filter(isConnected);
  // Flows change all the time, and the zones that are read from them do not.
  const { switchExternalIds, sysctls } = node.snapshot;
  const parts = [
    ...connected,
    firstZonesOf(connected, node).join(),
    switchExternalIds,
    sysctls[TCP_IN_VRFS_SETTING] ?? '',
  ];
  return lastWays(subnets, parts, () => sameWays(subnets, computed(connected, subnets, node)));
}
