/**
 * A node without what says nothing: numbers and MAC addresses that the kernel gives to VRF devices, the order of lists.
 */
import type { Link, NodeSnapshot, Route } from '../domain/index.ts';
import { ownMappings } from '../domain/dataplane/bridge-mappings.ts';
import { isLasting } from '../domain/node-model/lasting-neighbour.ts';
import { withoutOwnMapping } from '../domain/operations/bridge-mapping-words.ts';
import { by, byName } from '../domain/ordering.ts';
import { isPutBack, nextHopsKey } from '../domain/ownership/displaced-things.ts';
import { isOurs } from '../domain/ownership/is-ours.ts';
import { settle } from '../domain/ownership/settle.ts';
import { once } from './once.ts';

/** The value with the keys of every object in name order. */
function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.sort(by(([key]) => key)).map(([key, item]) => [key, withSortedKeys(item)]));
}

const textOf = once((item: object) => JSON.stringify(withSortedKeys(item)));

function lines(items: readonly object[]): readonly string[] {
  return items.map(textOf).sort(byName);
}

const linkLines = once(({ addresses, index, macAddress, ...link }: Link): readonly string[] => {
  const identity = link.kind === 'vrf' ? {} : { index, macAddress };
  return [
    textOf({ ...link, ...identity }),
    // The kernel looks for duplicates of an address for two seconds.
    ...lines(
      addresses.map(({ flags, ...address }) => ({ ...address, flags: flags.filter((flag) => flag !== 'tentative') })),
    ).map((line) => `${link.name} ${line}`),
  ];
});

const routeLine = once(({ nextHops, ...route }: Route) =>
  textOf({ ...route, via: nextHopsKey({ nextHops, ...route }) }),
);

/** The kernel's own rule for VRFs comes with the first one of them and never goes (Linux, vrf_add_fib_rules). */
function isVrfRule({ protocol, others }: NodeSnapshot['rules'][number]): boolean {
  return protocol === 'kernel' && Object.hasOwn(others, 'l3mdev');
}

/**
 * External_ids without our own bridge mappings, and those in the order of their names. The order in which they stand, which is that of their
 * making, says nothing; everything else of the text does.
 */
export function dividedMappings(externalIds: NodeSnapshot['switchExternalIds']): {
  readonly others: Readonly<Record<string, string | undefined>>;
  readonly own: readonly string[];
} {
  const own = [...ownMappings(externalIds)].map(([network, bridge]) => `${network}:${bridge}`).sort(byName);
  const others = own.reduce<Readonly<Record<string, string | undefined>>>(
    (ids, entry) => ({ ...ids, ...withoutOwnMapping(ids, entry) }),
    externalIds,
  );
  return { others, own };
}

/** What a node comes to, each part as sorted lines: two nodes that are the same but for what says nothing have the same. */
export function normalForm(node: NodeSnapshot): Readonly<Record<string, readonly string[]>> {
  const devices = new Map(node.links.map((link) => [link.name, link]));
  return {
    links: node.links.flatMap(linkLines).sort(byName),
    routes: node.routes.map(routeLine).sort(byName),
    nextHopObjects: lines(node.nextHopObjects),
    rules: lines(node.rules.filter((rule) => !isVrfRule(rule))),
    neighbours: lines(node.neighbours.filter((neighbour) => isLasting(neighbour, devices.get(neighbour.device)))),
    neighbourProxies: lines(node.neighbourProxies),
    externalIds: lines([dividedMappings(node.switchExternalIds)]),
    sysctls: Object.entries(node.sysctls)
      .map(([name, value]) => `${name} = ${value}`)
      .sort(byName),
    // Entries that say nothing any more may stay in the file until the next change is written down.
    ledger: lines(settle(node).entries),
  };
}

/** The node without the routes that routing daemons put back by themselves once they see that they are gone. */
export function withoutDaemonRoutes(node: NodeSnapshot): NodeSnapshot {
  const staysWithout = (route: NodeSnapshot['routes'][number]) =>
    route.protocol === 'kernel' || isOurs({ kind: 'route', route }, node.ledger) || isPutBack({ type: 'route', route });
  return { ...node, routes: node.routes.filter(staysWithout) };
}
