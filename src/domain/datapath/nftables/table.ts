/** Tables of nftables, as they are desired and as they are found (nft(8)). */

/** A table of ovn-uplinks, in which nothing of other programs is expected. */
export interface NftTable {
  readonly family: 'netdev';
  readonly name: string;
}

/** A rule that is desired. Its comment tells what it says: nft prints rules in another form than they are written in, and another one in each version. */
export interface NftRule {
  /** Statements (libnftables-json(5), STATEMENTS). */
  readonly expr: readonly object[];
  readonly comment: string;
}

/** A base chain: where it is called, and what becomes of packets that no rule decides about. */
interface NftHook {
  readonly type: string;
  readonly hook: string;
  /** Name of the device, in family netdev. */
  readonly dev: string;
  readonly prio: number;
  readonly policy: string;
}

/** A chain that is desired, by its name in the table. */
export interface NftChain {
  readonly name: string;
  readonly base: NftHook;
  readonly rules: readonly NftRule[];
}

/** A chain that is found. */
export interface FoundNftChain {
  /** As nft prints it: without the device in some versions (nft 1.0.6), and with a list of several. */
  readonly base: { readonly [Part in keyof NftHook]?: unknown };
  /** Of its rules, in their order; undefined for a rule without one. */
  readonly comments: readonly (string | undefined)[];
}

/** The chains of a table, by name; none where there is no such table. */
export type FoundNftTable = ReadonlyMap<string, FoundNftChain>;

/** Whether a chain is as desired. */
export function isAsDesired({ name, base, rules }: NftChain, found: FoundNftTable): boolean {
  const chain = found.get(name);
  if (chain === undefined) return false;
  const { type, hook, dev = base.dev, prio, policy } = chain.base;
  const isSameHook =
    type === base.type && hook === base.hook && dev === base.dev && prio === base.prio && policy === base.policy;
  const { comments } = chain;
  return (
    isSameHook && comments.length === rules.length && rules.every(({ comment }, index) => comment === comments[index])
  );
}
