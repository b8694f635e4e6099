import {
  withoutLength,
  canonicalAddress,
  compareAddresses,
  familyOf,
  isLinkLocal,
  prefixLengthOf,
  subnetContains,
} from '../basics/addresses/ip-address.ts';
import { least } from '../basics/names/ordering.ts';
import type { Address, Link } from '../snapshot/node-snapshot.ts';
import { defaultGatewaysOf, preferredSourcesOf, routingTableOf } from './default-gateways.ts';
import type { Check, DiscoveryInput, FoundAddresses, FoundInterface } from './discovery.ts';
import type { NodeView } from '../snapshot/node-view.ts';

/** Flags of addresses that are not published (ip-address(8)). */
const unreliableFlags: ReadonlySet<string> = new Set(['temporary', 'deprecated', 'dadfailed']);

/**
 * Flags of addresses that are published only if they are already. Enslaving restarts duplicate address detection, for two seconds in which an address
 * is tentative. An address becomes secondary if it is lost and comes back, as by DHCP, when the interface has another one of its subnet.
 */
const passingFlags: ReadonlySet<string> = new Set(['tentative', 'secondary']);

function isPublishable(address: Address, input: DiscoveryInput): boolean {
  const { scope, flags, label } = address;
  if (scope !== 'global' || isLinkLocal(address.address)) return false;
  if (flags.some((flag) => unreliableFlags.has(flag))) return false;
  // A load balancer's virtual address moves between nodes.
  if (label?.endsWith('vip') === true) return false;
  if (input.masqueradeSubnets.some((subnet) => subnetContains(subnet, address.address))) return false;
  return isPublished(address, input) || !flags.some((flag) => passingFlags.has(flag));
}

function isPublished({ address }: Address, { publishedAddresses }: DiscoveryInput): boolean {
  return publishedAddresses.some((cidr) => compareAddresses(withoutLength(cidr), address) === 0);
}

function isHostPrefix({ address, prefixLength }: Address): boolean {
  return prefixLength === (familyOf(address) === 4 ? 32 : 128);
}

/**
 * Whether it is a host prefix that no server leases. Virtual addresses, which move between nodes, are such (keepalived.conf(5), virtual_ipaddress);
 * those of DHCP have a lifetime. An own one has the other end of its connection, or is the source of the node's packets.
 */
function mayBeVirtual(address: Address, { preferredSources }: Surroundings): boolean {
  if (!isHostPrefix(address) || address.peer !== undefined || address.flags.includes('dynamic')) return false;
  return !preferredSources.includes(canonicalAddress(address.address));
}

/** Facts that addresses are chosen by. */
interface Surroundings {
  /** The best default gateway of the family, unless it is link-local: that is in no subnet. */
  readonly gateway: string | undefined;
  readonly preferredSources: readonly string[];
}

/** An address that can be published, and its subnet as that is published, CIDR. */
interface Publishable {
  readonly address: Address;
  readonly cidr: string;
}

function hasGateway({ address: { peer, prefixLength }, cidr }: Publishable, { gateway }: Surroundings): boolean {
  const subnet = peer === undefined ? cidr : `${peer}/${prefixLength}`;
  return gateway !== undefined && subnetContains(subnet, gateway);
}

/**
 * Whether an address that may be virtual is taken for it beside one that is not: that is of the same link, or leased for the node. An own host prefix
 * may have others beside it that lead nowhere.
 */
function isVirtualBeside(other: Publishable, { address, flags }: Address, surroundings: Surroundings): boolean {
  if (flags.includes('nodad') || isHostPrefix(other.address)) return true;
  return subnetContains(other.cidr, address) || hasGateway(other, surroundings);
}

/** The prefix length of the address's subnet: for an IPv6 /128, as DHCPv6 assigns it, that of its on-link route. */
function effectivePrefixLength({ address, prefixLength }: Address, link: Link, node: NodeView): number {
  if (familyOf(address) !== 6 || prefixLength !== 128) return prefixLength;
  const table = routingTableOf(link, node);
  const onLink = node
    .routesOutOf(link.name)
    .filter(
      ({ type, table: of, destination, source }) =>
        type === 'unicast' && of === table && source === undefined && subnetContains(destination, address),
    )
    .filter(({ nextHops }) => nextHops.some(({ device, gateway }) => device === link.name && gateway === undefined))
    .map(({ destination }) => prefixLengthOf(destination))
    .filter((length) => length > 0 && length < 128);
  return onLink.length === 0 ? prefixLength : Math.max(...onLink);
}

/**
 * Weighs what speaks against an address, the weightiest first, as binary digits. Two nodes must never publish one address, so one that may be virtual comes
 * last; keepalived adds virtual IPv6 addresses without duplicate address detection (keepalived.conf(5), `-nodad`).
 */
function drawbacks(
  candidate: Publishable,
  certain: readonly Publishable[],
  surroundings: Surroundings,
  input: DiscoveryInput,
): number {
  const { address } = candidate;
  const isUncertain = mayBeVirtual(address, surroundings);
  return [
    isUncertain && certain.some((other) => isVirtualBeside(other, address, surroundings)),
    surroundings.gateway !== undefined && !hasGateway(candidate, surroundings),
    !isPublished(address, input),
    isUncertain && surroundings.gateway === undefined,
    address.flags.includes('nodad'),
    address.flags.includes('dynamic'),
  ].reduce((digits, applies) => 2 * digits + Number(applies), 0);
}

function bestAddress(family: 4 | 6, link: Link, input: DiscoveryInput, gateways: readonly string[]): readonly string[] {
  const best = gateways.find((candidate) => familyOf(candidate) === family);
  const surroundings = {
    gateway: best === undefined || isLinkLocal(best) ? undefined : best,
    preferredSources: preferredSourcesOf(link, input.node),
  };
  const candidates = link.addresses
    .filter((address) => familyOf(address.address) === family && isPublishable(address, input))
    .map((address) => {
      const cidr = `${canonicalAddress(address.address)}/${effectivePrefixLength(address, link, input.node)}`;
      return { address, cidr };
    });
  const certain = candidates.filter(({ address }) => !mayBeVirtual(address, surroundings));
  const weighed = candidates.map((candidate) => ({
    ...candidate,
    drawbacks: drawbacks(candidate, certain, surroundings, input),
  }));
  const chosen = least(
    weighed,
    (left, right) =>
      left.drawbacks - right.drawbacks ||
      compareAddresses(left.address.address, right.address.address) ||
      prefixLengthOf(left.cidr) - prefixLengthOf(right.cidr),
  );
  return chosen === undefined ? [] : [chosen.cidr];
}

/** The interface has a global address of at least one family; its gateways are found first, since they decide which one. */
export const addresses: Check<FoundInterface, FoundAddresses> = {
  name: 'addresses',
  run: (input, { link }) => {
    const defaultGateways = defaultGatewaysOf(link, input.node);
    const ipAddresses = ([4, 6] as const).flatMap((family) => bestAddress(family, link, input, defaultGateways));
    if (ipAddresses.length > 0) return { ok: true, found: { ipAddresses, defaultGateways } };
    return { ok: false, failure: { reason: 'GatewayInfoUnavailable', cause: 'no-address' } };
  },
};
