import Type from 'typebox';
import { partOf, type Shape } from '../../domain/api/schema.ts';
import type { Link } from '../../domain/snapshot/node-snapshot.ts';
import type { Reading } from '../../ports/input-problem.ts';
import { conforming, type Reader } from '../json/conforming.ts';
import { mapReading, thenRead } from '../json/readings.ts';
import { tableOf } from './output.ts';

/** A device without what only `ip address` says. */
export type BareLink = Omit<Link, 'addresses'>;

const entrySchema = partOf({
  ifindex: Type.Integer(),
  ifname: Type.String(),
  flags: Type.Array(Type.String()),
  mtu: Type.Integer(),
  operstate: Type.Optional(Type.String()),
  link_type: Type.String(),
  address: Type.Optional(Type.String()),
  master: Type.Optional(Type.String()),
  ifalias: Type.Optional(Type.String()),
  linkinfo: Type.Optional(partOf({ info_kind: Type.Optional(Type.String()) })),
});

/** What an entry of kind `vrf` says besides; in other kinds the same names mean other things. */
const vrfSchema = partOf({ linkinfo: partOf({ info_data: partOf({ table: Type.Integer() }) }) });

const entry = conforming(entrySchema);
const vrfEntry = conforming(vrfSchema);

const link: Reader<BareLink> = (value, place) =>
  thenRead(entry(value, place), (fields): Reading<BareLink> => {
    if (fields.linkinfo?.info_kind !== 'vrf') return { read: true, value: linkOf(fields) };
    return mapReading(vrfEntry(value, place), ({ linkinfo }) => ({
      ...linkOf(fields),
      vrfTable: linkinfo.info_data.table,
    }));
  });

function linkOf(fields: Shape<typeof entrySchema>): BareLink {
  const kind = fields.linkinfo?.info_kind;
  return {
    index: fields.ifindex,
    name: fields.ifname,
    ...(kind === undefined ? {} : { kind }),
    ...(fields.master === undefined ? {} : { master: fields.master }),
    ...(fields.ifalias === undefined ? {} : { alias: fields.ifalias }),
    up: fields.flags.includes('UP'),
    operationalState: fields.operstate?.toLowerCase() ?? 'unknown',
    mtu: fields.mtu,
    type: fields.link_type,
    ...(fields.address === undefined ? {} : { macAddress: fields.address }),
  };
}

const table = tableOf(link);

/**
 * Reads the output of `ip -json -details link show` (ip-link(8)).
 *
 * Names are data: whatever the kernel allows in one is fine. Kinds, flags and fields that this version does not know are no problem.
 *
 * @param file named in problems
 */
export function readLinks(text: string, file: string): Reading<readonly BareLink[]> {
  return table(text, file);
}
