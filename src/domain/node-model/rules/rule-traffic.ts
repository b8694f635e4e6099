/**
 * Which packets of a kind does a rule match: all, some, or none? Its selectors are compared with what is known of the packets (ip-rule(8)).
 */
import { familyOf, subnetsOverlap } from '../../basics/addresses/ip-address.ts';
import type { Rule } from '../../snapshot/node-snapshot.ts';
import { LOOPBACK } from '../device.ts';
import { hasMarkOf, isInverted, selectedSubnet, selectedText, selectorsOf } from './rule-match.ts';

/** Packets of a kind. */
export interface Traffic {
  readonly mark: number;
  /** The VRF and its members, for packets in a VRF; absent for packets anywhere else. */
  readonly devices?: ReadonlySet<string>;
  /** Where packets may be from, CIDR. */
  readonly sources: readonly string[];
}

/** How many of the packets are as a selector says. */
type Share = 'all' | 'some' | 'none';

/** The share of packets with a device. Those that the host sends in a VRF come in by the loopback device. */
function shareOfDevice(name: string | undefined, { devices }: Traffic, isInput: boolean): Share {
  const isPossible = devices === undefined || devices.has(name ?? '') || (isInput && name === LOOPBACK);
  return isPossible ? 'some' : 'none';
}

function shareOfSource({ family, others }: Rule, { sources }: Traffic): Share {
  const subnet = selectedSubnet(family, others['src'], others['srclen']);
  return sources.some((cidr) => familyOf(cidr) === family && subnetsOverlap(cidr, subnet)) ? 'some' : 'none';
}

/** The selectors, by their names in ip's output, that may match all packets or none; any other matches some. */
const shares: Readonly<Record<string, (rule: Rule, traffic: Traffic) => Share>> = {
  l3mdev: (_rule, { devices }) => (devices === undefined ? 'none' : 'all'),
  iif: ({ others }, traffic) => shareOfDevice(selectedText(others['iif']), traffic, true),
  oif: ({ others }, traffic) => shareOfDevice(selectedText(others['oif']), traffic, false),
  src: shareOfSource,
  // None of them has come by a tunnel that a device keeps for rules.
  tun_id: () => 'none',
};

function shareOf(selector: string, rule: Rule, traffic: Traffic): Share {
  return Object.hasOwn(shares, selector) ? (shares[selector]?.(rule, traffic) ?? 'some') : 'some';
}

/** Whether a rule matches any of the packets of its family. `not` inverts all selectors together. */
export function matchesAny(rule: Rule, traffic: Traffic): boolean {
  if (rule.detached === true || !hasMarkOf(rule, traffic.mark)) return isInverted(rule);
  const found = selectorsOf(rule).map((selector) => shareOf(selector, rule, traffic));
  return isInverted(rule) ? found.some((share) => share !== 'all') : !found.includes('none');
}
