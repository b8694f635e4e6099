/**
 * Where a packet comes from: a pod of the network, the host, or else the wire of the uplink.
 */
import { familyOf, subnetContains } from '../../basics/addresses/ip-address.ts';
import { sortedBy } from '../../basics/names/ordering.ts';
import { viewNode } from '../../snapshot/node-view.ts';
import type { Link } from '../../snapshot/node-snapshot.ts';
import type { PacketOrigin } from './hop.ts';
import { placeInNetwork } from './place-in-network.ts';
import type { TracedNode } from './traced-node.ts';

/** Where a packet comes from. */
export type FollowedOrigin = { readonly origin: 'pod' | 'wire' } | { readonly origin: 'host'; readonly device: Link };

/** Where a packet comes from, or why it cannot come from there. */
export type OriginReading = FollowedOrigin | { readonly problem: string };

/** Addresses to and from which packets are not followed: unspecified, multicast, broadcast and link-local ones. */
const UNFOLLOWED = ['0.0.0.0/8', '224.0.0.0/4', '255.255.255.255/32', '::/128', 'ff00::/8', 'fe80::/10'] as const;

/** Why packets to or from an address are not followed: it is not that of one host. Undefined if it is. */
export function notOneHost(address: string): string | undefined {
  if (!UNFOLLOWED.some((cidr) => subnetContains(cidr, address))) return undefined;
  return `${address}: expected the address of one host, not an unspecified, multicast, broadcast or link-local one`;
}

/** Why packets between these addresses cannot be followed; undefined if they can. */
export function unfollowedAddress(addresses: readonly string[], { settings }: TracedNode): string | undefined {
  for (const address of addresses) {
    const problem = notOneHost(address);
    if (problem !== undefined) return problem;
    const services = settings.serviceCidrs.find((cidr) => subnetContains(cidr, address));
    if (services !== undefined) {
      return `${address} is the address of a service (${services}): expected that of a pod or a host, as load balancing is not followed; pods of networks that ovn-uplinks provides send it by their network`;
    }
  }
  return undefined;
}

function podSubnets({ datapath: { router } }: TracedNode, address: string): readonly string[] {
  const family = familyOf(address);
  return (family === undefined ? undefined : router.families[family]?.nodeSubnets) ?? [];
}

function list(words: readonly string[]): string {
  return words.join(', ') || 'none';
}

/** The device of the host that has an address; of several, the interface of the uplink or the VRF of the network. */
function deviceWith({ after, dataplane }: TracedNode, address: string): Link | undefined {
  const links = sortedBy(viewNode(after).bearersOf(address), ({ name }) => name);
  return links.find(({ name }) => name === dataplane.device || name === dataplane.vrf.name) ?? links[0];
}

function fromPod(node: TracedNode, source: string): OriginReading {
  if (placeInNetwork(node, source) === 'pod') return { origin: 'pod' };
  const expected = list(podSubnets(node, source));
  return {
    problem: `no pod of ${node.network} on ${node.nodeName} can have ${source}: expected an address of ${expected} other than the router's and the host's`,
  };
}

function fromHost(node: TracedNode, source: string): OriginReading {
  const device = deviceWith(node, source);
  if (device !== undefined) return { origin: 'host', device };
  const addresses = viewNode(node.after)
    .link(node.dataplane.device)
    ?.addresses.map(({ address }) => address)
    .filter((address) => familyOf(address) === familyOf(source));
  return {
    problem: `no device of ${node.nodeName} has ${source}: expected an address of the host, such as ${list(addresses ?? [])} of ${node.dataplane.device}`,
  };
}

/**
 * Where a packet with this source comes from.
 *
 * @param from the origin, if it is given; otherwise it follows from the source
 */
export function originOf(node: TracedNode, source: string, from?: PacketOrigin): OriginReading {
  switch (from) {
    case 'pod':
      return fromPod(node, source);
    case 'host':
      return fromHost(node, source);
    case 'wire':
      return { origin: 'wire' };
    case undefined:
  }
  const place = placeInNetwork(node, source);
  if (place === 'pod') return { origin: 'pod' };
  const device = deviceWith(node, source);
  if (device !== undefined) return { origin: 'host', device };
  const masquerade = node.settings.masqueradeSubnets.find((cidr) => subnetContains(cidr, source));
  if (place === undefined && masquerade === undefined) return { origin: 'wire' };
  const whose =
    masquerade === undefined
      ? `an address of ${node.network}, but of no pod on ${node.nodeName}`
      : `a masquerade address (${masquerade})`;
  return {
    problem: `${source} is ${whose}: expected a pod's address of ${list(podSubnets(node, source))}, one of the host, or --from wire`,
  };
}
