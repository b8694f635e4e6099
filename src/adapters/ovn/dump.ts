import { northboundTables } from '../../domain/snapshot/northbound-row.ts';
import type { Reading } from '../../ports/input-problem.ts';
import type { NorthboundSnapshot } from '../../ports/northbound.ts';
import { mapReading, thenRead } from '../../ports/readings.ts';
import { readDump } from '../ovsdb/dump.ts';
import { missingColumns } from '../ovsdb/schema.ts';
import { NORTHBOUND_COLUMNS } from './columns.ts';
import { NorthboundRows } from './rows.ts';
import { northboundSnapshot } from './snapshot.ts';

/** The newest table, since OVN 22.03 (ovn, NEWS). */
const YOUNGEST_TABLE = 'Static_MAC_Binding';

/**
 * Reads rows from `ovsdb-client --format=json dump OVN_Northbound`. Other tables and columns are ignored.
 *
 * @param file named in problems
 */
export function readNorthbound(text: string, file: string): Reading<NorthboundSnapshot> {
  const required = northboundTables.filter((table) => table !== YOUNGEST_TABLE);
  return thenRead(readDump(text, file, required, [YOUNGEST_TABLE]), ({ tables, columns }) =>
    mapReading(new NorthboundRows().of(tables), (rows) =>
      northboundSnapshot(rows, missingColumns(columns, NORTHBOUND_COLUMNS)),
    ),
  );
}
