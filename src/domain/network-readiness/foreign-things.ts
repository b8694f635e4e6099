import { isSameMatch, isSameNeighbour, isSameRoute, servesAs } from '../dataplane/content.ts';
import type { NetworkDataplane } from '../dataplane/network-dataplane.ts';
import { surroundings } from '../discovery/surroundings.ts';
import { groupBy } from '../grouping.ts';
import { lostByCycle } from '../node-model/cycle.ts';
import { neighbourText } from '../operations/neighbour-words.ts';
import { routeText } from '../operations/route-words.ts';
import { ruleText } from '../operations/rule-words.ts';
import { byName, canonical } from '../ordering.ts';
import { displacedBy } from '../ownership/displace.ts';
import { isPlaced, originOf, placeIn, routeKey, thingKey, vrfTableOf } from '../ownership/displaced-things.ts';
import { isOurs } from '../ownership/is-ours.ts';
import type { Route } from '../snapshot/node-snapshot.ts';
import type { NetworkCheck, NetworkCheckInput, NetworkFailure } from './network-check.ts';

function inTheWay(wanted: string, found: string): NetworkFailure {
  return { reason: 'UplinkVRFAttachmentFailed', cause: 'in-the-way', wanted, found };
}

/** What becomes of the routes out of an interface that changes its VRF: those that go from where they are, and those that come. */
interface Removal {
  readonly leaving: ReadonlySet<string>;
  readonly arriving: ReadonlyMap<string, readonly Route[]>;
}

const contentKey = (route: Route) => thingKey({ type: 'route', route });

/** The routes go with the interface, so what counts is where they will be: nothing is in the way that goes, and what comes may be. */
function removal({ device, vrf, enslaved }: NetworkDataplane, { node }: NetworkCheckInput): Removal {
  const link = node.link(device);
  if (link?.master === (enslaved ? vrf.name : undefined)) return { leaving: new Set(), arriving: new Map() };
  const around = surroundings(node, [device]);
  const leaving = lostByCycle(around, device).flatMap((thing) =>
    thing.type === 'route' ? [contentKey(thing.route)] : [],
  );
  const table = vrfTableOf(link, (name) => node.link(name));
  const arriving = displacedBy(around, device)
    .map((thing) => originOf(thing, device, table, around.ledger.entries.filter(isPlaced)))
    .map((thing) => placeIn(thing, device, enslaved ? vrf.table : undefined))
    .flatMap((thing) => (thing.type === 'route' ? [thing.route] : []));
  return { leaving: new Set(leaving), arriving: groupBy(arriving, routeKey) };
}

function foreignRoute(dataplane: NetworkDataplane, input: NetworkCheckInput): NetworkFailure | undefined {
  const { ledger } = input.node.snapshot;
  const { leaving, arriving } = removal(dataplane, input);
  for (const wanted of dataplane.routes) {
    const staying = input.node.routesLike(wanted).filter((route) => !leaving.has(contentKey(route)));
    const [found] = [...staying, ...(arriving.get(routeKey(wanted)) ?? [])]
      .filter((route) => !isOurs({ kind: 'route', route }, ledger) && !isSameRoute(route, wanted))
      .map((route) => `${routeText(canonical(route))} of protocol ${route.protocol}`)
      .sort(byName);
    if (found !== undefined) return inTheWay(routeText(wanted), found);
  }
  return undefined;
}

function foreignRule({ rules }: NetworkDataplane, { node }: NetworkCheckInput): NetworkFailure | undefined {
  for (const wanted of rules) {
    const [found] = node
      .rulesAt(wanted.priority)
      .filter((rule) => isSameMatch(rule, wanted) && rule.table !== wanted.table)
      .filter((rule) => !isOurs({ kind: 'rule', rule }, node.snapshot.ledger))
      .map((rule) => `${ruleText(rule)} of protocol ${rule.protocol}`)
      .sort(byName);
    if (found !== undefined) return inTheWay(ruleText(wanted), found);
  }
  return undefined;
}

function foreignNeighbour({ neighbours }: NetworkDataplane, { node }: NetworkCheckInput): NetworkFailure | undefined {
  for (const wanted of neighbours) {
    const found = node
      .neighboursOn(wanted.device)
      .find(
        (neighbour) =>
          neighbour.states.includes('permanent') &&
          isSameNeighbour(neighbour, wanted) &&
          !servesAs(neighbour, wanted) &&
          !isOurs({ kind: 'neighbour', neighbour }, node.snapshot.ledger),
      );
    if (found !== undefined) return inTheWay(neighbourText(wanted), neighbourText(found));
  }
  return undefined;
}

/** Nobody else has put a route, rule or neighbour where ours belongs that says something else; one that says the same serves. */
export const foreignThings: NetworkCheck = (input) => {
  const { dataplane } = input;
  if (dataplane === undefined) return undefined;
  return foreignRoute(dataplane, input) ?? foreignRule(dataplane, input) ?? foreignNeighbour(dataplane, input);
};
