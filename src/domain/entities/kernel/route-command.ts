/** A route in the syntax of ip-route(8): for its argument vector, and for people. */
import { MAIN_TABLE } from '../../basics/conventions.ts';
import { familyOf } from '../../basics/addresses/ip-address.ts';
import type { NextHop, Route } from '../../snapshot/node-snapshot.ts';
import type { Command } from '../command.ts';
import { isDefaultRoute } from '../../snapshot/route-key.ts';

function destinationWord({ destination }: Route): string {
  return isDefaultRoute({ destination }) ? 'default' : destination;
}

function gatewayWords(gateway: string | undefined, family: 4 | 6): readonly string[] {
  if (gateway === undefined) return [];
  const gatewayFamily = familyOf(gateway);
  return gatewayFamily === family ? ['via', gateway] : ['via', gatewayFamily === 6 ? 'inet6' : 'inet', gateway];
}

function hopWords({ device, gateway, onlink }: NextHop, family: 4 | 6): readonly string[] {
  return [
    ...gatewayWords(gateway, family),
    ...(device === undefined ? [] : ['dev', device]),
    ...(onlink === true ? ['onlink'] : []),
  ];
}

function nextHopWords({ family, nextHops, nextHopObject }: Route): {
  readonly plain: readonly string[];
  readonly legs: readonly string[];
} {
  if (nextHopObject !== undefined) return { plain: ['nhid', `${nextHopObject}`], legs: [] };
  const [only, ...others] = nextHops;
  if (only === undefined) return { plain: [], legs: [] };
  if (others.length === 0) return { plain: hopWords(only, family), legs: [] };
  const legs = nextHops.flatMap((hop) => {
    const { onlink, ...plain } = hop;
    return [
      'nexthop',
      ...hopWords(plain, family),
      ...(hop.weight === undefined ? [] : ['weight', `${hop.weight}`]),
      ...(onlink === true ? ['onlink'] : []),
    ];
  });
  return { plain: [], legs };
}

/** The arguments that identify a route, without its next hops. */
function keyWords(route: Route): readonly string[] {
  return [
    ...(route.type === 'unicast' ? [] : [route.type]),
    destinationWord(route),
    ...(route.source === undefined ? [] : ['from', route.source]),
    ...(route.typeOfService === undefined ? [] : ['tos', route.typeOfService]),
  ];
}

/**
 * `ip route add`, `replace` or `delete` of a route. With all attributes, so that a deletion only matches this route.
 */
export function routeCommand(verb: 'add' | 'replace' | 'delete', route: Route): Command {
  const { family, table, protocol, metric, scope, preferredSource, preference, metrics = {}, expiresSeconds } = route;
  const { plain, legs } = nextHopWords(route);
  return {
    program: 'ip',
    arguments: [
      `-${family}`,
      'route',
      verb,
      ...keyWords(route),
      ...plain,
      'table',
      `${table}`,
      'proto',
      protocol,
      ...(family === 4 ? ['scope', scope ?? 'global'] : []),
      ...(metric === 0 ? [] : ['metric', `${metric}`]),
      ...(preferredSource === undefined ? [] : ['src', preferredSource]),
      ...Object.entries(metrics).flatMap(([name, value]) => [name, `${value}`]),
      ...(preference === undefined ? [] : ['pref', preference]),
      ...(expiresSeconds === undefined || verb === 'delete' ? [] : ['expires', `${expiresSeconds}`]),
      ...legs,
    ],
  };
}

/** The route, for people, with its table. */
export function routeText(route: Route): string {
  const { table, metric, preferredSource, family } = route;
  const { plain, legs } = nextHopWords(route);
  return [
    'route',
    // Without a next hop nothing else shows the family of a default route.
    ...(family === 6 && destinationWord(route) === 'default' ? ['IPv6'] : []),
    ...keyWords(route),
    ...plain,
    ...legs,
    ...(preferredSource === undefined ? [] : ['src', preferredSource]),
    ...(metric === 0 ? [] : ['metric', `${metric}`]),
    ...(table === MAIN_TABLE ? [] : ['table', `${table}`]),
  ].join(' ');
}
