import { lazyByObject } from '../../basics/incremental/by-identity.ts';
import { done } from '../../node-model/change.ts';
import { clearingRuleset, elementsRuleset, filterRuleset } from '../../datapath/nftables/ruleset.ts';
import type { NftFilter } from '../../datapath/nftables/table.ts';
import { egressFilter } from '../../datapath/nftables/egress-filter.ts';
import { capturedFiles } from '../../snapshot/captured-files.ts';
import type { FilterTable } from '../../snapshot/datapath.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import type { Command } from '../command.ts';
import { dependencies, dependency } from '../dependencies.ts';
import type { EntityChange, EntityKind } from '../entity-kind.ts';

/** A table of nftables that filters packets. It is managed by its name, and what another program changes there is undone. */
export interface FilterTableEntity {
  readonly kind: 'filter-table';
  readonly table: FilterTable;
}

/** The tables that this version makes. */
export const filters: readonly NftFilter[] = [egressFilter];

/** The filter that a table is; undefined for one that this version does not make. */
function filterNamed(name: string): NftFilter | undefined {
  return filters.find(({ table }) => table.name === name);
}

/** A table as an entity. */
export function filterTableEntity(table: FilterTable): FilterTableEntity {
  return { kind: 'filter-table', table };
}

const entitiesOf = lazyByObject((tables: readonly FilterTable[]) => tables.map(filterTableEntity));

/** Whether two tables have the same elements in all their sets. */
function hasSameElements({ sets: left }: FilterTable, { sets: right }: FilterTable): boolean {
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].every((name) => (left[name] ?? []).join() === (right[name] ?? []).join());
}

function tableNamed({ table: { name } }: FilterTableEntity, { filterTables }: NodeSnapshot): FilterTable | undefined {
  return filterTables.find((table) => table.name === name);
}

/** The commands of nft that make a table as it should be, as JSON (libnftables-json(5)). */
function rulesetFor({ table: { name, sets } }: FilterTableEntity, found: FilterTable | undefined): string {
  const filter = filterNamed(name);
  if (filter === undefined) return '';
  return found?.isIntact === true ? elementsRuleset(filter, found.sets, sets) : filterRuleset(filter, sets);
}

function nft(input: string): Command {
  return { program: 'nft', arguments: ['--json', '--file', '-'], input };
}

/** The ruleset that removes a table. */
function removalOf(name: string): string {
  return clearingRuleset({ family: 'inet', name });
}

/**
 * The ruleset of an operation, for the table as it is found now, which may differ from the planned one.
 *
 * @param found absent where there is no such table
 */
export function rulesetOf(
  { verb, entity }: { readonly verb: 'add' | 'replace' | 'remove'; readonly entity: FilterTableEntity },
  found: FilterTable | undefined,
): string {
  return verb === 'remove' ? removalOf(entity.table.name) : rulesetFor(entity, found);
}

function elementsText({ sets }: FilterTable): string {
  const filled = Object.entries(sets).filter(([, elements]) => elements.length > 0);
  return filled.map(([name, { length }]) => `${name} ${length}`).join(', ') || 'no elements';
}

function contentText(table: FilterTable): string {
  return `${elementsText(table)}${table.isIntact ? '' : ', other chains or sets'}`;
}

const making: EntityChange<FilterTableEntity> = {
  name: 'add-filter-table',
  mark: '+',
  dependencies: (_, networks) => ({
    makes: [dependency('filter', ''), ...dependencies('network', networks)],
  }),
  effect: (entity, node) => done(withTables(node, [entity])),
  command: (entity, node) => nft(rulesetFor(entity, tableNamed(entity, node))),
};

/** The node without tables of some names, and with everything else. */
function withoutTables(node: NodeSnapshot, entities: readonly FilterTableEntity[]): NodeSnapshot {
  const names = new Set(entities.map(({ table }) => table.name));
  return { ...node, filterTables: node.filterTables.filter(({ name }) => !names.has(name)) };
}

function withTables(node: NodeSnapshot, entities: readonly FilterTableEntity[]): NodeSnapshot {
  const others = withoutTables(node, entities);
  return { ...others, filterTables: [...others.filterTables, ...entities.map(({ table }) => table)] };
}

export const filterTable: EntityKind<FilterTableEntity, 'packetFilters'> = {
  kind: 'filter-table',
  parts: ['filterTables'],
  identity: ({ table }) => table.name,
  satisfies: ({ table: found }, { table: desired }) =>
    found.isIntact === desired.isIntact && hasSameElements(found, desired),
  all: ({ filterTables }) => entitiesOf(filterTables),
  put: withTables,
  take: withoutTables,
  isOurs: () => true,
  anchor: () => ({ way: 'node' }),
  port: 'packetFilters',
  capturedIn: () => [capturedFiles.packetFilters],
  text: ({ table }) => `table ${table.name} of nftables`,
  add: { ...making, summary: ({ table }) => `table ${table.name} of nftables: ${elementsText(table)}` },
  replace: {
    ...making,
    name: 'change-filter-table',
    mark: '~',
    dependencies: (entity, networks) => ({
      ...making.dependencies(entity, networks),
      ends: [dependency('former-filter', '')],
    }),
    inverse: (entity, node) => {
      const found = tableNamed(entity, node);
      return found === undefined ? [] : [{ verb: 'replace', entity: filterTableEntity(found) }];
    },
    discrepancy: (entity, node) => {
      const found = tableNamed(entity, node);
      return {
        path: `table ${entity.table.name} of nftables`,
        found: found === undefined ? 'none' : contentText(found),
        wanted: contentText(entity.table),
      };
    },
    summary: ({ table }) => `table ${table.name} of nftables: ${elementsText(table)}`,
  },
  remove: {
    name: 'delete-filter-table',
    mark: '-',
    dependencies: () => ({ ends: [dependency('former-filter', '')] }),
    command: ({ table }) => nft(removalOf(table.name)),
  },
};
