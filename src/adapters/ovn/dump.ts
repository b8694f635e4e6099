import {
  columnsByTable,
  type NorthboundTable,
  type NorthboundTables,
  northboundTables,
  tableNames,
} from '../../domain/datapath/northbound/tables.ts';
import type { Reading } from '../../ports/input-problem.ts';
import type { NorthboundSnapshot } from '../../ports/node/northbound.ts';
import { mapReading, thenRead } from '../../ports/readings.ts';
import { readDump } from '../ovsdb/dump.ts';
import { missingColumns } from '../ovsdb/schema.ts';
import { NorthboundRows } from './rows.ts';
import { northboundSnapshot } from './snapshot.ts';

/**
 * Reads rows from `ovsdb-client --format=json dump OVN_Northbound`. Other tables and columns are ignored.
 *
 * @param file named in problems
 */
export function readNorthbound(
  text: string,
  file: string,
  described: NorthboundTables = northboundTables,
): Reading<NorthboundSnapshot> {
  const mayBeMissing = (table: NorthboundTable) => described[table].mayBeMissing === true;
  const names = tableNames(described);
  const required = names.filter((table) => !mayBeMissing(table));
  return thenRead(readDump(text, file, required, names.filter(mayBeMissing)), ({ tables, columns }) =>
    mapReading(new NorthboundRows(described).of(tables), (rows) =>
      northboundSnapshot(rows, missingColumns(columns, columnsByTable(described))),
    ),
  );
}
