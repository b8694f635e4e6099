import {
  withoutLength,
  canonicalAddress,
  compareAddresses,
  familyOf,
  isLinkLocal,
  prefixLengthOf,
  subnetContains,
} from '../ip-address.ts';
import { least } from '../ordering.ts';
import type { Address, Link } from '../snapshot/node-snapshot.ts';
import { defaultGatewaysOf, routingTableOf } from './default-gateways.ts';
import type { Check, DiscoveryInput, FoundAddresses, FoundInterface } from './discovery.ts';
import type { NodeView } from '../snapshot/node-view.ts';

/** Flags of addresses that are not published (ip-address(8)). */
const unreliableFlags: ReadonlySet<string> = new Set(['secondary', 'temporary', 'deprecated', 'dadfailed']);

function isPublishable(address: Address, { masqueradeSubnets, publishedAddresses }: DiscoveryInput): boolean {
  const { scope, flags, label } = address;
  if (scope !== 'global' || isLinkLocal(address.address)) return false;
  if (flags.some((flag) => unreliableFlags.has(flag))) return false;
  // A load balancer's virtual address moves between nodes.
  if (label?.endsWith('vip') === true) return false;
  if (masqueradeSubnets.some((subnet) => subnetContains(subnet, address.address))) return false;
  // Enslaving restarts duplicate address detection: a published address stays published for these two seconds.
  return !flags.includes('tentative') || publishedAddresses.some((cidr) => isAddressOf(cidr, address.address));
}

function isAddressOf(cidr: string, address: string): boolean {
  return compareAddresses(withoutLength(cidr), address) === 0;
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

function bestAddress(family: 4 | 6, link: Link, input: DiscoveryInput, gateways: readonly string[]): readonly string[] {
  const gateway = gateways.find((candidate) => familyOf(candidate) === family);
  const candidates = link.addresses
    .filter((address) => familyOf(address.address) === family && isPublishable(address, input))
    .map(({ address, flags, ...rest }) => {
      const cidr = `${canonicalAddress(address)}/${effectivePrefixLength({ address, flags, ...rest }, link, input.node)}`;
      return {
        address,
        cidr,
        afar: gateway === undefined || subnetContains(cidr, gateway) ? 0 : 1,
        dynamic: flags.includes('dynamic') ? 1 : 0,
      };
    });
  const best = least(
    candidates,
    (left, right) =>
      left.afar - right.afar ||
      left.dynamic - right.dynamic ||
      compareAddresses(left.address, right.address) ||
      prefixLengthOf(left.cidr) - prefixLengthOf(right.cidr),
  );
  return best === undefined ? [] : [best.cidr];
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
