import { alone } from '../../domain/basics/incremental/by-identity.ts';
import { listChanges } from '../../domain/basics/incremental/list-changes.ts';
import { sortedBy } from '../../domain/basics/names/ordering.ts';
import { type NorthboundParent, parentKey } from '../../domain/datapath/northbound/row.ts';
import type { Row, Tables } from '../ovsdb/row.ts';
import type { TableReader } from './table-reader.ts';

const noParents: readonly NorthboundParent[] = [];

/** The rows that others are part of, found by the UUIDs of these: of each reading costs what has changed since the one before. */
export class RowParents {
  readonly #readers: readonly (readonly [table: string, reader: TableReader])[];
  readonly #known = new Map<string, readonly Row[]>();
  readonly #parents = new Map<string, readonly NorthboundParent[]>();

  /** @param readers of the tables whose rows have parts */
  constructor(readers: readonly (readonly [table: string, reader: TableReader])[]) {
    this.#readers = readers;
  }

  /** The parents of a row, in the order of their keys. */
  of(uuid: string): readonly NorthboundParent[] {
    return this.#parents.get(uuid) ?? noParents;
  }

  /** Reads tables. @returns the UUIDs of rows that may have other parents than before */
  read(tables: Tables): ReadonlySet<string> {
    const moved = new Set<string>();
    for (const [table, reader] of this.#readers) {
      const rows = tables.get(table) ?? [];
      const { removed, added } = listChanges(this.#known.get(table) ?? [], rows);
      for (const parts of removed.flatMap(reader.parts)) {
        for (const uuid of parts.uuids) this.#remove(uuid, parts.parent, moved);
      }
      for (const parts of added.flatMap(reader.parts)) {
        for (const uuid of parts.uuids) this.#add(uuid, parts.parent, moved);
      }
      this.#known.set(table, rows);
    }
    return moved;
  }

  #remove(uuid: string, parent: NorthboundParent, moved: Set<string>): void {
    const left = this.of(uuid).filter((each) => each !== parent);
    if (left.length === 0) this.#parents.delete(uuid);
    else this.#parents.set(uuid, left);
    moved.add(uuid);
  }

  #add(uuid: string, parent: NorthboundParent, moved: Set<string>): void {
    const others = this.of(uuid);
    this.#parents.set(uuid, others.length === 0 ? alone(parent) : sortedBy([...others, parent], parentKey));
    moved.add(uuid);
  }
}
