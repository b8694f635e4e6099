import Type from 'typebox';
import { partOf, type Shape } from '../../domain/api/schema.ts';
import { canonicalAddress } from '../../domain/basics/addresses/ip-address.ts';
import { byName } from '../../domain/basics/names/ordering.ts';
import { type FoundNftSet, isFilter, type NftFilter, type NftTable } from '../../domain/datapath/nftables/table.ts';
import type { FilterTable, ForwardDrop } from '../../domain/snapshot/datapath.ts';
import type { Reading } from '../../ports/input-problem.ts';
import { allFields, mapReading, thenRead } from '../../ports/readings.ts';
import { conforming } from '../json/conforming.ts';
import { isJsonObject } from '../json/json-object.ts';
import { readJson } from '../json/json-text.ts';
import { readTable } from './read-table.ts';

const setSchema = partOf({
  family: Type.String(),
  table: Type.String(),
  name: Type.String(),
  type: Type.Unknown(),
  flags: Type.Optional(Type.Unknown()),
  elem: Type.Optional(Type.Array(Type.Unknown())),
});

const listing = conforming(
  partOf({
    nftables: Type.Array(
      partOf({
        table: Type.Optional(partOf({ family: Type.String(), name: Type.String() })),
        set: Type.Optional(setSchema),
      }),
    ),
  }),
);

/** An address in the spelling of ovn-uplinks: nft spells those of IPv4 in IPv6 in another one (inet_ntop(3)). Another value as it is: names of devices have no colon. */
function valueText(value: unknown): string {
  const text = String(value);
  return text.includes(':') ? canonicalAddress(text) : text;
}

/** The text of an element: a value, a subnet, or several parts. Undefined for one of another form, such as a range. */
function elementText(element: unknown): string | undefined {
  if (typeof element === 'string') return valueText(element);
  if (!isJsonObject(element)) return undefined;
  const { prefix, concat } = element;
  if (Array.isArray(concat)) return concat.map(valueText).join(' . ');
  return isJsonObject(prefix) ? `${valueText(prefix['addr'])}/${String(prefix['len'])}` : undefined;
}

/** A set as it is found; undefined if it has elements of another form than ovn-uplinks adds. */
function foundSet({ type, flags, elem = [] }: Shape<typeof setSchema>): FoundNftSet | undefined {
  const elements = elem.flatMap((element) => elementText(element) ?? []);
  // nft 1.1 prints one flag as a text.
  const isOfSubnets = [flags].flat().includes('interval');
  return elements.length < elem.length ? undefined : { type, isOfSubnets, elements: elements.sort(byName) };
}

/** Reads one of the filters; none where there is no such table. */
function readFilter(filter: NftFilter, text: string, file: string): Reading<readonly FilterTable[]> {
  const { family, name } = filter.table;
  const listed = thenRead(readJson(text, file), (value) => listing(value, { file, path: '' }));
  // Both read the same text: what is wrong with it is said once.
  return thenRead(listed, ({ nftables }) =>
    mapReading(readTable(text, file, filter.table), (chains) => {
      if (!nftables.some(({ table }) => table?.family === family && table.name === name)) return [];
      const printed = nftables.flatMap(({ set }) => (set?.family === family && set.table === name ? [set] : []));
      const sets = new Map(
        printed.flatMap((set) => {
          const found = foundSet(set);
          return found === undefined ? [] : [[set.name, found] as const];
        }),
      );
      const elements = [...sets].map(([set, found]) => [set, found.elements] as const);
      return [{ name, sets: Object.fromEntries(elements), isIntact: isFilter(filter, sets, chains) }];
    }),
  );
}

/**
 * Reads filters from what `nft --json list ruleset inet` prints (libnftables-json(5)).
 *
 * @param file the command
 */
export function readFilters(
  filters: readonly NftFilter[],
  text: string,
  file: string,
): Reading<readonly FilterTable[]> {
  return filters.reduce<Reading<readonly FilterTable[]>>(
    (before, filter) =>
      mapReading(allFields({ before, found: readFilter(filter, text, file) }), (read) => [
        ...read.before,
        ...read.found,
      ]),
    { read: true, value: [] },
  );
}

const chainListing = conforming(
  partOf({
    nftables: Type.Array(
      partOf({
        chain: Type.Optional(
          partOf({
            family: Type.String(),
            table: Type.String(),
            name: Type.String(),
            hook: Type.Optional(Type.String()),
            policy: Type.Optional(Type.String()),
          }),
        ),
      }),
    ),
  }),
);

/** The families of tables whose chains at hook forward see packets of networks. */
const ROUTED: ReadonlySet<string> = new Set(['ip', 'ip6', 'inet']);

/**
 * Reads the chains of other programs that drop what passes the node, from what `nft --json list chains` prints.
 *
 * @param own the tables that are not of other programs
 */
export function readForwardDrops(
  text: string,
  file: string,
  own: readonly NftTable[],
): Reading<readonly ForwardDrop[]> {
  const listed = thenRead(readJson(text, file), (value) => chainListing(value, { file, path: '' }));
  return mapReading(listed, ({ nftables }) =>
    nftables.flatMap(({ chain }) => {
      if (chain?.hook !== 'forward' || chain.policy !== 'drop' || !ROUTED.has(chain.family)) return [];
      const { family, table, name } = chain;
      return own.some((each) => each.family === family && each.name === table) ? [] : [{ family, table, chain: name }];
    }),
  );
}
