import type { NetworkDataplane } from '../dataplane/network-dataplane.ts';
import { isLasting } from '../node-model/lasting-neighbour.ts';
import { byName } from '../ordering.ts';
import type { Entity, EntityKindName, EntityOf } from '../entities/entity-kinds.ts';
import { isOwnNeighbour, neighbour as neighbourKind, neighbourEntity } from '../entities/neighbour.ts';
import { isSameRoute } from '../entities/route.ts';
import { isOwnRule, ruleText } from '../entities/rule.ts';
import type { Route, Rule } from '../snapshot/node-snapshot.ts';
import { arrivals } from './arrivals.ts';
import { inTheWay, routeInTheWay } from './in-the-way.ts';
import type { NetworkCheck, NetworkCheckInput, NetworkFailure } from './network-check.ts';

/** All bits of a packet mark. */
const ALL_BITS = 0xffffffff;

/** Whether two rules pick the same packets at the same point. */
export function isSameMatch(left: Rule, right: Rule): boolean {
  return (
    left.family === right.family &&
    left.priority === right.priority &&
    left.mark === right.mark &&
    (left.markMask ?? ALL_BITS) === (right.markMask ?? ALL_BITS) &&
    Object.keys(left.others).length === 0 &&
    Object.keys(right.others).length === 0
  );
}

function entitiesOf<Name extends EntityKindName>(
  { entities }: NetworkDataplane,
  kind: Name,
): readonly EntityOf<Name>[] {
  return entities.filter((entity: Entity): entity is EntityOf<Name> & Entity => entity.kind === kind);
}

/** Routes go with the interface, so what counts is where they will be. */
function foreignRoute(dataplane: NetworkDataplane, { node }: NetworkCheckInput): NetworkFailure | undefined {
  const { device, vrf } = dataplane;
  const isThere = node.link(device)?.master === (vrf.enslaves ? vrf.name : undefined);
  const foreseen = isThere ? node : arrivals(device, vrf.enslaves ? vrf.table : undefined, node);
  for (const { route: wanted } of entitiesOf(dataplane, 'route')) {
    const serves = (route: Route) => isSameRoute(route, wanted);
    const failure = routeInTheWay(wanted, foreseen.routesLike(wanted), serves);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

function foreignRule(dataplane: NetworkDataplane, { node }: NetworkCheckInput): NetworkFailure | undefined {
  for (const { rule: wanted } of entitiesOf(dataplane, 'rule')) {
    const [found] = node
      .rulesAt(wanted.priority, wanted.mark)
      .filter((rule) => isSameMatch(rule, wanted) && rule.table !== wanted.table)
      .filter((rule) => !isOwnRule(rule))
      .map((rule) => `${ruleText(rule)} of protocol ${rule.protocol}`)
      .sort(byName);
    if (found !== undefined) return inTheWay(ruleText(wanted), found);
  }
  return undefined;
}

function foreignNeighbour(dataplane: NetworkDataplane, { node }: NetworkCheckInput): NetworkFailure | undefined {
  const { identity, serves, text } = neighbourKind;
  for (const wanted of entitiesOf(dataplane, 'neighbour')) {
    const found = node
      .neighboursOn(wanted.neighbour.device)
      .filter((neighbour) => isLasting(neighbour, node.link(neighbour.device)) && !isOwnNeighbour(neighbour))
      .map(neighbourEntity)
      .find((entity) => identity(entity) === identity(wanted) && !serves(entity, wanted, node.snapshot.ledger));
    if (found !== undefined) return inTheWay(text(wanted), text(found));
  }
  return undefined;
}

/** Nobody else has put a route, rule or neighbour where ours belongs that says something else; one that says the same serves. */
export const foreignThings: NetworkCheck = (input) => {
  const { dataplane } = input;
  if (dataplane === undefined) return undefined;
  return foreignRoute(dataplane, input) ?? foreignRule(dataplane, input) ?? foreignNeighbour(dataplane, input);
};
