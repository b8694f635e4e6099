import { routeText } from '../entities/route-words.ts';
import { byName, canonical } from '../ordering.ts';
import { isOwnAddress } from '../entities/address.ts';
import { isOwnMembership } from '../entities/membership.ts';
import { isOwnRoute } from '../entities/route.ts';
import type { Link, NodeSnapshot } from '../snapshot/node-snapshot.ts';

/**
 * What of other programs would go with a VRF: interfaces in it, addresses on it, routes out of it. Each as the subject and predicate of a
 * sentence, in a fixed order. Addresses of lesser scope than global mean nothing without the VRF.
 */
export function occupants({ name: vrf, addresses }: Link, { links, routes, ledger }: NodeSnapshot): readonly string[] {
  const members = links
    .filter(({ name, master }) => master === vrf && !isOwnMembership(name, vrf, ledger))
    .map(({ name }) => `${name} is in it`);
  const assigned = addresses
    .filter((address) => address.scope === 'global' && !isOwnAddress({ device: vrf, address }, ledger))
    .map(({ address, prefixLength }) => `address ${address}/${prefixLength} is on it`);
  const outward = routes
    .filter(({ nextHops, protocol }) => protocol !== 'kernel' && nextHops.some(({ device }) => device === vrf))
    .filter((route) => !isOwnRoute(route))
    .map((route) => `${routeText(canonical(route))} leads out of it`);
  return [members, assigned, outward].flatMap((part) => part.sort(byName));
}
