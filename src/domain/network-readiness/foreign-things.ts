import { isSameMatch, isSameNeighbour, isSameRoute, servesAs } from '../dataplane/content.ts';
import type { NetworkDataplane } from '../dataplane/network-dataplane.ts';
import { isLasting } from '../node-model/lasting-neighbour.ts';
import { neighbourText } from '../operations/neighbour-words.ts';
import { ruleText } from '../operations/rule-words.ts';
import { byName } from '../ordering.ts';
import { isOurs } from '../ownership/is-ours.ts';
import type { Route } from '../snapshot/node-snapshot.ts';
import { arrivals } from './arrivals.ts';
import { inTheWay, routeInTheWay } from './in-the-way.ts';
import type { NetworkCheck, NetworkCheckInput, NetworkFailure } from './network-check.ts';

/** Routes go with the interface, so what counts is where they will be. */
function foreignRoute(dataplane: NetworkDataplane, { node }: NetworkCheckInput): NetworkFailure | undefined {
  const { device, vrf, enslaved } = dataplane;
  const isThere = node.link(device)?.master === (enslaved ? vrf.name : undefined);
  const foreseen = isThere ? node : arrivals(device, enslaved ? vrf.table : undefined, node);
  for (const wanted of dataplane.routes) {
    const serves = (route: Route) => isSameRoute(route, wanted);
    const failure = routeInTheWay(wanted, foreseen.routesLike(wanted), serves, node.snapshot.ledger);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

function foreignRule({ rules }: NetworkDataplane, { node }: NetworkCheckInput): NetworkFailure | undefined {
  for (const wanted of rules) {
    const [found] = node
      .rulesAt(wanted.priority, wanted.mark)
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
          isLasting(neighbour, node.link(neighbour.device)) &&
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
