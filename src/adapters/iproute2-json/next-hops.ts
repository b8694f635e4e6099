import Type from 'typebox';
import { partOf } from '../../domain/api/schema.ts';
import type { NextHop } from '../../domain/snapshot/node-snapshot.ts';
import { namesBeyond, present } from './fields.ts';

/** One leg of a route as ip prints it: in the route itself, in its list of next hops, or as a next hop object. */
export interface Hop {
  readonly dev?: string;
  readonly gateway?: string;
  /** A gateway of the other family (RFC 5549). */
  readonly via?: { readonly host: string };
  readonly weight?: number;
  readonly flags?: readonly string[];
}

/** Fields of a leg, the same wherever ip prints one. */
export const hopFields = {
  dev: Type.Optional(Type.String()),
  gateway: Type.Optional(Type.String()),
  via: Type.Optional(partOf({ host: Type.String() })),
  flags: Type.Optional(Type.Array(Type.String())),
};

/** A leg of a list. */
export const listedHopSchema = partOf({ ...hopFields, weight: Type.Optional(Type.Integer()) });

const LISTED_HOP_NAMES: ReadonlySet<string> = new Set(Object.keys(listedHopSchema.properties));

/** Flags of which only one is an attribute; the others say what the kernel and the hardware make of the leg just now (rtnetlink(7), RTNH_F_*). */
const KNOWN_FLAGS: ReadonlySet<string> = new Set([
  'onlink',
  'dead',
  'linkdown',
  'pervasive',
  'offload',
  'trap',
  'unresolved',
  'rt_offload',
  'rt_trap',
  'rt_offload_failed',
]);

/** The leg in the snapshot's words; none where it names neither a device nor a gateway. */
export function nextHopsOf(hop: Hop): readonly NextHop[] {
  const gateway = hop.gateway ?? hop.via?.host;
  if (hop.dev === undefined && gateway === undefined) return [];
  return [
    present({
      device: hop.dev,
      gateway,
      weight: hop.weight === 1 ? undefined : hop.weight,
      onlink: isOnLink(hop) ? (true as const) : undefined,
    }),
  ];
}

/** Whether the gateway counts as directly connected though no address says so. */
export function isOnLink({ flags = [] }: Hop): boolean {
  return flags.includes('onlink');
}

/** Flags of a leg that are none of the known ones, by their names as attributes. */
export function unknownFlags({ flags = [] }: Hop): readonly string[] {
  return flags.filter((flag) => !KNOWN_FLAGS.has(flag)).map((flag) => `flags.${flag}`);
}

/** What a leg of a list says and the snapshot has no word for. */
export function unknownInListedHop(hop: Hop): readonly string[] {
  return [...namesBeyond(hop, LISTED_HOP_NAMES), ...unknownFlags(hop)];
}
