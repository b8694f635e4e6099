import { isSameMatch, isSameNeighbour, isSameRoute, servesAs } from '../dataplane/content.ts';
import type { NetworkDataplane } from '../dataplane/network-dataplane.ts';
import { surroundings } from '../discovery/surroundings.ts';
import { groupBy } from '../grouping.ts';
import { neighbourText } from '../operations/neighbour-words.ts';
import { routeText } from '../operations/route-words.ts';
import { ruleText } from '../operations/rule-words.ts';
import { byName, canonical } from '../ordering.ts';
import { displacedBy } from '../ownership/displace.ts';
import { placeIn, routeKey } from '../ownership/displaced-things.ts';
import { isOurs } from '../ownership/is-ours.ts';
import type { Route } from '../snapshot/node-snapshot.ts';
import type { NetworkCheck, NetworkCheckInput, NetworkFailure } from './network-check.ts';

function inTheWay(wanted: string, found: string): NetworkFailure {
  return { reason: 'UplinkVRFAttachmentFailed', cause: 'in-the-way', wanted, found };
}

/** The administrator's routes that will come to the VRF's table with the interface. */
function arrivingRoutes({ device, vrf, enslaved }: NetworkDataplane, { node }: NetworkCheckInput): readonly Route[] {
  if (!enslaved || node.link(device)?.master === vrf.name) return [];
  return displacedBy(surroundings(node, [device]), device)
    .map((thing) => placeIn(thing, device, vrf.table))
    .flatMap((thing) => (thing.type === 'route' ? [thing.route] : []));
}

function foreignRoute(dataplane: NetworkDataplane, input: NetworkCheckInput): NetworkFailure | undefined {
  const { ledger } = input.node.snapshot;
  const arriving = groupBy(arrivingRoutes(dataplane, input), routeKey);
  for (const wanted of dataplane.routes) {
    const [found] = [...input.node.routesLike(wanted), ...(arriving.get(routeKey(wanted)) ?? [])]
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
