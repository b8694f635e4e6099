import type { InterfaceLock, LockDirection, LockRule } from '../../domain/pods/interface-lock.ts';

const TABLE = { family: 'netdev', table: 'ovn-uplinks' } as const;

/** The host’s end of a pod’s interface. */
export interface HostInterface {
  readonly name: string;
  readonly index: number;
}

/** What the host receives from its end has left the pod (nft(8), netdev family; the egress hook is there since Linux 5.16). */
const HOOKS = { 'from-pod': 'ingress', 'to-pod': 'egress' } as const satisfies Record<LockDirection, string>;

/** Before other programs see a packet. */
const PRIORITY = -500;

const ACCEPT = { accept: null };

const field = (protocol: string, name: string) => ({ payload: { protocol, field: name } });

const match = (left: object, right: unknown, op: '==' | '!=' = '==') => ({ match: { op, left, right } });

const oneOf = (values: readonly (string | number)[]) => (values.length === 1 ? values[0] : { set: values });

/** Not a segment that opens a connection, which has SYN without ACK (RFC 9293, section 3.5). */
const opensNothing = match({ '&': [field('tcp', 'flags'), { '|': ['syn', 'ack'] }] }, 'syn', '!=');

/** The statements of the rules of nftables that a rule needs. */
function statementsOf(rule: LockRule, direction: LockDirection): readonly (readonly object[])[] {
  if (rule.kind === 'address-resolution') {
    const types = ['nd-router-solicit', 'nd-router-advert', 'nd-neighbor-solicit', 'nd-neighbor-advert'];
    return [
      [match({ meta: { key: 'protocol' } }, 'arp'), ACCEPT],
      [match(field('ip6', 'hoplimit'), 255), match(field('icmpv6', 'type'), oneOf(types)), ACCEPT],
    ];
  }
  const [remote, remotePort] = direction === 'from-pod' ? ['daddr', 'dport'] : ['saddr', 'sport'];
  const peer = match(field(rule.family === 4 ? 'ip' : 'ip6', remote), oneOf(rule.addresses));
  switch (rule.kind) {
    case 'any':
      return [[peer, ACCEPT]];
    case 'service': {
      const isGuarded = rule.isAnswer && rule.protocol === 'tcp';
      return [[peer, match(field(rule.protocol, remotePort), rule.port), ...(isGuarded ? [opensNothing] : []), ACCEPT]];
    }
    case 'probe-answer': {
      const ownPort = direction === 'from-pod' ? 'sport' : 'dport';
      return [[peer, match(field('tcp', ownPort), oneOf(rule.ports)), opensNothing, ACCEPT]];
    }
  }
}

/** What locks an interface, or replaces its rules, in one transaction: for `nft -j -f -`. */
export function lockRuleset({ name, index }: HostInterface, lock: InterfaceLock): string {
  const commands = (['from-pod', 'to-pod'] as const).flatMap((direction) => {
    const chain = `${direction}-${index}`;
    const base = { type: 'filter', hook: HOOKS[direction], dev: name, prio: PRIORITY, policy: 'drop' };
    return [
      { add: { chain: { ...TABLE, name: chain, ...base } } },
      { flush: { chain: { ...TABLE, name: chain } } },
      ...lock[direction]
        .flatMap((rule) => statementsOf(rule, direction))
        .map((expr) => ({ add: { rule: { ...TABLE, chain, expr } } })),
    ];
  });
  return JSON.stringify({
    nftables: [{ add: { table: { family: TABLE.family, name: TABLE.table } } }, ...commands],
  });
}
