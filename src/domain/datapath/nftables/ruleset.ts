/**
 * Commands that change a table of nftables, as JSON for nft (libnftables-json(5)), in which nothing of an object can be syntax. Each text is one transaction.
 */
import type { NftChain, NftTable } from './table.ts';

function ruleset({ family, name }: NftTable, commands: readonly object[]): string {
  return JSON.stringify({ nftables: [{ add: { table: { family, name } } }, ...commands] });
}

/** Adds chains, or replaces their rules. */
export function putRuleset(table: NftTable, chains: readonly NftChain[]): string {
  const owner = { family: table.family, table: table.name };
  const commands = chains.flatMap(({ name, base, rules }) => [
    { add: { chain: { ...owner, name, ...base } } },
    { flush: { chain: { ...owner, name } } },
    ...rules.map((rule) => ({ add: { rule: { ...owner, chain: name, ...rule } } })),
  ]);
  return ruleset(table, commands);
}

/** Removes chains by their names, whether they are there or not: to delete one that is not there is an error. */
export function removalRuleset(table: NftTable, names: readonly string[]): string {
  const commands = names.flatMap((name) => {
    const chain = { family: table.family, table: table.name, name };
    return [{ add: { chain } }, { flush: { chain } }, { delete: { chain } }];
  });
  return ruleset(table, commands);
}

/** Lists all tables of the family of one. */
export function listCommand({ family }: NftTable): string {
  return JSON.stringify({ nftables: [{ list: { ruleset: { family } } }] });
}

/** Removes the table, whether it is there or not. */
export function clearingRuleset(table: NftTable): string {
  const { family, name } = table;
  return ruleset(table, [{ delete: { table: { family, name } } }]);
}
