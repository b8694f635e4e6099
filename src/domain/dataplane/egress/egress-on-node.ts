/** How a network leaves by the node (docs/design/node-egress.md), or why it does not. */
import { CHASSIS_KEY, TRANSIT_SUBNETS } from '../../basics/conventions.ts';
import { LINK_LOCAL_SUBNETS, withoutContained } from '../../basics/addresses/ip-address.ts';
import { type EgressFailure, hostFailure } from './egress-failure.ts';
import { type FilterSurroundings, waysOf } from './filter-elements.ts';
import { lazyByObjects } from '../../basics/incremental/by-identity.ts';
import { interned } from '../../basics/incremental/interned.ts';
import { type NetworkAddress, networkAddresses } from './network-by-node.ts';
import { openedDestinations } from './opened-destinations.ts';
import type { LogicalNetwork } from '../logical-network/node-addresses.ts';
import { addressInRule, isOwnRule } from '../../entities/kernel/rule.ts';
import { managementPortName } from '../../network/names/management-port.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import type { NodeSettings } from '../../snapshot/settings.ts';

/** A network that leaves by the node, there. */
export interface EgressOnNode {
  /** Subnets of its pods on all nodes, CIDR. */
  readonly subnets: readonly string[];
  readonly networkAddresses: readonly NetworkAddress[];
  /** The devices that its packets are seen on. */
  readonly devices: readonly string[];
  /** The chassis of the node; empty where it has none. */
  readonly chassis: string;
  /** Destinations that OVN drops, but for those that are opened, CIDR. */
  readonly unreached: readonly string[];
  /** Destinations among these to which its pods on the node leave nevertheless, CIDR. */
  readonly opened: readonly string[];
  /** Why it does not get out, at least by its first family; absent where it does. */
  readonly failure?: EgressFailure;
  /** Why it does not get out by its second family; absent where it does, or has none. */
  readonly failureOfSecond?: EgressFailure;
  /** Whether it is let out: what is there already stays. */
  readonly isProgrammed: boolean;
}

/** A node that networks leave by. */
export interface NodeOfEgress {
  readonly node: NodeSnapshot;
  readonly settings: NodeSettings;
  /** The devices that they leave by. */
  readonly ways: FilterSurroundings['ways'];
}

/** Equal ways as one object: not every route that changes is one. */
const sameWays = interned<FilterSurroundings['ways']>(2);

/** The devices that networks leave a node by: the same object for the same ones. */
export const waysOn = lazyByObjects(
  (routes: NodeSnapshot['routes'], settings: NodeSettings): FilterSurroundings['ways'] =>
    sameWays(waysOf(routes, settings.egressDevices)),
);

/** Whether the node has what lets a network out, from before. */
function isThere(addresses: readonly NetworkAddress[], { rules }: Pick<NodeSnapshot, 'rules'>): boolean {
  const ofNetwork = new Set(addresses.map(({ address }) => address));
  return rules.some((rule) => isOwnRule(rule) && ofNetwork.has(addressInRule(rule) ?? ''));
}

/** Why no network is let out; undefined where they are. */
function shutBy(isDefaultNetworkKnown: boolean, chassis: string): EgressFailure | undefined {
  if (!isDefaultNetworkKnown) return { cause: 'cluster-subnets-unknown' };
  return chassis === '' ? { cause: 'no-chassis' } : undefined;
}

/**
 * Decides how a network leaves by the node.
 *
 * @param vrf name of its VRF
 * @param isDefaultNetworkKnown whether the subnets of pods of the default network are known
 */
export function egressOnNode(
  network: Pick<LogicalNetwork, 'networkId' | 'subnets'>,
  vrf: string,
  isDefaultNetworkKnown: boolean,
  { node, settings, ways }: NodeOfEgress,
): EgressOnNode {
  const addresses = networkAddresses(network, settings.masqueradeSubnets);
  const [first, second] = addresses.map(({ family }) => hostFailure(network.networkId, family, ways, node));
  const chassis = node.switchExternalIds[CHASSIS_KEY] ?? '';
  const shut = shutBy(isDefaultNetworkKnown, chassis);
  const failure = shut ?? first;
  const subnets = network.subnets.map(({ cidr }) => cidr);
  const inOvn = [...settings.masqueradeSubnets, ...TRANSIT_SUBNETS];
  return {
    subnets,
    networkAddresses: addresses,
    devices: [managementPortName(network.networkId), vrf],
    chassis,
    unreached: withoutContained([...inOvn, ...LINK_LOCAL_SUBNETS]),
    opened: openedDestinations(settings.egressAllow, [...inOvn, ...settings.serviceCidrs, ...subnets]),
    ...(failure !== undefined && { failure }),
    ...(second !== undefined && { failureOfSecond: second }),
    isProgrammed: chassis !== '' && (shut === undefined || isThere(addresses, node)),
  };
}
