import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { lazyByText } from '../../domain/incremental/lazy.ts';
import type { InterfaceLock, LockDirection, LockRule } from '../../domain/pods/interface-lock.ts';
import type { LockedInterface } from '../../ports/interface-locks.ts';

/** The table with all locks. */
export const LOCK_TABLE = { family: 'netdev', table: 'ovn-uplinks' } as const;

/** Hooks of the host: what it receives from its end has left the pod (nft(8), netdev family; the egress hook is there since Linux 5.16). */
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

/** A rule. Its comment tells what it says: nft prints rules in another form than they are written in, and another one in each version. */
export interface WrittenRule {
  readonly expr: readonly object[];
  readonly comment: string;
}

/** A chain of a lock. */
export interface WrittenChain {
  readonly name: string;
  readonly base: {
    readonly type: string;
    readonly hook: string;
    readonly dev: string;
    readonly prio: number;
    readonly policy: string;
  };
  readonly rules: readonly WrittenRule[];
}

const directions = ['from-pod', 'to-pod'] as const;

function chainName(direction: LockDirection, index: number): string {
  return `${direction}-${index}`;
}

/** The index of the interface that a chain is for; undefined for a chain that has another name. */
export function indexInChainName(name: string): number | undefined {
  const [, index] = /^(?:from|to)-pod-([1-9][0-9]{0,9})$/.exec(name) ?? [];
  return index === undefined ? undefined : Number(index);
}

/** The comment of a rule, by its statements as JSON: the pods of a node have mostly the same rules. */
const commentOf = lazyByText((text) => bytesToHex(sha256(utf8ToBytes(text))).slice(0, 32));

function writtenRules(lock: InterfaceLock, direction: LockDirection): readonly WrittenRule[] {
  return lock[direction]
    .flatMap((rule) => statementsOf(rule, direction))
    .map((expr) => ({ expr, comment: commentOf(JSON.stringify(expr)) }));
}

/** The chains of a lock: what the pod sends, and what it gets. */
export function chainsOf({ interface: { name, index }, lock }: LockedInterface): readonly WrittenChain[] {
  return directions.map((direction) => ({
    name: chainName(direction, index),
    base: { type: 'filter', hook: HOOKS[direction], dev: name, prio: PRIORITY, policy: 'drop' },
    rules: writtenRules(lock, direction),
  }));
}

const ADD_TABLE = { add: { table: { family: LOCK_TABLE.family, name: LOCK_TABLE.table } } };

const ruleset = (commands: readonly object[]): string => JSON.stringify({ nftables: [ADD_TABLE, ...commands] });

/** Commands that lock interfaces, or replace their rules, in one transaction, as JSON for nft. */
export function lockRuleset(locks: readonly LockedInterface[]): string {
  const commands = locks
    .flatMap(chainsOf)
    .flatMap(({ name, base, rules }) => [
      { add: { chain: { ...LOCK_TABLE, name, ...base } } },
      { flush: { chain: { ...LOCK_TABLE, name } } },
      ...rules.map((rule) => ({ add: { rule: { ...LOCK_TABLE, chain: name, ...rule } } })),
    ]);
  return ruleset(commands);
}

/** Commands that remove chains, whether they are there or not: to delete one that is not there is an error. */
function removalRuleset(names: readonly string[]): string {
  const commands = names.flatMap((name) => {
    const chain = { ...LOCK_TABLE, name };
    return [{ add: { chain } }, { flush: { chain } }, { delete: { chain } }];
  });
  return ruleset(commands);
}

/** Commands that remove the locks of interfaces, by their indexes. */
export function unlockRuleset(indexes: readonly number[]): string {
  return removalRuleset(indexes.flatMap((index) => directions.map((direction) => chainName(direction, index))));
}

/** Commands that remove everything. */
export const CLEAR_RULESET = ruleset([{ delete: { table: { family: LOCK_TABLE.family, name: LOCK_TABLE.table } } }]);
