import Type from 'typebox';
import { partOf } from '../../domain/api/schema.ts';
import type { Reading } from '../../ports/input-problem.ts';
import { conforming } from '../json/conforming.ts';
import { mapReading } from '../json/readings.ts';
import { tableOf } from './output.ts';

/** One leg of a route as ip prints it, inline or in a next hop object. */
export interface Hop {
  readonly dev?: string;
  readonly gateway?: string;
}

/** The next hops behind each next hop object, by its id: one of a plain object, those of the members of a group, none of a blackhole. */
export type NextHopObjects = ReadonlyMap<number, readonly Hop[]>;

/** Fields of a leg, the same wherever ip prints one. */
export const hopFields = {
  dev: Type.Optional(Type.String()),
  gateway: Type.Optional(Type.String()),
};

/** The leg that an entry describes; none where it names neither a device nor a gateway. */
export function hopsOf({ dev, gateway }: Hop): readonly Hop[] {
  if (dev === undefined && gateway === undefined) return [];
  return [{ ...(dev === undefined ? {} : { dev }), ...(gateway === undefined ? {} : { gateway }) }];
}

const table = tableOf(
  conforming(
    partOf({ id: Type.Integer(), ...hopFields, group: Type.Optional(Type.Array(partOf({ id: Type.Integer() }))) }),
  ),
);

/**
 * Reads the output of `ip -json -details nexthop show` (ip-nexthop(8)). A group's members that are not in the table count for nothing:
 * they went between two answers of the kernel.
 *
 * @param file named in problems
 */
export function readNextHopObjects(text: string, file: string): Reading<NextHopObjects> {
  return mapReading(table(text, file), (objects) => {
    // The kernel allows no group in a group, so the members of one are all plain.
    const plain = new Map(objects.map((object) => [object.id, hopsOf(object)]));
    return new Map(
      objects.map(({ id, group }) => [
        id,
        group?.flatMap((member) => plain.get(member.id) ?? []) ?? plain.get(id) ?? [],
      ]),
    );
  });
}
