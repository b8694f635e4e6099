import { routeText } from '../entities/kernel/route-command.ts';
import { familyOf } from '../basics/addresses/ip-address.ts';
import { byName, canonical } from '../basics/names/ordering.ts';
import { isOwnAddress } from '../entities/kernel/address.ts';
import { isOwnMembership } from '../entities/kernel/membership.ts';
import { isOwnRoute } from '../entities/kernel/route.ts';
import type { Address, Link, NodeSnapshot } from '../snapshot/node-snapshot.ts';

function assigned({ address, prefixLength }: Address): string {
  return `address ${address}/${prefixLength} is on it`;
}

/** The IPv6 addresses of other programs on a VRF, which the kernel removes if IPv6 is disabled there: as `occupants` has them. */
export function ipv6Occupants(vrf: string, { links, ledger }: NodeSnapshot): readonly string[] {
  const addresses = links.find(({ name }) => name === vrf)?.addresses ?? [];
  return addresses
    .filter((address) => familyOf(address.address) === 6 && !isOwnAddress({ device: vrf, address }, ledger))
    .map(assigned)
    .sort(byName);
}

/**
 * Entities of other programs that would go with a VRF: interfaces in it, addresses on it, routes out of it. Each as the subject and predicate of a
 * sentence, in a fixed order. Addresses of lesser scope than global mean nothing without the VRF.
 */
export function occupants({ name: vrf, addresses }: Link, { links, routes, ledger }: NodeSnapshot): readonly string[] {
  const members = links
    .filter(({ name, master }) => master === vrf && !isOwnMembership(name, vrf, ledger))
    .map(({ name }) => `${name} is in it`);
  const onIt = addresses
    .filter((address) => address.scope === 'global' && !isOwnAddress({ device: vrf, address }, ledger))
    .map(assigned);
  const outward = routes
    .filter(({ nextHops, protocol }) => protocol !== 'kernel' && nextHops.some(({ device }) => device === vrf))
    .filter((route) => !isOwnRoute(route))
    .map((route) => `${routeText(canonical(route))} leads out of it`);
  return [members, onIt, outward].flatMap((part) => part.sort(byName));
}
