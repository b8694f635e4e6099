import { lazyByObjectAndKey } from '../basics/incremental/by-identity.ts';
import type { NodeSnapshot, Route } from './node-snapshot.ts';
import type { NodeView } from './node-view.ts';

/** Devices and those that are stacked on them. */
export function withStacked(names: Iterable<string>, view: Pick<NodeView, 'stackedOn'>): ReadonlySet<string> {
  const all = new Set<string>();
  const add = (name: string) => {
    if (all.has(name)) return;
    all.add(name);
    for (const stacked of view.stackedOn(name)) add(stacked.name);
  };
  for (const name of names) add(name);
  return all;
}

function surroundingsOf(names: Iterable<string>, view: NodeView): NodeSnapshot {
  const { snapshot } = view;
  const changed = withStacked(names, view);
  const sources = [...changed].flatMap((name) => view.link(name)?.addresses.map(({ address }) => address) ?? []);
  const routes = new Set([
    ...[...changed].flatMap((name) => view.routesOutOf(name)),
    ...sources.flatMap((address) => view.routesFrom(address)),
  ]);
  const devices = new Set(changed);
  for (const { nextHops } of routes) for (const { device } of nextHops) if (device !== undefined) devices.add(device);
  for (const name of [...devices]) {
    const { master, lowerDevice } = view.link(name) ?? {};
    for (const related of [master, lowerDevice]) if (related !== undefined) devices.add(related);
  }
  return {
    ...snapshot,
    links: [...devices].flatMap((name) => view.link(name) ?? []),
    routes: [...routes],
    neighbours: [...changed].flatMap((name) => view.neighboursOn(name)),
    neighbourProxies: [...changed].flatMap((name) => view.neighbourProxiesOn(name)),
    sysctls: Object.fromEntries(
      ['all', 'default', ...changed].flatMap((name) =>
        view.settingsOf(name).map((setting) => [setting, snapshot.sysctls[setting] ?? '']),
      ),
    ),
    ledger: {
      ...snapshot.ledger,
      entries: [
        ...new Set([...[...changed].flatMap((name) => view.entriesAbout(name)), ...view.awaitedNextHopObjects()]),
      ],
    },
  };
}

/** Names of devices have no space. */
const SEPARATOR = ' ';

const surroundingsIn = lazyByObjectAndKey((view: NodeView, names: string) =>
  surroundingsOf(names === '' ? [] : names.split(SEPARATOR), view),
);

/**
 * The part of a node that a change of some devices can affect: these, the devices stacked on them, their routes, addresses, neighbours, nexthop
 * objects and settings, and their ledger entries. A change has the same effect there as on the whole node, at lower cost.
 *
 * The same devices have the same surroundings: the plan and the difference foresee a change on one object.
 *
 * @param names devices; unknown ones are ignored
 */
export function surroundings(view: NodeView, names: Iterable<string>): NodeSnapshot {
  const known = [...new Set(names)].filter((name) => view.link(name) !== undefined);
  return surroundingsIn(view, known.join(SEPARATOR));
}

/** The loopback device has local addresses that no device has, such as those of a subnet. */
const LOOPBACK = 'lo';

/**
 * Surroundings with everything else that decides whether routes can be added there: other next hops of them, and the devices that have their
 * sources and gateways.
 *
 * @param before the part before it was changed: what changes have removed is not added again
 */
export function withReach(
  around: NodeSnapshot,
  routes: readonly Route[],
  view: NodeView,
  before: NodeSnapshot = around,
): NodeSnapshot {
  const legs = new Set(routes.flatMap(({ nextHops }) => nextHops.flatMap((hop) => hop.device ?? [])));
  const addresses = new Set(
    routes.flatMap(({ preferredSource, nextHops }) => [preferredSource, ...nextHops.map(({ gateway }) => gateway)]),
  );
  const bearers = [...addresses].flatMap((address) => (address === undefined ? [] : view.bearersOf(address)));
  const names = new Set([...legs, ...bearers.map(({ name }) => name), LOOPBACK]);
  const links = [...names].flatMap((name) => view.link(name) ?? []);
  const masters = links.flatMap(({ master }) => (master === undefined ? [] : (view.link(master) ?? [])));
  const reached = [
    ...[...legs].flatMap((name) => view.routesOutOf(name)),
    ...links.flatMap(({ name }) => view.routesOutOf(name).filter(({ type }) => type === 'local')),
  ];
  return {
    ...around,
    links: extended(around.links, [...links, ...masters], before.links),
    routes: extended(around.routes, reached, before.routes),
  };
}

/** Items, with those of others that had not been among them. */
function extended<Item>(items: readonly Item[], others: readonly Item[], before: readonly Item[]): readonly Item[] {
  const known = new Set(before);
  return [...new Set([...items, ...others.filter((item) => !known.has(item))])];
}
