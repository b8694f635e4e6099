import { IsArray, type TObject, type TProperties } from 'typebox';
import { describeValue } from '../../domain/api/conformance.ts';
import type { Shape } from '../../domain/api/schema.ts';
import { lazyByObject } from '../../domain/basics/incremental/by-identity.ts';
import { byName } from '../../domain/basics/names/ordering.ts';
import type { Reading } from '../../ports/input-problem.ts';
import { conforming, expectedFound, fieldPlace, problemAt } from '../json/conforming.ts';
import { allOf, thenRead } from '../../ports/readings.ts';
import type { Row } from './row.ts';
import { type OvsdbValue, readValue } from './values.ts';

/**
 * Compiles a reader of rows that conform to a schema of their columns. It reads each row once.
 *
 * A column that is a list in the schema is read as a set; any other as its only value, absent if the set is empty; a map is read as an object. Other
 * columns are ignored; a missing column counts as empty.
 */
export function rowReader<Columns extends TProperties>(
  schema: TObject<Columns>,
): (row: Row) => Reading<Shape<TObject<Columns>>> {
  const conformingFields = conforming(schema);
  const columns = Object.entries(schema.properties);
  // Of a replica most rows are the same ones as at the read before.
  return lazyByObject((row: Row) => {
    const fields = allOf(columns.map(([name, column]) => readField(row, name, IsArray(column))));
    return thenRead(fields, (entries) => conformingFields(Object.fromEntries(entries.flat()), row.place));
  });
}

/** The name and value of a column as an object entry; absent without a value. */
function readField(row: Row, name: string, isList: boolean): Reading<readonly (readonly [string, unknown])[]> {
  if (!Object.hasOwn(row.columns, name)) return { read: true, value: [] };
  const notation = row.columns[name];
  const value = readValue(notation);
  if (value === undefined) {
    const message = expectedFound('a value in the notation of RFC 7047', describeValue(notation));
    return { read: false, problems: [problemAt(fieldPlace(row.place, name), message)] };
  }
  const plain = plainValue(value, isList);
  return { read: true, value: plain === undefined ? [] : [[name, plain]] };
}

function plainValue(value: OvsdbValue, isList: boolean): unknown {
  if (value.kind === 'map') {
    const entries = value.pairs.map(([key, item]) => [typeof key === 'object' ? key.uuid : String(key), item] as const);
    return Object.fromEntries(entries.toSorted(([left], [right]) => byName(left, right)));
  }
  return isList || value.atoms.length > 1 ? value.atoms : value.atoms[0];
}
