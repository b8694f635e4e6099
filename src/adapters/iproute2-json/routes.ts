import Type from 'typebox';
import { describeValue } from '../../domain/api/conformance.ts';
import { partOf, type Shape } from '../../domain/api/schema.ts';
import { isRefusing } from '../../domain/node-model/route-types.ts';
import type { NextHop, Route, RouteKey } from '../../domain/snapshot/node-snapshot.ts';
import type { Reading } from '../../ports/input-problem.ts';
import { conforming, expectedFound, fieldPlace, type Place, problemAt, type Reader } from '../json/conforming.ts';
import { allFields, mapReading, thenRead } from '../../ports/readings.ts';
import { destinationCidr } from './destinations.ts';
import { namesBeyond, present, unknownAttributes } from './fields.ts';
import { routeMetrics } from './metrics.ts';
import type { HopsOfObjects } from './next-hop-objects.ts';
import { hopFields, listedHopSchema, nextHopsOf, unknownFlags, unknownInListedHop } from './next-hops.ts';
import { tableOf } from './output.ts';
import { routingTable } from './routing-tables.ts';
import { protocolWord, scopeWord, typeWord } from './words.ts';

const entrySchema = partOf({
  type: Type.Optional(Type.String()),
  dst: Type.String(),
  from: Type.Optional(Type.String()),
  // A number belongs to an encapsulation.
  tos: Type.Optional(Type.Unknown()),
  table: Type.Optional(Type.String()),
  protocol: Type.Optional(Type.String()),
  scope: Type.Optional(Type.String()),
  prefsrc: Type.Optional(Type.String()),
  metric: Type.Optional(Type.Integer()),
  ...hopFields,
  nexthops: Type.Optional(Type.Array(listedHopSchema)),
  nhid: Type.Optional(Type.Integer()),
  expires: Type.Optional(Type.Integer()),
  metrics: Type.Optional(Type.Array(partOf({}))),
  pref: Type.Optional(Type.String()),
});

type RouteEntry = Shape<typeof entrySchema>;

const KNOWN_NAMES: ReadonlySet<string> = new Set([
  ...Object.keys(entrySchema.properties),
  // Derived from the type and from the next hop object.
  'error',
  'nh_info',
]);

const conformingEntry = conforming(entrySchema);

function entryReader(family: 4 | 6, objects: HopsOfObjects): Reader<Route> {
  return (value, place) =>
    thenRead(conformingEntry(value, place), (entry) => {
      const subnets = allFields({
        destination: readSubnet(entry.dst, family, fieldPlace(place, 'dst')),
        source: entry.from === undefined ? absent : readSubnet(entry.from, family, fieldPlace(place, 'from')),
      });
      return mapReading(subnets, ({ destination, source }) =>
        routeOf(
          entry,
          {
            family,
            destination,
            table: routingTable(entry.table),
            metric: entry.metric ?? 0,
            ...present({ source, typeOfService: typeof entry.tos === 'string' ? entry.tos : undefined }),
          },
          objects,
        ),
      );
    });
}

const absent: Reading<undefined> = { read: true, value: undefined };

function readSubnet(printed: string, family: 4 | 6, place: Place): Reading<string> {
  const subnet = destinationCidr(printed, family);
  if (subnet !== undefined) return { read: true, value: subnet };
  const expected = `"default", or an IPv${family} address or subnet`;
  return { read: false, problems: [problemAt(place, expectedFound(expected, describeValue(printed)))] };
}

function routeOf(entry: RouteEntry, key: RouteKey, objects: HopsOfObjects): Route {
  const type = typeWord(entry.type ?? 'unicast');
  const scope = scopeWord(entry.scope ?? 'global');
  const { metrics, unknown } = routeMetrics(entry.metrics ?? []);
  return {
    ...key,
    type,
    protocol: protocolWord(entry.protocol ?? 'unspec'),
    // The kernel shows the loopback device as next hop of an IPv6 route of these types.
    nextHops: isRefusing({ type }) ? [] : hopsOfEntry(entry, objects),
    ...present({
      nextHopObject: entry.nhid,
      scope: key.family === 6 || scope === 'global' ? undefined : scope,
      preferredSource: entry.prefsrc,
      preference: entry.pref === 'medium' ? undefined : entry.pref,
      metrics,
      // Negative if expired and not removed yet.
      expiresSeconds: entry.expires === undefined ? undefined : Math.max(entry.expires, 0),
    }),
    ...unknownAttributes([...unknownInEntry(entry), ...unknown]),
  };
}

/** In compatibility mode (sysctl nexthop_compat_mode) the kernel prints the next hops of an object in the route too. */
function hopsOfEntry(entry: RouteEntry, objects: HopsOfObjects): readonly NextHop[] {
  const inline = [...nextHopsOf(entry), ...(entry.nexthops ?? []).flatMap(nextHopsOf)];
  if (inline.length > 0 || entry.nhid === undefined) return inline;
  return objects.get(entry.nhid) ?? [];
}

function unknownInEntry(entry: RouteEntry): readonly string[] {
  return [
    ...namesBeyond(entry, KNOWN_NAMES),
    ...(typeof entry.tos === 'number' ? ['tos'] : []),
    ...unknownFlags(entry),
    ...(entry.nexthops ?? []).flatMap((hop) => unknownInListedHop(hop).map((name) => `nexthops.${name}`)),
  ];
}

/**
 * Reads the output of `ip -json -details -N -4 route show table all`, or of -6 (ip-route(8)); also without -N, unless the machine
 * has its own table names.
 *
 * Keeps all routes; unknown fields are listed in `unknownAttributes`.
 *
 * @param file named in problems
 * @param family the requested family, which ip does not print
 * @param objects next hop objects, for the routes that use one; a route with an unknown object has no next hop
 */
export function readRoutes(
  text: string,
  file: string,
  family: 4 | 6,
  objects: HopsOfObjects,
): Reading<readonly Route[]> {
  return tableOf(entryReader(family, objects))(text, file);
}
