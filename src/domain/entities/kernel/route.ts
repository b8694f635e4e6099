import Type from 'typebox';
import { isManagementPortIn } from '../../network/names/numbers.ts';
import { partOf, stringEnum } from '../../api/schema.ts';
import { lazyByObject } from '../../basics/incremental/by-identity.ts';
import type { NetworkPart } from '../../network/part.ts';
import { addRoute, deleteRoute, replaceRoute } from '../../node-model/route.ts';
import { MAIN_TABLE, OWN_ROUTE_PROTOCOL } from '../../basics/conventions.ts';
import type { DisplacedEntity } from '../../snapshot/ledger.ts';
import type { NodeSnapshot, Route } from '../../snapshot/node-snapshot.ts';
import { nextHopsKey, routeKey } from '../../snapshot/route-key.ts';
import { capturedFiles } from '../../snapshot/captured-files.ts';
import { isAdvertisedAgain } from './advertised-routes.ts';
import { type Dependencies, dependencies, dependency, type DependencyKey } from '../dependencies.ts';
import type { DisplaceableKind } from '../entity-kind.ts';
import { family, optionalText, optionalTexts, optionalWhole, text, whole, yes } from '../ledger-schema.ts';
import { conflictSentence, without } from '../parts.ts';
import { routeCommand, routeText } from './route-command.ts';
import { isRestoredByOwner } from './self-restoring-protocols.ts';

/** A route of any table. */
export type RouteEntity = Extract<DisplacedEntity, { kind: 'route' }>;

/** A route as an entity. */
export function routeEntity(route: Route): RouteEntity {
  return { kind: 'route', route };
}

const entitiesOf = lazyByObject((routes: readonly Route[]) => routes.map(routeEntity));

/** Whether a route is signed. */
export function isOwnRoute({ protocol }: Route): boolean {
  return protocol === OWN_ROUTE_PROTOCOL;
}

/** The part of a network that a route in its table is for; neither where it leads nowhere, as a fallback does for both. */
function partOfNetwork({ table, nextHops }: Route): { readonly part?: NetworkPart } {
  if (nextHops.length === 0) return {};
  const leadsToPort = nextHops.every(({ device = '' }) => isManagementPortIn(table, device));
  return { part: leadsToPort ? 'network' : 'uplink' };
}

/** Whether a route of the same key has the same content. */
export function isSameRoute(left: Route, right: Route): boolean {
  return (
    left.type === right.type &&
    nextHopsKey(left) === nextHopsKey(right) &&
    left.preferredSource === right.preferredSource &&
    left.metrics?.['mtu'] === right.metrics?.['mtu']
  );
}

/** The routes of the node that have the key of a route: several only if another program appended one. */
function routesInPlaceOf(
  { family, table, destination, metric, source, typeOfService }: Route,
  { routes }: NodeSnapshot,
): readonly Route[] {
  // Not by key: computing keys for thousands of routes and each operation is too expensive.
  return routes.filter(
    (other) =>
      other.destination === destination &&
      other.table === table &&
      other.family === family &&
      other.metric === metric &&
      other.source === source &&
      other.typeOfService === typeOfService,
  );
}

/** The managed route that has a route's key. */
export function ownRouteInPlaceOf(route: Route, node: NodeSnapshot): Route | undefined {
  return routesInPlaceOf(route, node).find(isOwnRoute);
}

/** An unmanaged route of the same key would be removed instead. */
function conflictingRoute(route: Route, node: NodeSnapshot): string | undefined {
  const other = routesInPlaceOf(route, node).find((each) => !isOwnRoute(each));
  return other && `${routeText(other)} of protocol ${other.protocol} is not managed by ovn-uplinks`;
}

function devicesOf({ nextHops }: Route): readonly string[] {
  return nextHops.flatMap(({ device }) => device ?? []);
}

function isDirect({ nextHops }: Route): boolean {
  return nextHops.every(({ gateway }) => gateway === undefined);
}

/** Dependencies of a route: the gateways on its devices, its source, and its nexthop object. */
export function routeDependencies(route: Route): Dependencies {
  const { nextHopObject, preferredSource } = route;
  const onLink = dependencies('on-link', devicesOf(route));
  const used: readonly DependencyKey[] = [
    ...(nextHopObject === undefined ? [] : [dependency('next-hop-object', nextHopObject)]),
    ...(preferredSource === undefined ? [] : [dependency('address', preferredSource)]),
  ];
  return isDirect(route) ? { makes: onLink, needs: used } : { needs: [...onLink, ...used] };
}

/** The source of a route, if a network adds it to its VRF. */
function ownSources({ preferredSource }: Route, networks: readonly string[]): readonly DependencyKey[] {
  return preferredSource === undefined
    ? []
    : networks.map((name) => dependency('own-address', `${preferredSource} ${name}`));
}

function additionDependencies({ route }: RouteEntity, networks: readonly string[]): Dependencies {
  const { makes = [], needs = [] } = routeDependencies(route);
  const devices = devicesOf(route);
  return {
    makes: [
      ...makes,
      dependency('route', routeKey(route)),
      dependency('table', route.table),
      ...dependencies('network', networks),
    ],
    needs: [
      ...needs,
      ...dependencies('after-cycle', devices),
      ...dependencies('restored', devices),
      ...ownSources(route, networks),
    ],
  };
}

/** A text that is the same for routes of one key and one destination of packets. */
export function routeContentKey(route: Route): string {
  return `route ${routeKey(route)} ${nextHopsKey(route)}`;
}

const schema = partOf({
  kind: stringEnum(['route']),
  route: partOf({
    family,
    table: Type.Union([whole, text]),
    destination: text,
    metric: whole,
    source: optionalText,
    typeOfService: optionalText,
    type: text,
    protocol: text,
    nextHops: Type.Array(partOf({ device: optionalText, gateway: optionalText, weight: optionalWhole, onlink: yes })),
    nextHopObject: optionalWhole,
    scope: optionalText,
    preferredSource: optionalText,
    preference: optionalText,
    metrics: Type.Optional(Type.Record(Type.String(), Type.Union([Type.Number(), Type.String()]))),
    expiresSeconds: optionalWhole,
    unknownAttributes: optionalTexts,
  }),
});

export const route: DisplaceableKind<RouteEntity> = {
  kind: 'route',
  parts: ['routes'],
  identity: ({ route }) => routeKey(route),
  satisfies: (found, desired) => isSameRoute(found.route, desired.route),
  all: ({ routes }) => entitiesOf(routes),
  source: ({ route }) => route,
  put: (node, entities) => ({ ...node, routes: [...node.routes, ...entities.map(({ route }) => route)] }),
  take: (node, entities) => ({ ...node, routes: without(node.routes, entities, ({ route }) => route) }),
  comparable: ({ route: { nextHops, ...route } }) => ({ ...route, via: nextHopsKey({ nextHops, ...route }) }),
  isOurs: ({ route }) => isOwnRoute(route),
  conflictText: ({ route: found }, { route: desired }) =>
    conflictSentence(`${routeText(found)} of protocol ${found.protocol}`, routeText(desired)),
  anchor: ({ route: found }) => ({ table: found.table, ...partOfNetwork(found) }),
  port: 'hostNetwork',
  capturedIn: ({ route: { family } }) => [family === 4 ? capturedFiles.routes4 : capturedFiles.routes6],
  text: ({ route }) => routeText(route),
  add: {
    name: 'add-route',
    mark: '+',
    dependencies: additionDependencies,
    refusal: ({ route }, node) => conflictingRoute(route, node),
    effect: ({ route }, node) => addRoute(node, route),
    command: ({ route }) => routeCommand('add', route),
  },
  // Without a moment in which there is none.
  replace: {
    name: 'replace-route',
    mark: '~',
    dependencies: additionDependencies,
    refusal: ({ route }, node) => conflictingRoute(route, node),
    effect: ({ route }, node) => replaceRoute(node, route),
    inverse: (entity, node) => {
      const found = ownRouteInPlaceOf(entity.route, node);
      return [found === undefined ? { verb: 'remove', entity } : { verb: 'replace', entity: routeEntity(found) }];
    },
    command: ({ route }) => routeCommand('replace', route),
    discrepancy: ({ route }, node) => {
      const found = ownRouteInPlaceOf(route, node);
      return {
        path: `route ${route.destination} of table ${route.table}`,
        found: found === undefined ? 'none' : routeText(found),
        wanted: routeText(route),
      };
    },
  },
  remove: {
    name: 'delete-route',
    mark: '-',
    dependencies: ({ route }, networks) => ({
      uses: [
        ...dependencies('before-cycle', devicesOf(route)),
        ...dependencies('link', devicesOf(route)),
        ...dependencies('up', devicesOf(route)),
        ...(isDirect(route) ? [] : dependencies('on-link', devicesOf(route))),
        ...ownSources(route, networks),
      ],
      ends: [
        dependency('route', routeKey(route)),
        dependency('table', route.table),
        ...dependencies('traffic', networks),
      ],
    }),
    // The kernel compares the protocol too, so it finds the managed one even if there is another.
    refusal: ({ route }, node) =>
      ownRouteInPlaceOf(route, node) === undefined ? conflictingRoute(route, node) : undefined,
    effect: ({ route }, node) => deleteRoute(node, route),
    command: ({ route }) => routeCommand('delete', route),
  },
  displaced: {
    schema,
    key: ({ route }) => routeContentKey(route),
    name: ({ route }) => route.destination,
    device: ({ route }) => devicesOf(route)[0],
    isPutBack: ({ route }, node) => !isRestoredByOwner(route.protocol) && !isAdvertisedAgain(route, node),
    lifetime: ({ route }) => route.expiresSeconds,
    aged: ({ kind, route }, elapsed) =>
      route.expiresSeconds === undefined
        ? { kind, route }
        : { kind, route: { ...route, expiresSeconds: Math.max(0, route.expiresSeconds - elapsed) } },
    unknownAttributes: ({ route }) => route.unknownAttributes ?? [],
    dependencies: ({ route }) => routeDependencies(route),
    restore: ({ route }, node) => {
      const change = addRoute(node, route);
      if (change.done || change.exists !== true) return change;
      const key = routeContentKey(route);
      return node.routes.some((other) => routeContentKey(other) === key) ? { done: true, node } : change;
    },
    restoreCommand: ({ route }) => routeCommand('add', route),
  },
};

/** The table of a route, for people. */
export function tableText(table: Route['table']): string {
  return table === MAIN_TABLE ? 'main' : `${table}`;
}
