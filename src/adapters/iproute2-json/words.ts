/**
 * Names for the numbers that ip prints with -N. -N is used because table names depend on the machine's rt_tables file; for the rest the snapshot uses
 * the names that ip prints without it, if they are the same on every machine (iproute2, lib/rt_names.c).
 */
import { SCOPES } from '../../domain/node-model/scopes.ts';

function namesOf(names: Readonly<Record<string, string>>): (printed: string) => string {
  const words = new Map(Object.entries(names));
  return (printed) => words.get(printed) ?? printed;
}

function numbersOf(names: Readonly<Record<string, string>>): (word: string) => string {
  const numbers = new Map(Object.entries(names).map(([number, word]) => [word, number]));
  return (word) => numbers.get(word) ?? word;
}

const protocols = {
  0: 'unspec',
  1: 'redirect',
  2: 'kernel',
  3: 'boot',
  4: 'static',
  8: 'gated',
  9: 'ra',
  10: 'mrt',
  11: 'zebra',
  12: 'bird',
  13: 'dnrouted',
  14: 'xorp',
  15: 'ntk',
  16: 'dhcp',
  18: 'keepalived',
  42: 'babel',
  99: 'openr',
  186: 'bgp',
  187: 'isis',
  188: 'ospf',
  189: 'rip',
  192: 'eigrp',
} as const;

/** Names that only newer versions of ip print (seen in 6.15), by the number that others print, with or without -N. */
const newerNames = { ovn: '84' } as const;

/** The rtnetlink protocol (rtnetlink.h, RTPROT_*); an unnamed number stays a number. */
export const protocolWord = namesOf({ ...protocols, ...newerNames });

/** The protocol of an address (if_addr.h, IFAPROT_*); ip prints unnamed numbers as `0x12`. */
export const addressProtocolNumber = namesOf({ kernel_lo: '0x1', kernel_ra: '0x2', kernel_ll: '0x3' });

/** The number of a protocol; a number stays. */
export const protocolNumber = numbersOf(protocols);

/** The scope of an address, a route or a next hop object (rtnetlink.h, enum rt_scope_t). */
export const scopeWord = namesOf(SCOPES);

/** The number of a scope; a number stays. */
export const scopeNumber = numbersOf(SCOPES);

/** The type of a route, or the action of a rule (rtnetlink.h, enum rtm_type). */
export const typeWord = namesOf({
  1: 'unicast',
  2: 'local',
  3: 'broadcast',
  4: 'anycast',
  5: 'multicast',
  6: 'blackhole',
  7: 'unreachable',
  8: 'prohibit',
  9: 'throw',
  10: 'nat',
  11: 'xresolve',
});

const transports = namesOf({
  1: 'icmp',
  6: 'tcp',
  17: 'udp',
  33: 'dccp',
  47: 'gre',
  50: 'esp',
  51: 'ah',
  58: 'ipv6-icmp',
  132: 'sctp',
  136: 'udplite',
});

/** The group of devices, of a device or suppressed by a rule (ip-link(8), group; ip-rule(8), suppress_ifgroup). */
export const groupWord = namesOf({ 0: 'default' });

/** The IP protocol of a rule; a number is `ipproto-6` (iproute2, inet_proto_n2a). */
export function transportWord(printed: string): string {
  const [, number] = /^ipproto-(\d+)$/.exec(printed) ?? [];
  if (number === undefined) return printed;
  const word = transports(number);
  return word === number ? printed : word;
}

/** The link-layer type (if_arp.h, ARPHRD_*), with unnamed numbers in brackets. */
export const linkTypeWord = namesOf({
  '[1]': 'ether',
  '[32]': 'infiniband',
  '[512]': 'ppp',
  '[768]': 'ipip',
  '[769]': 'tunnel6',
  '[772]': 'loopback',
  '[776]': 'sit',
  '[778]': 'gre',
  '[823]': 'gre6',
  '[65534]': 'none',
});
