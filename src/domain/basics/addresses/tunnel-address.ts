/**
 * Where tunnels end, as people and other programs write it: in the annotation of a Node, and in Open vSwitch. Open vSwitch sends to a unicast address
 * without prefix length (ovs-vswitchd.conf.db(5), Interface, options:remote_ip).
 */
import { addressRangeOf, canonicalAddress, familyOf, unmappedAddress, withoutLength } from './ip-address.ts';
import { lazyByText } from '../incremental/lazy.ts';
import { distinct } from '../names/ordering.ts';

/** Why no tunnel can end where a text says. Of 0.0.0.0/8, only 0.0.0.0 is the unspecified address (RFC 1122, 3.2.1.3). */
const problems = {
  unspecified: 'is an address of 0.0.0.0/8, which no interface has',
  loopback: 'is an address of the loopback interface',
  multicast: 'is a multicast address',
  broadcast: 'is the broadcast address',
} as const;

/** A text that is not used, and why: the end of a sentence about it. */
interface UnusableAddress {
  readonly text: string;
  readonly problem: string;
}

/** Addresses where tunnels end, as a list of texts says. */
export interface TunnelAddresses {
  /** Each once, in its canonical text, in name order. */
  readonly addresses: readonly string[];
  readonly unusable: readonly UnusableAddress[];
}

type Reading =
  | { readonly address: string }
  /** Why it is not used, and the address if it is one of the loopback interface: tunnels can end there on the only node of a cluster. */
  | { readonly problem: string; readonly loopback?: string };

const isUnspecified = (address: string) => address === '0.0.0.0' || address === '::';

/** Reads one text: a prefix length is left out, and an IPv4-mapped address is the IPv4 address (RFC 4291, 2.5.5.2). */
export const readTunnelAddress = lazyByText((text: string): Reading => {
  if (familyOf(text) === undefined) return { problem: 'is not an address' };
  const address = canonicalAddress(unmappedAddress(withoutLength(text)));
  const range = addressRangeOf(address);
  if (isUnspecified(address)) return { problem: 'is the unspecified address' };
  if (range in problems) {
    const problem = problems[range as keyof typeof problems];
    return { problem, ...(range === 'loopback' && { loopback: address }) };
  }
  const needsLink = range === 'linkLocal' && familyOf(address) === 6;
  return needsLink ? { problem: 'is a link-local address, which needs an interface' } : { address };
});

/** The addresses in a list of texts, and what is none of them. */
export function tunnelAddressesIn(texts: readonly string[]): TunnelAddresses {
  const read = distinct(texts).map((text) => ({ text, reading: readTunnelAddress(text) }));
  return {
    addresses: distinct(read.flatMap(({ reading }) => ('address' in reading ? [reading.address] : []))),
    unusable: read.flatMap(({ text, reading }) => ('problem' in reading ? [{ text, problem: reading.problem }] : [])),
  };
}

/** Says what is wrong with a text. */
export function unusableText({ text, problem }: UnusableAddress): string {
  return `${JSON.stringify(text)} ${problem}`;
}
