/**
 * Where a packet begins: a pod of the network, the host, or else the wire of the uplink.
 */
import { familyOf, subnetContains } from '../ip-address.ts';
import { viewNode } from '../snapshot/node-view.ts';
import type { Link } from '../snapshot/node-snapshot.ts';
import type { Origin } from './hop.ts';
import { placeInNetwork } from './routers.ts';
import type { TracedNode } from './traced-node.ts';

/** Where a packet begins, or why it cannot. */
export type OriginReading =
  | { readonly origin: 'pod' | 'wire' }
  | { readonly origin: 'host'; readonly device: Link }
  | { readonly problem: string };

/** Addresses that no packet can be followed to or from: unspecified, multicast and broadcast ones, and those that every link has. */
const UNFOLLOWED = ['0.0.0.0/8', '224.0.0.0/4', '255.255.255.255/32', '::/128', 'ff00::/8', 'fe80::/10'] as const;

/** Why packets from one of these addresses to the other cannot be followed; nothing where they can. */
export function unfollowedAddress(addresses: readonly string[], { settings }: TracedNode): string | undefined {
  for (const address of addresses) {
    if (UNFOLLOWED.some((cidr) => subnetContains(cidr, address))) {
      return `${address}: expected the address of one host, not an unspecified, multicast, broadcast or link-local one`;
    }
    const services = settings.serviceCidrs.find((cidr) => subnetContains(cidr, address));
    if (services !== undefined) {
      return `${address} is the address of a service (${services}): expected that of a pod or a host, as load balancing is not followed`;
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

/** The device of the host that has an address; of several, that of the uplink or of the network's VRF. */
function bearer({ after, dataplane }: TracedNode, address: string): Link | undefined {
  const links = viewNode(after).bearersOf(address);
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
  const device = bearer(node, source);
  if (device !== undefined) return { origin: 'host', device };
  const addresses = viewNode(node.after)
    .link(node.dataplane.device)
    ?.addresses.map(({ address }) => address)
    .filter((address) => familyOf(address) === familyOf(source));
  return {
    problem: `no device of ${node.nodeName} has ${source}: expected an address of the host, such as ${list(addresses ?? [])} of ${node.dataplane.device}`,
  };
}

/** Where a packet with this source begins; `from` where that is told. */
export function originOf(node: TracedNode, source: string, from?: Origin): OriginReading {
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
  const device = bearer(node, source);
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
