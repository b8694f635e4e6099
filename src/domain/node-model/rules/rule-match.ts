/**
 * Whether a rule matches a packet, as the kernel decides (net/core/fib_rules.c, fib_rule_match; net/ipv4/fib_rules.c, fib4_rule_match;
 * net/ipv6/fib6_rules.c, fib6_rule_match). Selectors are those of ip-rule(8).
 */
import { subnetContains } from '../../basics/addresses/ip-address.ts';
import type { Rule } from '../../snapshot/node-snapshot.ts';

/** A packet as rules see it, or the address that a lookup is about. */
export interface RuledPacket {
  readonly family: 4 | 6;
  /** Absent: the unspecified address. */
  readonly source?: string;
  readonly destination: string;
  /** Packet mark; 0 for none. */
  readonly mark: number;
  /** The device that it came in by: the loopback device for what the host sends; absent where the kernel names none. */
  readonly inputDevice?: string;
  /** The device that it has to leave by; absent for any. */
  readonly outputDevice?: string | undefined;
  /** The VRF that its socket is bound to, or that one of the devices is or is in. */
  readonly vrf?: { readonly name: string; readonly table: number };
  /** Transport protocol, by its name in ip's output; absent for a lookup without one. */
  readonly protocol?: string;
  /** Absent where the protocol has none. */
  readonly ports?: { readonly source: number; readonly destination: number };
  /** The user whose process sends it, 0 for what is received; `unknown` for any. */
  readonly userId: number | 'unknown';
}

type Selectors = Rule['others'];

/** Whether a packet is as a selector says; undefined if that is not known. */
type Selector = (packet: RuledPacket, selectors: Selectors) => boolean | undefined;

/** The text of a selector, from its JSON text. */
export function selectedText(json: string | undefined): string | undefined {
  return json?.replaceAll('"', '');
}

/** The addresses that a rule is for, CIDR: one address has no length. */
export function selectedSubnet(family: 4 | 6, base: string | undefined, length: string | undefined): string {
  return `${selectedText(base) ?? ''}/${length ?? (family === 4 ? '32' : '128')}`;
}

const UNSPECIFIED = { 4: '0.0.0.0', 6: '::' } as const;

/** A range of numbers: one number, or its ends; a port is not known of a protocol that has none. */
function inRange(value: number | undefined, first: string | undefined, last: string | undefined): boolean | undefined {
  return value === undefined ? undefined : value >= Number(first) && value <= Number(last ?? first);
}

const matchesSourcePort: Selector = ({ ports, protocol }, { sport, sport_start = sport, sport_end }) =>
  protocol === undefined ? false : inRange(ports?.source, sport_start, sport_end);

const matchesDestinationPort: Selector = ({ ports, protocol }, { dport, dport_start = dport, dport_end }) =>
  protocol === undefined ? false : inRange(ports?.destination, dport_start, dport_end);

const matchesUser: Selector = ({ userId }, { uid_start, uid_end }) =>
  userId === 'unknown' ? undefined : inRange(userId, uid_start, uid_end);

/** Whether a rule is for a device. Kernels differ in whether a rule for a VRF matches packets of its members (net/core/fib_rules.c, fib_rule_match). */
function isDevice(
  wanted: string | undefined,
  device: string | undefined,
  vrf: string | undefined,
): boolean | undefined {
  if (wanted === device) return true;
  return wanted === vrf ? undefined : false;
}

/** The selectors, by their names in ip's output; apart from the mark. */
const selectors: Readonly<Record<string, Selector>> = {
  l3mdev: ({ vrf }) => vrf !== undefined,
  src: ({ family, source = UNSPECIFIED[family] }, { src, srclen }) =>
    subnetContains(selectedSubnet(family, src, srclen), source),
  dst: ({ family, destination }, { dst, dstlen }) => subnetContains(selectedSubnet(family, dst, dstlen), destination),
  iif: ({ inputDevice, vrf }, { iif }) => isDevice(selectedText(iif), inputDevice, vrf?.name),
  oif: ({ outputDevice, vrf }, { oif }) => isDevice(selectedText(oif), outputDevice, vrf?.name),
  ipproto: ({ protocol }, { ipproto }) => protocol === selectedText(ipproto),
  sport: matchesSourcePort,
  sport_start: matchesSourcePort,
  dport: matchesDestinationPort,
  dport_start: matchesDestinationPort,
  uid_start: matchesUser,
  // ip prints neither if it is 0, which packets have here: no type of service, and no tunnel that they came by.
  tos: () => false,
  tun_id: () => false,
};

/** Words that belong to a selector, invert the rule, or say what follows if it matches. */
const NO_SELECTORS: ReadonlySet<string> = new Set([
  ...['srclen', 'dstlen', 'sport_end', 'dport_end', 'uid_end', 'not'],
  ...['action', 'goto', 'nop', 'suppress_prefixlen', 'suppress_ifgroup', 'flow_from', 'flow_to'],
]);

/** Whether the mark of a packet is that of a rule, if the rule has one. */
export function hasMarkOf(
  { mark, markMask = 0xffff_ffff }: Pick<Rule, 'mark' | 'markMask'>,
  ofPacket: number,
): boolean {
  return mark === undefined || ((mark ^ ofPacket) & markMask) === 0;
}

/** Names in ip's output of the selectors of a rule, known here or not; apart from the mark. */
export function selectorsOf({ others }: Pick<Rule, 'others'>): readonly string[] {
  return Object.keys(others).filter((name) => !NO_SELECTORS.has(name));
}

/** Whether a rule matches the packets that are not as its selectors say. */
export function isInverted({ others }: Pick<Rule, 'others'>): boolean {
  return Object.hasOwn(others, 'not');
}

/** Whether each selector of a rule matches a packet, by its name. */
function answersOf(rule: Rule, packet: RuledPacket): readonly (readonly [string, boolean | undefined])[] {
  return selectorsOf(rule).map((name) => [
    name,
    Object.hasOwn(selectors, name) ? selectors[name]?.(packet, rule.others) : undefined,
  ]);
}

/** Names in ip's output of the selectors of a rule of which it is not known whether a packet is as they say. */
export function undecidedSelectors(rule: Rule, packet: RuledPacket): readonly string[] {
  return answersOf(rule, packet).flatMap(([name, answer]) => (answer === undefined ? [name] : []));
}

function matchesAll(rule: Rule, packet: RuledPacket): boolean | undefined {
  const answers = answersOf(rule, packet).map(([, answer]) => answer);
  if (rule.detached === true || !hasMarkOf(rule, packet.mark) || answers.includes(false)) return false;
  return answers.includes(undefined) ? undefined : true;
}

/** Whether a rule matches a packet of its family; undefined if that is not known. `not` inverts all selectors together. */
export function matchesRule(rule: Rule, packet: RuledPacket): boolean | undefined {
  const matches = matchesAll(rule, packet);
  return isInverted(rule) && matches !== undefined ? !matches : matches;
}
