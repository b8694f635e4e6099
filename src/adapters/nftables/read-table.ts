import Type from 'typebox';
import { partOf } from '../../domain/api/schema.ts';
import { groupBy } from '../../domain/basics/names/grouping.ts';
import type { FoundNftChain, FoundNftTable, NftTable } from '../../domain/datapath/nftables/table.ts';
import type { Reading } from '../../ports/input-problem.ts';
import { mapReading, thenRead } from '../../ports/readings.ts';
import { conforming } from '../json/conforming.ts';
import { readJson } from '../json/json-text.ts';

const owner = { family: Type.String(), table: Type.String() };

const chainSchema = partOf({
  ...owner,
  name: Type.String(),
  type: Type.Optional(Type.String()),
  hook: Type.Optional(Type.String()),
  // Not printed by all versions (nft 1.0.6); several are a list.
  dev: Type.Optional(Type.Unknown()),
  prio: Type.Optional(Type.Integer()),
  policy: Type.Optional(Type.String()),
});

const ruleSchema = partOf({ ...owner, chain: Type.String(), comment: Type.Optional(Type.String()) });

const listing = conforming(
  partOf({ nftables: Type.Array(partOf({ chain: Type.Optional(chainSchema), rule: Type.Optional(ruleSchema) })) }),
);

/**
 * Reads a table from what `nft --json list ruleset FAMILY` prints (libnftables-json(5)).
 *
 * @param file the command
 */
export function readTable(text: string, file: string, { family, name: table }: NftTable): Reading<FoundNftTable> {
  const isOfTable = (item: { readonly family: string; readonly table: string }) =>
    item.family === family && item.table === table;
  const read = thenRead(readJson(text, file), (value) => listing(value, { file, path: '' }));
  return mapReading(read, ({ nftables }) => {
    const rules = groupBy(
      nftables.flatMap(({ rule }) => (rule !== undefined && isOfTable(rule) ? [rule] : [])),
      ({ chain }) => chain,
    );
    const chains = nftables.flatMap(({ chain }) => (chain !== undefined && isOfTable(chain) ? [chain] : []));
    return new Map(
      chains.map(({ name, type, hook, dev, prio, policy }): [string, FoundNftChain] => {
        const comments = (rules.get(name) ?? []).map(({ comment }) => comment);
        return [name, { base: { type, hook, dev, prio, policy }, comments }];
      }),
    );
  });
}
