/**
 * How is a Service reached from outside of its network on a node: by which addresses and ports, and on which way from the wire?
 */
import type { Service } from '../api/service.ts';
import type { PerFamily } from '../dataplane/pipeline/bridge-input.ts';
import type { UplinkWay } from '../dataplane/uplink-ways.ts';
import type { Network } from '../network/network.ts';
import { noLinkAddresses, ownerOfAddress } from '../network/provision/taken-addresses.ts';
import type { SubnetIndex } from '../network/provision/used-subnets.ts';
import { judgedOutsideAddresses, type JudgedOutsideAddress } from './exposed-addresses.ts';
import { type OutsidePort, outsidePorts } from './exposed-ports.ts';

/** The way of a network from the wire on a node; `unknown` where what there is of it stays as it is, `none` where it has none. */
export type WayOfNetwork = UplinkWay | 'unknown' | 'none';

/** The facts about a node and its cluster by which it is decided how Services are reached from outside. */
export interface OutsideSurroundings {
  /** Subnets of addresses that authors of Services may ask for, CIDR. */
  readonly externalIps: readonly string[];
  /** The subnets that the cluster uses. */
  readonly used: SubnetIndex;
  readonly wayOf: (networkName: string) => WayOfNetwork;
}

/**
 * Finds the ways of networks by their names in OVN: where one is held and its way is not known, what there is of it stays as it is.
 *
 * @param held names of networks on uplinks that are held
 */
export function wayFinder(
  ways: ReadonlyMap<string, UplinkWay>,
  held: ReadonlySet<string>,
): OutsideSurroundings['wayOf'] {
  return (name) => ways.get(name) ?? (held.has(name) ? 'unknown' : 'none');
}

/** A Service as it is reached from outside, if no other one has its ports. */
export interface ServedOutside {
  readonly way: WayOfNetwork;
  /** The link on which no two Services have one port; without a way from the wire they meet in their network alone. */
  readonly link: string;
  readonly addresses: readonly JudgedOutsideAddress[];
  readonly ports: readonly OutsidePort[];
}

/** The addresses of an uplink in the families that a network has on it. */
function addressesOn({ scope: { uplink, network } }: UplinkWay): PerFamily<string> {
  return Object.fromEntries(
    Object.entries(uplink.addresses).filter(
      ([family]) => network.masqueradeAddresses[family === '4' ? 4 : 6] !== undefined,
    ),
  );
}

function linkOf(way: WayOfNetwork, network: Network): string {
  if (typeof way !== 'object') return network.key;
  const { bridge, uplink } = way.scope;
  return `${bridge.bridge} ${String(uplink.vlan ?? 'untagged')}`;
}

/** Decides how a Service of a network is reached from outside on a node. */
export function servedOutside(
  service: Service,
  network: Network,
  { externalIps, used, wayOf }: OutsideSurroundings,
): ServedOutside {
  const way = wayOf(network.networkName);
  const isOnWire = typeof way === 'object';
  const links = isOnWire ? way.links : noLinkAddresses;
  const addresses = judgedOutsideAddresses(service, {
    externalIps,
    ownerOf: (address) => ownerOfAddress(address, network, used, links),
  });
  return {
    way,
    link: linkOf(way, network),
    addresses,
    ports: outsidePorts(service, addresses, isOnWire ? addressesOn(way) : {}),
  };
}
