import type { Chassis } from '../../domain/snapshot/chassis.ts';
import { inFile, type Reading } from '../../ports/input-problem.ts';
import { mapReading, thenRead } from '../../ports/readings.ts';
import { readJson } from '../json/json-text.ts';
import { type Row, rowOf, type Tables } from '../ovsdb/row.ts';
import { selectedRows, transactionResult } from '../ovsdb/transaction-result.ts';
import { readValue } from '../ovsdb/values.ts';
import { chassisIn, SOUTHBOUND_COLUMNS } from './chassis-rows.ts';

const tables = Object.entries(SOUTHBOUND_COLUMNS);

/** The transaction that selects all chassis and their tunnels: a dump of the database would have all logical flows. */
export const CHASSIS_SELECTION = JSON.stringify([
  'OVN_Southbound',
  ...tables.map(([table, columns]) => ({ op: 'select', table, where: [], columns: ['_uuid', ...columns] })),
]);

function rowsOf(table: string, result: unknown, file: string): readonly Row[] {
  return selectedRows(result).map(({ _uuid: notation, ...columns }) => {
    const value = readValue(notation);
    const [atom] = value?.kind === 'set' ? value.atoms : [];
    return rowOf(table, typeof atom === 'object' ? atom.uuid : '', new Map(Object.entries(columns)), file);
  });
}

/**
 * Reads chassis from the result of that transaction, as ovsdb-client(1) prints it.
 *
 * @param file named in problems
 */
export function readChassis(text: string, file: string): Reading<readonly Chassis[]> {
  const results = thenRead(readJson(text, file), (value): Reading<Tables> => {
    const result = transactionResult({ outcome: 'result', result: value });
    if (result.outcome === 'done') {
      const rows = tables.map(([table], index) => [table, rowsOf(table, result.results[index], file)] as const);
      return { read: true, value: new Map(rows) };
    }
    const message = `expected the chassis of OVN's Southbound database, found ${'error' in result ? result.error : 'something other than results'}`;
    return { read: false, problems: [{ origin: inFile(file), message }] };
  });
  return mapReading(results, chassisIn);
}
