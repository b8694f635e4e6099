import Type from 'typebox';
import { partOf, type Shape } from '../../domain/api/schema.ts';
import { byName } from '../../domain/basics/names/ordering.ts';
import type { Address, Link } from '../../domain/snapshot/node-snapshot.ts';
import type { Reading } from '../../ports/input-problem.ts';
import { conforming, fieldPlace, listOf, type Reader } from '../json/conforming.ts';
import { mapReading, thenRead } from '../../ports/readings.ts';
import { present } from './fields.ts';
import type { BareLink } from './links.ts';
import { tableOf } from './output.ts';
import { addressProtocolNumber, scopeWord } from './words.ts';

/** The addresses of devices, by interface index. */
export type AddressesByLink = ReadonlyMap<number, readonly Address[]>;

const addressSchema = partOf({
  family: Type.String(),
  local: Type.String(),
  prefixlen: Type.Integer(),
  scope: Type.String(),
  label: Type.Optional(Type.String()),
  /** The peer address, if any. */
  address: Type.Optional(Type.String()),
  broadcast: Type.Optional(Type.String()),
  metric: Type.Optional(Type.Integer()),
  /** Since iproute2 6.3. */
  protocol: Type.Optional(Type.String()),
  valid_life_time: Type.Optional(Type.Integer()),
  preferred_life_time: Type.Optional(Type.Integer()),
  /** Unknown flags, as one hexadecimal number. */
  ifa_flags: Type.Optional(Type.String()),
});

type AddressEntry = Shape<typeof addressSchema>;

/** An infinite lifetime (rtnetlink, struct ifa_cacheinfo). */
const FOREVER = 0xffff_ffff;

const addressEntry = conforming(addressSchema);
const linkEntry = conforming(partOf({ ifindex: Type.Integer(), addr_info: Type.Optional(Type.Unknown()) }));

/** A list of one address, or none for an entry of no IP family. */
const address: Reader<readonly Address[]> = (value, place) =>
  mapReading(addressEntry(value, place), (fields) =>
    fields.family === 'inet' || fields.family === 'inet6' ? [addressOf(fields)] : [],
  );

function addressOf(fields: AddressEntry): Address {
  return {
    address: fields.local,
    prefixLength: fields.prefixlen,
    scope: scopeWord(fields.scope),
    flags: flagsOf(fields),
    ...present({
      label: fields.label,
      peer: fields.address,
      broadcast: fields.broadcast,
      metric: fields.metric,
      protocol: protocolOf(fields),
      validSeconds: lifetime(fields.valid_life_time),
      preferredSeconds: lifetime(fields.preferred_life_time),
    }),
  };
}

/** The protocols of addresses that the kernel adds when a device comes up: ::1 and link-local ones. */
const KERNEL_PROTOCOLS: readonly string[] = ['0x1', '0x3'];

function protocolOf({ protocol }: AddressEntry): string | undefined {
  if (protocol === undefined) return undefined;
  const number = addressProtocolNumber(protocol);
  return KERNEL_PROTOCOLS.includes(number) ? undefined : number;
}

function lifetime(seconds: number | undefined): number | undefined {
  return seconds === FOREVER ? undefined : seconds;
}

/**
 * The flags are the fields that are true. The kernel has one bit for an IPv4 address that is `secondary` and an IPv6 address that is
 * `temporary` (if_addr.h, IFA_F_SECONDARY, IFA_F_TEMPORARY); ip prints the name for the family.
 */
function flagsOf(fields: AddressEntry): readonly string[] {
  const names = Object.entries<unknown>(fields)
    .filter(([, value]) => value === true)
    .map(([name]) => name);
  return [...names, ...(fields.ifa_flags === undefined ? [] : [`0x${fields.ifa_flags}`])].sort(byName);
}

const addressList = listOf(address);

const addressesOfLink: Reader<readonly [number, readonly Address[]]> = (value, place) =>
  thenRead(linkEntry(value, place), ({ ifindex, addr_info }) =>
    mapReading(addressList(addr_info ?? [], fieldPlace(place, 'addr_info')), (addresses) => [
      ifindex,
      addresses.flat(),
    ]),
  );

const table = tableOf(addressesOfLink);

/**
 * Reads the output of `ip -json -details address show` (ip-address(8)).
 *
 * Of an address with a peer, the prefix length is that of the peer, as ip prints it.
 *
 * @param file named in problems
 */
export function readAddresses(text: string, file: string): Reading<AddressesByLink> {
  return mapReading(table(text, file), (entries) => new Map(entries));
}

/**
 * Joins devices and their addresses. Drops addresses of unknown devices, which were added or removed between the two commands.
 */
export function withAddresses(links: readonly BareLink[], addresses: AddressesByLink): readonly Link[] {
  return links.map((link) => ({ ...link, addresses: addresses.get(link.index) ?? [] }));
}
