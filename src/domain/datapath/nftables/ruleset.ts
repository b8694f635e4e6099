/**
 * Commands that change a table of nftables, as JSON for nft (libnftables-json(5)), in which nothing of an object can be syntax. Each text is one transaction.
 */
import type { NftChain, NftFilter, NftSet, NftTable } from './table.ts';

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

/** An element of a set (libnftables-json(5)): a subnet, a concatenation, or a value. */
function elementOf(text: string): unknown {
  const parts = text.split(' . ');
  if (parts.length > 1) return { concat: parts };
  const [addr = '', length] = text.split('/');
  return length === undefined ? text : { prefix: { addr, len: Number(length) } };
}

/** The elements of the sets of a table, by the names of these. */
export type SetElements = Readonly<Record<string, readonly string[]>>;

function elementCommands(
  verb: 'add' | 'delete',
  owner: { readonly family: string; readonly table: string },
  sets: readonly NftSet[],
  elementsOf: (name: string) => readonly string[],
): readonly object[] {
  return sets.flatMap(({ name }) => {
    const elements = elementsOf(name);
    return elements.length === 0 ? [] : [{ [verb]: { element: { ...owner, name, elem: elements.map(elementOf) } } }];
  });
}

/**
 * Makes a table that filters packets, in place of one of its name that is different.
 *
 * @param elements of its sets
 */
export function filterRuleset({ table, sets, chains }: NftFilter, elements: SetElements): string {
  const { family, name } = table;
  const owner = { family, table: name };
  return ruleset(table, [
    // To delete one that is not there is an error.
    { delete: { table: { family, name } } },
    { add: { table: { family, name } } },
    ...sets.map((set) => ({
      add: { set: { ...owner, name: set.name, type: set.type, ...(set.isOfSubnets && { flags: ['interval'] }) } },
    })),
    ...elementCommands('add', owner, sets, (set) => elements[set] ?? []),
    ...chains.flatMap((chain) => [
      { add: { chain: { ...owner, name: chain.name, ...chain.base } } },
      ...chain.rules.map((rule) => ({ add: { rule: { ...owner, chain: chain.name, ...rule } } })),
    ]),
  ]);
}

/** Changes the elements of the sets of a table from those that it has. */
export function elementsRuleset({ table, sets }: NftFilter, found: SetElements, elements: SetElements): string {
  const owner = { family: table.family, table: table.name };
  const without = (all: readonly string[] = [], others: readonly string[] = []) => {
    const there = new Set(others);
    return all.filter((element) => !there.has(element));
  };
  return ruleset(table, [
    ...elementCommands('delete', owner, sets, (set) => without(found[set], elements[set])),
    ...elementCommands('add', owner, sets, (set) => without(elements[set], found[set])),
  ]);
}

/** Removes the table, whether it is there or not. */
export function clearingRuleset(table: NftTable): string {
  const { family, name } = table;
  return ruleset(table, [{ delete: { table: { family, name } } }]);
}
