/**
 * The filter of packets that leave networks by the node, a table of nftables (docs/design/node-egress.md, "The filter"; nft(8)): who may send them, where they may go,
 * and by which devices. A verdict of it is final only if it drops: what it accepts, other programs may still drop.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { addressFamilies, type AddressFamily } from '../../basics/addresses/ip-address.ts';
import type { NftFilter, NftRule, NftSet } from './table.ts';

/** Before connection tracking and before kube-proxy translates destinations at -100: a node port or a ClusterIP is seen as what it is. */
const BEFORE_TRANSLATION = -310;

/** Before the filters of most other programs, at 0. */
const BEFORE_FILTERS = -10;

/** Before kube-proxy and others translate sources, at 100: the first chain that translates counts. */
const BEFORE_MASQUERADING = 90;

/** After all that translate. */
const AFTER_TRANSLATION = 300;

/** Length of the part of a comment that tells one version of a rule from another. */
const DIGEST_LENGTH = 16;

const match = (left: object, right: unknown, op: '==' | '!=' | 'in' = '==') => ({ match: { op, left, right } });
const meta = (key: string) => ({ meta: { key } });
const ct = (key: string) => ({ ct: { key } });
const [ACCEPT, DROP, COUNT] = [{ accept: null }, { drop: null }, { counter: null }];
const [from, to] = [meta('iifname'), meta('oifname')];

/** A rule, with what it is for. */
function rule(what: string, ...expr: readonly object[]): NftRule {
  const digest = bytesToHex(sha256(utf8ToBytes(JSON.stringify(expr)))).slice(0, DIGEST_LENGTH);
  return { expr, comment: `${what} (${digest})` };
}

/** The fields and sets of an address family. */
function ofFamily(family: AddressFamily) {
  const field = (name: string) => ({ payload: { protocol: family === 4 ? 'ip' : 'ip6', field: name } });
  return { source: field('saddr'), destination: field('daddr'), set: (name: string) => `@${name}${family}` };
}

/** The sets of an address family: `sources`, addresses of networks; `owners`, with the devices they come from; `ways`, the devices they leave by; destinations. */
function setsOf(family: AddressFamily): readonly NftSet[] {
  const type = family === 4 ? 'ipv4_addr' : 'ipv6_addr';
  return [
    { name: `sources${family}`, type },
    { name: `owners${family}`, type: ['ifname', type] },
    { name: `ways${family}`, type: 'ifname' },
    { name: `denied${family}`, type, isOfSubnets: true },
    { name: `allowed${family}`, type, isOfSubnets: true },
  ];
}

/** Rules for packets that arrive: from a network, or for the address of one. */
function arriving(family: AddressFamily): readonly NftRule[] {
  const { source, destination, set } = ofFamily(family);
  const isFromNetwork = [match(from, '@ports'), match(source, set('sources'))];
  return [
    rule(
      'source of another network',
      match(source, set('sources')),
      match({ concat: [from, source] }, set('owners'), '!='),
      COUNT,
      DROP,
    ),
    rule(
      'denied destination',
      ...isFromNetwork,
      match(destination, set('denied')),
      match(destination, set('allowed'), '!='),
      COUNT,
      DROP,
    ),
    // The addresses of the node itself, and broadcast.
    rule(
      'destination on the node',
      ...isFromNetwork,
      match({ fib: { result: 'type', flags: ['daddr'] } }, 'unicast', '!='),
      COUNT,
      DROP,
    ),
    rule(
      'address of a network from outside',
      match(from, '@ports', '!='),
      match(destination, set('sources')),
      COUNT,
      DROP,
    ),
  ];
}

/** Matches packets that leave a network by the node. */
function leaving(family: AddressFamily): readonly object[] {
  const { source, set } = ofFamily(family);
  return [match(source, set('sources')), match(to, set('ways'))];
}

/**
 * Packets on their way out that have still an address of a network, but to its own devices: those that connection tracking takes for invalid are not translated,
 * and answers come without a rule for them while a network is being removed.
 */
function notTranslated(family: AddressFamily): readonly NftRule[] {
  const { source, destination, set } = ofFamily(family);
  const isElsewhere = (address: object) => match({ concat: [to, address] }, set('owners'), '!=');
  return [source, destination].map((address) =>
    rule('not translated', match(address, set('sources')), isElsewhere(address), COUNT, DROP),
  );
}

/** The filter. */
export const egressFilter: NftFilter = {
  table: { family: 'inet', name: 'ovn-uplinks-egress' },
  sets: [{ name: 'ports', type: 'ifname' }, ...addressFamilies.flatMap(setsOf)],
  chains: [
    {
      name: 'prerouting',
      base: { type: 'filter', hook: 'prerouting', prio: BEFORE_TRANSLATION, policy: 'accept' },
      rules: addressFamilies.flatMap(arriving),
    },
    {
      name: 'forward',
      base: { type: 'filter', hook: 'forward', prio: BEFORE_FILTERS, policy: 'accept' },
      rules: [
        ...addressFamilies.map((family) => rule('leaves', match(from, '@ports'), ...leaving(family), ACCEPT)),
        rule('leaves otherwise', match(from, '@ports'), COUNT, DROP),
        rule(
          'answer',
          match(to, '@ports'),
          match(ct('state'), ['established', 'related'], 'in'),
          match(ct('direction'), 'reply'),
          ACCEPT,
        ),
        rule('enters', match(to, '@ports'), COUNT, DROP),
      ],
    },
    {
      name: 'postrouting',
      base: { type: 'nat', hook: 'postrouting', prio: BEFORE_MASQUERADING, policy: 'accept' },
      rules: addressFamilies.map((family) => rule('address of the node', ...leaving(family), { masquerade: null })),
    },
    {
      name: 'last',
      base: { type: 'filter', hook: 'postrouting', prio: AFTER_TRANSLATION, policy: 'accept' },
      rules: addressFamilies.flatMap(notTranslated),
    },
  ],
};
