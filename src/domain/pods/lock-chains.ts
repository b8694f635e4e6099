/** The locks of interfaces of pods, as chains of a table of nftables. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { lazyByText } from '../basics/incremental/lazy.ts';
import {
  type FoundNftTable,
  isAsDesired,
  type NftChain,
  type NftRule,
  type NftTable,
} from '../datapath/nftables/table.ts';
import type { HostInterface } from './default-interfaces.ts';
import type { InterfaceLock, LockDirection, LockRule } from './interface-lock.ts';

/** The table with all locks. */
export const LOCK_TABLE: NftTable = { family: 'netdev', name: 'ovn-uplinks' };

/** An interface of a pod in the default network, with what passes it. */
export interface LockedInterface {
  readonly interface: HostInterface;
  readonly lock: InterfaceLock;
}

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

/** Not a packet that opens an association, which has chunk INIT (RFC 9260, section 3.3.2). */
const associatesNothing = match({ 'sctp chunk': { name: 'init' } }, false);

/** The statements of the rules of nftables that a rule needs. */
function statementsOf(rule: LockRule, direction: LockDirection): readonly (readonly object[])[] {
  if (rule.kind === 'address-resolution') {
    const types = ['nd-router-solicit', 'nd-router-advert', 'nd-neighbor-solicit', 'nd-neighbor-advert'];
    return [
      [match({ meta: { key: 'protocol' } }, 'arp'), ACCEPT],
      [match(field('ip6', 'hoplimit'), 255), match(field('icmpv6', 'type'), oneOf(types)), ACCEPT],
    ];
  }
  if (rule.kind === 'open-ports') {
    const isFromPod = direction === 'from-pod';
    const own = match(field(rule.protocol, isFromPod ? 'sport' : 'dport'), oneOf(rule.ports));
    const guard = rule.protocol === 'tcp' ? opensNothing : associatesNothing;
    return [[own, ...(isFromPod ? [guard] : []), ACCEPT]];
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

const directions = ['from-pod', 'to-pod'] as const;

const chainName = (direction: LockDirection, index: number): string => `${direction}-${index}`;

/** The names of the chains of an interface, by its index. */
export function lockChainNames(index: number): readonly string[] {
  return directions.map((direction) => chainName(direction, index));
}

/** The index of the interface that a chain is for; undefined for a chain that has another name. */
function indexInChainName(name: string): number | undefined {
  const [, index] = /^(?:from|to)-pod-([1-9][0-9]{0,9})$/.exec(name) ?? [];
  return index === undefined ? undefined : Number(index);
}

/** The comment of a rule, by its statements as JSON: the pods of a node have mostly the same rules. */
const commentOf = lazyByText((text) => bytesToHex(sha256(utf8ToBytes(text))).slice(0, 32));

function rulesOf(lock: InterfaceLock, direction: LockDirection): readonly NftRule[] {
  return lock[direction]
    .flatMap((rule) => statementsOf(rule, direction))
    .map((expr) => ({ expr, comment: commentOf(JSON.stringify(expr)) }));
}

/** The chains of a lock: what the pod sends, and what it gets. */
export function lockChains({ interface: { name: dev, index }, lock }: LockedInterface): readonly NftChain[] {
  return directions.map((direction) => ({
    name: chainName(direction, index),
    base: { type: 'filter', hook: HOOKS[direction], dev, prio: PRIORITY, policy: 'drop' },
    rules: rulesOf(lock, direction),
  }));
}

/** The state of a lock: `different` if it has other rules, or one of its chains only. */
export function lockState(lock: LockedInterface, found: FoundNftTable): 'as-desired' | 'missing' | 'different' {
  const chains = lockChains(lock);
  if (chains.every((chain) => isAsDesired(chain, found))) return 'as-desired';
  return chains.some(({ name }) => found.has(name)) ? 'different' : 'missing';
}

/** The indexes of the interfaces that have locks. */
export function lockedIndexes(found: FoundNftTable): ReadonlySet<number> {
  return new Set([...found.keys()].flatMap((name) => indexInChainName(name) ?? []));
}
