/**
 * What no node has: references to entities that are not there, ledger entries that this program does not write. Reduction must not lead there, or a
 * law would be broken by what no kernel reports.
 */
import type { Link, NodeSnapshot, Route } from '../../src/domain/index.ts';
import { deviceInSetting } from '../../src/domain/snapshot/device-settings.ts';
import { readLedgerEntry } from '../../src/domain/ownership/ledger-entry.ts';
import { entriesOf } from '../../src/domain/snapshot/ledger.ts';
import { familyOf, isLinkLocal, subnetContains } from '../../src/domain/ip-address.ts';

function devicesNamed(node: NodeSnapshot): readonly string[] {
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

/** The gateways that the kernel would refuse: no address of the device has them in its subnet. */
function unreachable(node: NodeSnapshot, { nextHops, nextHopObject }: Pick<Route, 'nextHops' | 'nextHopObject'>) {
  if (nextHopObject !== undefined) return [];
  return nextHops.flatMap(({ device, gateway, onlink }) => {
    if (gateway === undefined || onlink === true || (familyOf(gateway) === 6 && isLinkLocal(gateway))) return [];
    const addresses = node.links.filter(({ name }) => name === device).flatMap((link) => link.addresses);
    const isNear = addresses.some(({ address, prefixLength }) => subnetContains(`${address}/${prefixLength}`, gateway));
    return isNear ? [] : [`gateway ${gateway} of ${device ?? 'no device'}`];
  });
}

/** Routes and objects without next hops, and routes whose next hops are not those of their object. */
function astray({ routes, nextHopObjects, ledger }: NodeSnapshot): readonly string[] {
  const objects = new Map(nextHopObjects.map((object) => [object.id, object]));
  const countOf = (id: number): number => objects.get(id)?.group?.length ?? 1;
  const displaced = entriesOf(ledger, 'displaced').flatMap(({ entity }) =>
    entity.kind === 'route' ? [entity.route] : [],
  );
  return [
    ...[...routes, ...displaced]
      .filter(({ type, nextHops }) => type === 'unicast' && nextHops.length === 0)
      .map(({ destination }) => `route ${destination} leads nowhere`),
    ...routes
      .filter(
        ({ nextHops, nextHopObject }) => nextHopObject !== undefined && countOf(nextHopObject) !== nextHops.length,
      )
      .map(({ destination }) => `route ${destination} is not what its object says`),
    ...nextHopObjects
      .filter(
        ({ group, device, blackhole }) => (group?.length ?? 0) === 0 && device === undefined && blackhole !== true,
      )
      .map(({ id }) => `next hop object ${id} leads nowhere`),
  ];
}

/** The kernel says of every address with a lifetime that it is dynamic. */
function isMortalWithoutSayingSo({ validSeconds, flags }: Link['addresses'][number]): boolean {
  return validSeconds !== undefined && !flags.includes('dynamic');
}

/** Names that two devices have, alternative names included. */
function sharedNames({ links }: NodeSnapshot): readonly string[] {
  const names = links.flatMap(({ name, alternativeNames = [] }) => [name, ...alternativeNames]);
  return names.filter((name, index) => names.indexOf(name) !== index);
}

/** Everything about a node that no kernel reports and no ledger says, each as a text. */
export function oddities(node: NodeSnapshot): readonly string[] {
  const links = new Set(node.links.map(({ name }) => name));
  const objects = new Set(node.nextHopObjects.map(({ id }) => id));
  const named = [
    ...node.routes.map(({ nextHopObject }) => nextHopObject),
    ...node.nextHopObjects.flatMap(({ group = [] }) => group.map(({ id }) => id)),
  ].filter((id) => id !== undefined);
  const ways = [...node.routes, ...node.nextHopObjects.map((object) => ({ nextHops: [object] }))];
  return [
    ...devicesNamed(node)
      .filter((device) => !links.has(device))
      .map((device) => `device ${device}`),
    ...sharedNames(node).map((name) => `name ${name} of two devices`),
    ...named.filter((id) => !objects.has(id)).map((id) => `next hop object ${id}`),
    ...astray(node),
    ...ways.flatMap((way) => unreachable(node, way)),
    ...node.links
      .filter(({ kind, vrfTable }) => (kind === 'vrf') !== (vrfTable !== undefined))
      .map(({ name }) => `VRF ${name}`),
    ...node.links.flatMap(({ addresses }) => addresses.filter(isMortalWithoutSayingSo).map(({ address }) => address)),
    ...node.bridges
      .filter(({ ports, name }) => !ports.some((port) => port.name === name))
      .map(({ name }) => `bridge ${name}`),
    ...node.ledger.entries
      .filter((entry) => readLedgerEntry(entry) === undefined)
      .map((entry) => `ledger entry ${JSON.stringify(entry)}`),
  ];
}
