/**
 * Properties that no node has, such as references to missing entities and ledger entries that this program does not write. Reduction must
 * not lead to them, or a law would be violated by something that no kernel reports.
 */
import type { Link, NodeSnapshot, Route } from '../../src/domain/index.ts';
import { deviceInSetting } from '../../src/domain/snapshot/device-settings.ts';
import { readLedgerEntry } from '../../src/domain/entities/ownership/ledger-entry.ts';
import { entriesOf } from '../../src/domain/snapshot/ledger.ts';
import { familyOf, isLinkLocal, subnetContains } from '../../src/domain/basics/addresses/ip-address.ts';

function devicesIn(node: NodeSnapshot): readonly string[] {
  return [
    ...node.links.flatMap(({ master, lowerDevice }) => [master, lowerDevice]),
    ...node.routes.flatMap(({ nextHops }) => nextHops.map(({ device }) => device)),
    ...[...node.neighbours, ...node.neighbourProxies].map(({ device }) => device),
    ...node.nextHopObjects.map(({ device }) => device),
    ...Object.keys(node.sysctls)
      .map((name) => deviceInSetting(name)?.replaceAll('/', '.'))
      .filter((device) => device !== 'all' && device !== 'default'),
  ].filter((device) => device !== undefined);
}

/** Gateways that are in no subnet of their device, which the kernel refuses. */
function unreachable(node: NodeSnapshot, { nextHops, nextHopObject }: Pick<Route, 'nextHops' | 'nextHopObject'>) {
  if (nextHopObject !== undefined) return [];
  return nextHops.flatMap(({ device, gateway, onlink }) => {
    if (gateway === undefined || onlink === true || (familyOf(gateway) === 6 && isLinkLocal(gateway))) return [];
    const addresses = node.links.filter(({ name }) => name === device).flatMap((link) => link.addresses);
    const isReachable = addresses.some(({ address, prefixLength }) =>
      subnetContains(`${address}/${prefixLength}`, gateway),
    );
    return isReachable ? [] : [`gateway ${gateway} of ${device ?? 'no device'}`];
  });
}

/** Routes and objects without next hops, and routes with other next hops than their object. */
function inconsistentRoutes({ routes, nextHopObjects, ledger }: NodeSnapshot): readonly string[] {
  const objects = new Map(nextHopObjects.map((object) => [object.id, object]));
  const countOf = (id: number): number => objects.get(id)?.group?.length ?? 1;
  const displaced = entriesOf(ledger, 'displaced').flatMap(({ entity }) =>
    entity.kind === 'route' ? [entity.route] : [],
  );
  return [
    ...[...routes, ...displaced]
      .filter(({ type, nextHops }) => type === 'unicast' && nextHops.length === 0)
      .map(({ destination }) => `route ${destination} has no next hop`),
    ...routes
      .filter(
        ({ nextHops, nextHopObject }) => nextHopObject !== undefined && countOf(nextHopObject) !== nextHops.length,
      )
      .map(({ destination }) => `route ${destination} has other next hops than its object`),
    ...nextHopObjects
      .filter(
        ({ group, device, blackhole }) => (group?.length ?? 0) === 0 && device === undefined && blackhole !== true,
      )
      .map(({ id }) => `next hop object ${id} has no next hop`),
  ];
}

/** The kernel sets the flag `dynamic` on every address with a lifetime. */
function lacksDynamicFlag({ validSeconds, flags }: Link['addresses'][number]): boolean {
  return validSeconds !== undefined && !flags.includes('dynamic');
}

/** Names and alternative names that two devices have. */
function sharedNames({ links }: NodeSnapshot): readonly string[] {
  const names = links.flatMap(({ name, alternativeNames = [] }) => [name, ...alternativeNames]);
  return names.filter((name, index) => names.indexOf(name) !== index);
}

/** All inconsistencies of a node, as texts. */
export function inconsistencies(node: NodeSnapshot): readonly string[] {
  const links = new Set(node.links.map(({ name }) => name));
  const objects = new Set(node.nextHopObjects.map(({ id }) => id));
  const objectIds = [
    ...node.routes.map(({ nextHopObject }) => nextHopObject),
    ...node.nextHopObjects.flatMap(({ group = [] }) => group.map(({ id }) => id)),
  ].filter((id) => id !== undefined);
  const withNextHops = [...node.routes, ...node.nextHopObjects.map((object) => ({ nextHops: [object] }))];
  return [
    ...devicesIn(node)
      .filter((device) => !links.has(device))
      .map((device) => `device ${device}`),
    ...sharedNames(node).map((name) => `name ${name} of two devices`),
    ...objectIds.filter((id) => !objects.has(id)).map((id) => `next hop object ${id}`),
    ...inconsistentRoutes(node),
    ...withNextHops.flatMap((each) => unreachable(node, each)),
    ...node.links
      .filter(({ kind, vrfTable }) => (kind === 'vrf') !== (vrfTable !== undefined))
      .map(({ name }) => `VRF ${name}`),
    ...node.links.flatMap(({ addresses }) => addresses.filter(lacksDynamicFlag).map(({ address }) => address)),
    ...node.bridges
      .filter(({ ports, name }) => !ports.some((port) => port.name === name))
      .map(({ name }) => `bridge ${name}`),
    ...node.ledger.entries
      .filter((entry) => readLedgerEntry(entry) === undefined)
      .map((entry) => `ledger entry ${JSON.stringify(entry)}`),
  ];
}
