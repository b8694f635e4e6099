import type { Place } from '../json/conforming.ts';

/** The columns of a row by name, in the notation of RFC 7047, as a message or a file has them. */
export type RowColumns = Readonly<Record<string, unknown>>;

/** One row. */
export interface Row {
  readonly uuid: string;
  /** The file or socket, and the row as `Bridge/br-ex`, or by uuid if it has no name. */
  readonly place: Place;
  readonly columns: RowColumns;
}

/** The rows by table. */
export type Tables = ReadonlyMap<string, readonly Row[]>;

/** A row whose place is a text that is made when a problem has to name it: a replica has tens of thousands. */
class PlacedRow implements Row {
  readonly uuid: string;
  readonly columns: RowColumns;
  readonly #table: string;
  readonly #file: string;

  constructor(uuid: string, columns: RowColumns, table: string, file: string) {
    this.uuid = uuid;
    this.columns = columns;
    this.#table = table;
    this.#file = file;
  }

  get place(): Place {
    const { name } = this.columns;
    return { file: this.#file, object: `${this.#table}/${typeof name === 'string' ? name : this.uuid}`, path: '' };
  }
}

/** A row of a table. */
export function rowOf(table: string, uuid: string, columns: RowColumns, file: string): Row {
  return new PlacedRow(uuid, columns, table, file);
}
