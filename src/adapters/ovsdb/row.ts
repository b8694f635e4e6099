import type { Place } from '../json/conforming.ts';

/** One row. */
export interface Row {
  readonly uuid: string;
  /** The file or socket, and the row as `Bridge/br-ex`, or by uuid if it has no name. */
  readonly place: Place;
  /** The columns, in the notation of RFC 7047. */
  readonly columns: ReadonlyMap<string, unknown>;
}

/** The rows by table. */
export type Tables = ReadonlyMap<string, readonly Row[]>;

/** A row of a table. */
export function rowOf(table: string, uuid: string, columns: ReadonlyMap<string, unknown>, file: string): Row {
  const label = columns.get('name');
  const object = `${table}/${typeof label === 'string' ? label : uuid}`;
  return { uuid, place: { file, object, path: '' }, columns };
}
