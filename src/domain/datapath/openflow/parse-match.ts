import { lazyByText } from '../../basics/incremental/lazy.ts';
import { isFieldName, isProtocol } from './fields.ts';
import type { Match } from './flow.ts';

/** Number of cached texts: those of a bridge with 250 networks. */
const CACHED_TEXTS = 20_000;

/** Names that ovs-ofctl(8) accepts besides those that it prints. */
const synonyms: Readonly<Record<string, string>> = {
  eth_src: 'dl_src',
  eth_dst: 'dl_dst',
  eth_type: 'dl_type',
  ip_src: 'nw_src',
  ip_dst: 'nw_dst',
  ip_frag: 'nw_frag',
  ip_proto: 'nw_proto',
  icmpv6_type: 'icmp_type',
  icmpv6_code: 'icmp_code',
  tcp_src: 'tp_src',
  tcp_dst: 'tp_dst',
  udp_src: 'tp_src',
  udp_dst: 'tp_dst',
};

/**
 * Parses a match as ovs-ofctl(8) prints it.
 *
 * @returns undefined if a field or its value cannot be parsed.
 */
export const parseMatch = lazyByText((text: string): Match | undefined => {
  const match: Record<string, string> = {};
  for (const word of text === '' ? [] : text.split(',')) {
    const equals = word.indexOf('=');
    if (equals === -1) {
      if (!isProtocol(word)) return undefined;
      match['protocol'] = word;
      continue;
    }
    const said = word.slice(0, equals);
    const name = synonyms[said] ?? said;
    if (name !== 'dl_vlan' && !isFieldName(name)) return undefined;
    match[name] = word.slice(equals + 1);
  }
  return match;
}, CACHED_TEXTS);
