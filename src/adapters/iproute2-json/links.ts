import Type from 'typebox';
import { partOf, type Shape } from '../../domain/api/schema.ts';
import type { Link } from '../../domain/snapshot/node-snapshot.ts';
import type { Reading } from '../../ports/input-problem.ts';
import { conforming, type Place, type Reader } from '../json/conforming.ts';
import { allFields, mapReading, thenRead } from '../../ports/readings.ts';
import { present } from './fields.ts';
import { tableOf } from './output.ts';
import { groupWord, linkTypeWord } from './words.ts';

/** A device without its addresses. */
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
  group: Type.Optional(Type.String()),
  altnames: Type.Optional(Type.Array(Type.String())),
  // Absent if the device has no IPv6.
  inet6_addr_gen_mode: Type.Optional(Type.String()),
  // A name; null if a device could have one.
  link: Type.Optional(Type.Unknown()),
  linkinfo: Type.Optional(partOf({ info_kind: Type.Optional(Type.String()) })),
});

type LinkEntry = Shape<typeof entrySchema>;

/** Kinds whose `link` is the peer, not a lower device. */
const PAIRED_KINDS: ReadonlySet<string> = new Set(['netkit', 'netdevsim', 'veth', 'vxcan']);

/** Fields of kind `vrf`; other kinds use the same names differently. */
const vrfSchema = partOf({ linkinfo: partOf({ info_data: partOf({ table: Type.Integer() }) }) });

/** Fields of kind `vlan`. */
const vlanSchema = partOf({
  linkinfo: partOf({ info_data: Type.Optional(partOf({ flags: Type.Optional(Type.Array(Type.String())) })) }),
});

const entry = conforming(entrySchema);
const vrfEntry = conforming(vrfSchema);
const vlanEntry = conforming(vlanSchema);
const stackedEntry = conforming(partOf({ link: Type.String() }));

const link: Reader<BareLink> = (value, place) =>
  thenRead(entry(value, place), (fields) =>
    mapReading(
      allFields({
        vrfTable: readVrfTable(value, place, fields),
        lowerDevice: readLowerDevice(value, place, fields),
        looseBinding: readLooseBinding(value, place, fields),
      }),
      (details) => ({ ...linkOf(fields), ...present(details) }),
    ),
  );

const absent: Reading<undefined> = { read: true, value: undefined };

function readVrfTable(value: unknown, place: Place, { linkinfo }: LinkEntry): Reading<number | undefined> {
  if (linkinfo?.info_kind !== 'vrf') return absent;
  return mapReading(vrfEntry(value, place), ({ linkinfo: details }) => details.info_data.table);
}

/** For a device in another network namespace ip prints only `link_index`. */
function readLowerDevice(
  value: unknown,
  place: Place,
  { link: lower, linkinfo }: LinkEntry,
): Reading<string | undefined> {
  if (lower === undefined || lower === null || PAIRED_KINDS.has(linkinfo?.info_kind ?? '')) return absent;
  return mapReading(stackedEntry(value, place), ({ link: name }) => name);
}

function readLooseBinding(value: unknown, place: Place, { linkinfo }: LinkEntry): Reading<true | undefined> {
  if (linkinfo?.info_kind !== 'vlan') return absent;
  return mapReading(vlanEntry(value, place), ({ linkinfo: { info_data: { flags = [] } = {} } }) =>
    flags.includes('LOOSE_BINDING') ? true : undefined,
  );
}

/** `default` is 0 with -N. */
function groupOf({ group }: LinkEntry): string | undefined {
  const name = group === undefined ? 'default' : groupWord(group);
  return name === 'default' ? undefined : name;
}

function linkOf(fields: LinkEntry): BareLink {
  return {
    index: fields.ifindex,
    name: fields.ifname,
    up: fields.flags.includes('UP'),
    operationalState: fields.operstate?.toLowerCase() ?? 'unknown',
    mtu: fields.mtu,
    type: linkTypeWord(fields.link_type),
    ...present({
      kind: fields.linkinfo?.info_kind,
      master: fields.master,
      alias: fields.ifalias,
      group: groupOf(fields),
      alternativeNames: fields.altnames,
      addressGeneration: fields.linkinfo?.info_kind === 'vrf' ? undefined : fields.inet6_addr_gen_mode,
      macAddress: fields.address,
    }),
  };
}

const table = tableOf(link);

/**
 * Reads the output of `ip -json -details link show` (ip-link(8)).
 *
 * Accepts every name that the kernel allows, and unknown kinds, flags and fields.
 *
 * @param file named in problems
 */
export function readLinks(text: string, file: string): Reading<readonly BareLink[]> {
  return table(text, file);
}
