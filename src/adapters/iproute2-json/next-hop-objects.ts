import { isIP } from 'node:net';
import Type from 'typebox';
import { partOf, type Shape } from '../../domain/api/schema.ts';
import type { NextHop, NextHopObject } from '../../domain/snapshot/node-snapshot.ts';
import type { Reading } from '../../ports/input-problem.ts';
import { conforming, type Reader } from '../json/conforming.ts';
import { mapReading } from '../../ports/readings.ts';
import { namesBeyond, present, unknownAttributes } from './fields.ts';
import { hopFields, isOnLink, nextHopsOf, unknownFlags } from './next-hops.ts';
import { tableOf } from './output.ts';
import { protocolWord, scopeWord } from './words.ts';

/** The next hops of each next hop object, by id: one for a plain object, those of the members for a group, none for a blackhole. */
export type HopsOfObjects = ReadonlyMap<number, readonly NextHop[]>;

const entrySchema = partOf({
  id: Type.Integer(),
  ...hopFields,
  scope: Type.Optional(Type.String()),
  protocol: Type.Optional(Type.String()),
  group: Type.Optional(Type.Array(partOf({ id: Type.Integer(), weight: Type.Optional(Type.Integer()) }))),
  // Present if set.
  blackhole: Type.Optional(Type.Unknown()),
});

type NextHopObjectEntry = Shape<typeof entrySchema>;

const KNOWN_NAMES: ReadonlySet<string> = new Set(Object.keys(entrySchema.properties));

const conformingEntry = conforming(entrySchema);

const nextHopObject: Reader<NextHopObject> = (value, place) => mapReading(conformingEntry(value, place), objectOf);

function objectOf(entry: NextHopObjectEntry): NextHopObject {
  return {
    id: entry.id,
    protocol: protocolWord(entry.protocol ?? 'unspec'),
    ...present({
      family: familyOfObject(entry),
      device: entry.dev,
      gateway: entry.gateway,
      onlink: isOnLink(entry) ? (true as const) : undefined,
      blackhole: entry.blackhole === undefined ? undefined : (true as const),
      group: entry.group?.map(({ id, weight = 1 }) => ({ id, weight })),
    }),
    ...unknownAttributes([...namesBeyond(entry, KNOWN_NAMES), ...unknownFlags(entry)]),
  };
}

/**
 * ip does not print the family. For a device without gateway the scope shows it: `host` for IPv4, `link` for IPv6 (seen on 6.1); for a blackhole it is
 * unknown.
 */
function familyOfObject({ gateway, dev, scope: printed = '' }: NextHopObjectEntry): 4 | 6 | undefined {
  if (gateway !== undefined) return isIP(gateway) === 6 ? 6 : 4;
  if (dev === undefined) return undefined;
  const scope = scopeWord(printed);
  if (scope === 'host') return 4;
  return scope === 'link' ? 6 : undefined;
}

/**
 * Reads the output of `ip -json -details nexthop show` (ip-nexthop(8)), also with -N.
 *
 * @param file named in problems
 */
export const readNextHopObjects: (text: string, file: string) => Reading<readonly NextHopObject[]> =
  tableOf(nextHopObject);

/**
 * The next hops of each object. Ignores unknown members of a group, which were removed between two queries.
 */
export function hopsOfObjects(objects: readonly NextHopObject[]): HopsOfObjects {
  const byId = new Map(objects.map((object) => [object.id, object]));
  // The kernel allows no nested groups.
  const hopsOf = (object: NextHopObject | undefined, weight?: number): readonly NextHop[] =>
    object === undefined ? [] : nextHopsOf(hopOf(object, weight));
  return new Map(
    objects.map((object) => [
      object.id,
      object.group?.flatMap(({ id, weight }) => hopsOf(byId.get(id), weight)) ?? hopsOf(object),
    ]),
  );
}

function hopOf({ device, gateway, onlink }: NextHopObject, weight: number | undefined) {
  return present({ dev: device, gateway, weight, flags: onlink === true ? ['onlink'] : [] });
}
