import { inFile, type Reading } from '../../ports/input-problem.ts';
import { mapReading, thenRead } from '../../ports/readings.ts';
import type { SouthboundSnapshot } from '../../ports/node/southbound.ts';
import { readJson } from '../json/json-text.ts';
import { type Row, rowOf, type Tables } from '../ovsdb/row.ts';
import { selectedRows, transactionResult } from '../ovsdb/transaction-result.ts';
import { readValue } from '../ovsdb/values.ts';
import { SOUTHBOUND_COLUMNS, SOUTHBOUND_CONDITIONS, southboundIn } from './southbound-rows.ts';

const tables = Object.entries(SOUTHBOUND_COLUMNS);

/** The rows of a table that are selected (RFC 7047, 5.1, <condition>). */
const conditionsOf = (table: string): readonly unknown[] =>
  new Map<string, readonly unknown[]>(Object.entries(SOUTHBOUND_CONDITIONS)).get(table) ?? [];

/** The transaction that selects all chassis, their tunnels, and ports: a dump of the database would have all logical flows. */
export const SOUTHBOUND_SELECTION = JSON.stringify([
  'OVN_Southbound',
  ...tables.map(([table, columns]) => ({
    op: 'select',
    table,
    where: conditionsOf(table),
    columns: ['_uuid', ...columns],
  })),
]);

/** The rows of a table that a select with their UUIDs has found (RFC 7047, 5.2.2). */
export function rowsIn(table: string, result: unknown, file: string): readonly Row[] {
  return selectedRows(result).map(({ _uuid: notation, ...columns }) => {
    const value = readValue(notation);
    const [atom] = value?.kind === 'set' ? value.atoms : [];
    return rowOf(table, typeof atom === 'object' ? atom.uuid : '', columns, file);
  });
}

/**
 * Reads chassis and ports from the result of that transaction, as ovsdb-client(1) prints it.
 *
 * @param file named in problems
 */
export function readSouthbound(text: string, file: string): Reading<SouthboundSnapshot> {
  const results = thenRead(readJson(text, file), (value): Reading<Tables> => {
    const result = transactionResult({ outcome: 'result', result: value });
    if (result.outcome === 'done') {
      const rows = tables.map(([table], index) => [table, rowsIn(table, result.results[index], file)] as const);
      return { read: true, value: new Map(rows) };
    }
    const message = `expected the chassis of OVN's Southbound database, found ${'error' in result ? result.error : 'something other than results'}`;
    return { read: false, problems: [{ origin: inFile(file), message }] };
  });
  return mapReading(results, southboundIn);
}
