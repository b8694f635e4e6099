import Type from 'typebox';
import { partOf } from '../../domain/api/schema.ts';
import type { NextHop } from '../../domain/snapshot/node-snapshot.ts';
import { namesBeyond, present } from './fields.ts';

/** A next hop as ip prints it: in a route, in its list of next hops, or as a next hop object. */
export interface PrintedNextHop {
  readonly dev?: string;
  readonly gateway?: string;
  /** A gateway of the other family (RFC 5549). */
  readonly via?: { readonly host: string };
  readonly weight?: number;
  readonly flags?: readonly string[];
}

/** The common fields of next hops. */
export const hopFields = {
  dev: Type.Optional(Type.String()),
  gateway: Type.Optional(Type.String()),
  via: Type.Optional(partOf({ host: Type.String() })),
  flags: Type.Optional(Type.Array(Type.String())),
};

/** An item of a list of next hops. */
export const listedHopSchema = partOf({ ...hopFields, weight: Type.Optional(Type.Integer()) });

const LISTED_HOP_NAMES: ReadonlySet<string> = new Set(Object.keys(listedHopSchema.properties));

/** The flags of a next hop whose device is down, or has no carrier. */
const DOWN_FLAGS: readonly string[] = ['dead', 'linkdown'];

/** Known flags. Only `onlink` is an attribute; the others are the current state (rtnetlink(7), RTNH_F_*). */
const KNOWN_FLAGS: ReadonlySet<string> = new Set([
  'onlink',
  ...DOWN_FLAGS,
  'pervasive',
  'offload',
  'trap',
  'unresolved',
  'rt_offload',
  'rt_trap',
  'rt_offload_failed',
]);

/** The next hop in the snapshot; none without device and gateway. */
export function nextHopsOf(hop: PrintedNextHop): readonly NextHop[] {
  const gateway = hop.gateway ?? hop.via?.host;
  if (hop.dev === undefined && gateway === undefined) return [];
  return [
    present({
      device: hop.dev,
      gateway,
      weight: hop.weight === 1 ? undefined : hop.weight,
      onlink: isOnLink(hop) ? (true as const) : undefined,
      down: hop.flags?.some((flag) => DOWN_FLAGS.includes(flag)) === true ? (true as const) : undefined,
    }),
  ];
}

/** Whether the gateway counts as directly connected without a matching address. */
export function isOnLink({ flags = [] }: PrintedNextHop): boolean {
  return flags.includes('onlink');
}

/** Unknown flags of a next hop, as attribute names. */
export function unknownFlags({ flags = [] }: PrintedNextHop): readonly string[] {
  return flags.filter((flag) => !KNOWN_FLAGS.has(flag)).map((flag) => `flags.${flag}`);
}

/** The unknown attributes of a listed next hop. */
export function unknownInListedHop(hop: PrintedNextHop): readonly string[] {
  return [...namesBeyond(hop, LISTED_HOP_NAMES), ...unknownFlags(hop)];
}
