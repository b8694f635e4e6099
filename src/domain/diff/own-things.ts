/**
 * Everything of ours but VRFs and memberships: what is there and not wanted goes, what is wanted and not there comes.
 */
import { isSameNeighbour, isSameRoute, servesAs } from '../dataplane/content.ts';
import { by, canonical } from '../ordering.ts';
import type { Operation } from '../operations/operation-kinds.ts';
import { ruleKey } from '../operations/rule-words.ts';
import { groupBy } from '../grouping.ts';
import { routeKey } from '../ownership/displaced-things.ts';
import { isOurs } from '../ownership/is-ours.ts';
import type { Address, Neighbour, NodeSnapshot, Route, Table } from '../snapshot/node-snapshot.ts';
import { type Difference, wantedThings } from './difference.ts';

function addressKey(device: string, { address, prefixLength }: Address): string {
  return `${device} ${address}/${prefixLength}`;
}

function neighbourKey({ device, address }: Neighbour): string {
  return `${device} ${address}`;
}

/** Whether only the name of a table is known: whose it is, and whether it is kept, goes by its number. */
function isNameOnly(table: Table | undefined): boolean {
  return typeof table === 'string';
}

/** What goes, judged by the node as it is; what comes, by the node as it is once memberships are changed. */
export interface Changes {
  readonly removals: readonly Operation[];
  readonly additions: readonly Operation[];
}

/**
 * Routes of ours in the tables of networks. One whose content changes is replaced, without a moment in which there is none; one beside another of
 * its key that serves is left over (`ip route append` makes such).
 */
export function routeChanges({ before, programmed, kept, networksOf }: Difference, after: NodeSnapshot): Changes {
  const wanted = wantedThings(programmed, ({ routes }) => routes, routeKey);
  const isOwn = (route: Route) => isOurs({ kind: 'route', route }, before.ledger);
  const own = before.routes.filter(isOwn);
  const relevant = new Set([...wanted.keys(), ...own.map(routeKey)]);
  const present = groupBy(
    after.routes.filter((route) => relevant.has(routeKey(route))),
    routeKey,
  );
  const isLeftOver = (route: Route) => {
    const thing = wanted.get(routeKey(route))?.thing;
    if (thing === undefined) return !kept.hasTable(route.table) && !isNameOnly(route.table);
    const others = (present.get(routeKey(route)) ?? []).filter((other) => other !== route);
    return !isSameRoute(route, thing) && others.some((other) => isSameRoute(other, thing));
  };
  const removals = own
    .filter(isLeftOver)
    .sort(by(routeKey))
    .map((route): Operation => ({
      kind: 'delete-route',
      networks: networksOf.ofTable(route.table),
      route: canonical(route),
    }));
  const additions = [...wanted].flatMap(([key, { networks, thing: route }]): readonly Operation[] => {
    const found = present.get(key);
    if (found === undefined) return [{ kind: 'add-route', networks, route }];
    return found.some((other) => isSameRoute(other, route)) ? [] : [{ kind: 'replace-route', networks, route }];
  });
  return { removals, additions };
}

/** Rules of ours. */
export function ruleChanges({ before, programmed, kept, networksOf }: Difference, after: NodeSnapshot): Changes {
  const wanted = wantedThings(programmed, ({ rules }) => rules, ruleKey);
  const removals = before.rules
    .filter((rule) => isOurs({ kind: 'rule', rule }, before.ledger))
    .filter((rule) => !wanted.has(ruleKey(rule)) && !kept.hasTable(rule.table) && !isNameOnly(rule.table))
    .sort(by(ruleKey))
    .map((rule): Operation => ({
      kind: 'delete-rule',
      networks: networksOf.ofTable(rule.table),
      rule: canonical(rule),
    }));
  const present = new Set(after.rules.map(ruleKey));
  const additions = [...wanted]
    .filter(([key]) => !present.has(key))
    .map(([, { networks, thing: rule }]): Operation => ({ kind: 'add-rule', networks, rule }));
  return { removals, additions };
}

/** Permanent neighbours of ours. */
export function neighbourChanges({ before, programmed, kept, networksOf }: Difference, after: NodeSnapshot): Changes {
  const wanted = wantedThings(programmed, ({ neighbours }) => neighbours, neighbourKey);
  const removals = before.neighbours
    .filter((neighbour) => isOurs({ kind: 'neighbour', neighbour }, before.ledger))
    .filter((neighbour) => !wanted.has(neighbourKey(neighbour)) && !kept.hasDevice(neighbour.device))
    .sort(by(neighbourKey))
    .map((neighbour): Operation => ({
      kind: 'delete-neighbour',
      networks: networksOf.ofDevice(neighbour.device),
      neighbour: canonical(neighbour),
    }));
  const present = groupBy(after.neighbours, ({ device }) => device);
  const additions = [...wanted.values()].flatMap(({ networks, thing: neighbour }): readonly Operation[] => {
    const found = present.get(neighbour.device)?.find((other) => isSameNeighbour(other, neighbour));
    return found !== undefined && servesAs(found, neighbour) ? [] : [{ kind: 'add-neighbour', networks, neighbour }];
  });
  return { removals, additions };
}

/** Addresses of ours on VRF devices. */
export function addressChanges(
  { before, programmed, kept, networksOf }: Difference,
  after: NodeSnapshot,
  deletedVrfs: ReadonlySet<string>,
): Changes {
  const wanted = wantedThings(
    programmed,
    ({ addresses }) => addresses,
    ({ device, address }) => addressKey(device, address),
  );
  const removals = before.links
    .flatMap(({ name: device, addresses }) => addresses.map((address) => ({ device, address })))
    .filter(({ device, address }) => isOurs({ kind: 'address', device, address }, before.ledger))
    .filter(({ device, address }) => deletedVrfs.has(device) || !wanted.has(addressKey(device, address)))
    .filter(({ device }) => !kept.hasVrf(device))
    .sort(by(({ device, address }) => addressKey(device, address)))
    .map(({ device, address }): Operation => ({
      kind: 'delete-address',
      networks: networksOf.ofVrf(device),
      device,
      address: canonical(address),
    }));
  const present = new Set(
    after.links.flatMap(({ name, addresses }) => addresses.map((address) => addressKey(name, address))),
  );
  const additions = [...wanted]
    .filter(([key]) => !present.has(key))
    .map(([, { networks, thing }]): Operation => ({ kind: 'add-address', networks, ...thing }));
  return { removals, additions };
}
