import { isIP } from 'node:net';
import Type from 'typebox';
import { describeValue } from '../../domain/api/conformance.ts';
import { partOf, type Shape } from '../../domain/api/schema.ts';
import type { NextHop, Route } from '../../domain/snapshot/node-snapshot.ts';
import type { Reading } from '../../ports/input-problem.ts';
import { conforming, expectedFound, fieldPlace, problemAt, type Reader } from '../json/conforming.ts';
import { mapReading, thenRead } from '../json/readings.ts';
import { destinationCidr } from './destinations.ts';
import { type Hop, hopFields, hopsOf, type NextHopObjects } from './next-hop-objects.ts';
import { tableOf } from './output.ts';
import { routingTableNumber } from './routing-tables.ts';

const entrySchema = partOf({
  type: Type.Optional(Type.String()),
  dst: Type.String(),
  table: Type.Optional(Type.String()),
  protocol: Type.Optional(Type.String()),
  metric: Type.Optional(Type.Integer()),
  ...hopFields,
  nexthops: Type.Optional(Type.Array(partOf(hopFields))),
  nhid: Type.Optional(Type.Integer()),
  // Their presence alone counts.
  tos: Type.Optional(Type.Unknown()),
  from: Type.Optional(Type.Unknown()),
});

type Entry = Shape<typeof entrySchema>;

/** Types whose packets go nowhere; the kernel nevertheless shows the loopback device as next hop of an IPv6 one. */
const REFUSING_TYPES: readonly string[] = ['unreachable', 'blackhole', 'prohibit', 'throw'];

const conformingEntry = conforming(entrySchema);

/**
 * Prepares the reading of an entry. It gives a list, of one route or of none: a route in a table that is known by name only, for one type
 * of service or from one source cannot be told in the snapshot's words, and left as a plain one it would be another route.
 */
function entryReader(family: 4 | 6, objects: NextHopObjects): Reader<readonly Route[]> {
  return (value, place) =>
    thenRead(conformingEntry(value, place), (entry) => {
      const destination = destinationCidr(entry.dst, family);
      if (destination === undefined) {
        const expected = `"default", or an IPv${family} address or subnet`;
        return {
          read: false,
          problems: [problemAt(fieldPlace(place, 'dst'), expectedFound(expected, describeValue(entry.dst)))],
        };
      }
      const table = routingTableNumber(entry.table);
      if (table === undefined || entry.tos !== undefined || entry.from !== undefined) return { read: true, value: [] };
      return { read: true, value: [routeOf(entry, { family, destination, table }, objects)] };
    });
}

function routeOf(entry: Entry, key: Pick<Route, 'family' | 'destination' | 'table'>, objects: NextHopObjects): Route {
  const type = entry.type ?? 'unicast';
  return {
    ...key,
    type,
    protocol: entry.protocol ?? 'unspec',
    metric: entry.metric ?? 0,
    nextHops: REFUSING_TYPES.includes(type) ? [] : hopsOfEntry(entry, objects).map((hop) => nextHopOf(hop, key.family)),
  };
}

/** A kernel in compatibility mode prints the hops behind a next hop object in the route itself (sysctl nexthop_compat_mode). */
function hopsOfEntry(entry: Entry, objects: NextHopObjects): readonly Hop[] {
  const inline = [...hopsOf(entry), ...(entry.nexthops ?? []).flatMap(hopsOf)];
  if (inline.length > 0 || entry.nhid === undefined) return inline;
  return objects.get(entry.nhid) ?? [];
}

/** A gateway of the other family (RFC 5549; printed as `via`, or as the gateway of an object) is left out: the hop is its device alone. */
function nextHopOf({ dev, gateway }: Hop, family: 4 | 6): NextHop {
  return {
    ...(dev === undefined ? {} : { device: dev }),
    ...(gateway === undefined || isIP(gateway) !== family ? {} : { gateway }),
  };
}

/**
 * Reads the output of `ip -json -details -4 route show table all`, or of -6 (ip-route(8)).
 *
 * Routes that the snapshot cannot express are left out: in a table that is printed by a name of rt_tables, or bound to a type of
 * service or to a source.
 *
 * @param file named in problems
 * @param family the one that was asked for; ip does not repeat it
 * @param objects next hop objects, for the routes that use one; a route whose object is not among them has no next hop
 */
export function readRoutes(
  text: string,
  file: string,
  family: 4 | 6,
  objects: NextHopObjects,
): Reading<readonly Route[]> {
  return mapReading(tableOf(entryReader(family, objects))(text, file), (routes) => routes.flat());
}
