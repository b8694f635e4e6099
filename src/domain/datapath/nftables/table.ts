/** Tables of nftables, as they are desired and as they are found (nft(8)). */

/** A table of ovn-uplinks, in which nothing of other programs is expected. */
export interface NftTable {
  readonly family: 'netdev' | 'inet';
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
  /** Name of the device; absent but in family netdev. */
  readonly dev?: string;
  readonly prio: number;
  readonly policy: string;
}

/** A chain that is desired, by its name in the table. */
export interface NftChain {
  readonly name: string;
  readonly base: NftHook;
  readonly rules: readonly NftRule[];
}

/** A set that is desired, by its name in the table. */
export interface NftSet {
  readonly name: string;
  /** Of its elements (nft(8), SET STATEMENT); several for concatenations. */
  readonly type: string | readonly string[];
  /** Whether its elements are subnets. */
  readonly isOfSubnets?: true;
}

/** A table that filters packets: its chains are the same on every node, and its sets differ in their elements. */
export interface NftFilter {
  readonly table: NftTable;
  readonly sets: readonly NftSet[];
  readonly chains: readonly NftChain[];
}

/** A set that is found. */
export interface FoundNftSet {
  /** As nft prints it. */
  readonly type: unknown;
  readonly isOfSubnets: boolean;
  /** The elements, as texts: several parts of one are separated by ` . `. */
  readonly elements: readonly string[];
}

/** Whether the chains and sets of a table are as desired, and no others are there, whatever elements the sets have. */
export function isFilter(
  { sets, chains }: NftFilter,
  foundSets: ReadonlyMap<string, FoundNftSet>,
  foundChains: FoundNftTable,
): boolean {
  return (
    foundSets.size === sets.length &&
    foundChains.size === chains.length &&
    sets.every(({ name, type, isOfSubnets = false }) => {
      const found = foundSets.get(name);
      return found?.isOfSubnets === isOfSubnets && JSON.stringify(found.type) === JSON.stringify(type);
    }) &&
    chains.every((chain) => isAsDesired(chain, foundChains))
  );
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
