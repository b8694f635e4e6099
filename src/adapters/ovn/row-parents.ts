import { alone } from '../../domain/basics/incremental/by-identity.ts';
import { listChanges } from '../../domain/basics/incremental/list-changes.ts';
import { sortedBy } from '../../domain/basics/names/ordering.ts';
import { type NorthboundParent, parentKey } from '../../domain/datapath/northbound/row.ts';
import type { Row, Tables } from '../ovsdb/row.ts';
import type { PartsOfRow, TableReader } from './table-reader.ts';

const noParents: readonly NorthboundParent[] = [];

/** Whether two parents are the same column of one row. */
export function isSameParent(left: NorthboundParent, right: NorthboundParent): boolean {
  return left === right || (left.table === right.table && left.name === right.name && left.column === right.column);
}

/** The parts of a row, with the former parent where it is the same. */
function withFormerParents(parts: readonly PartsOfRow[], former: readonly PartsOfRow[]): readonly PartsOfRow[] {
  return parts.map(({ uuids, parent }) => ({
    uuids,
    parent: former.find((other) => isSameParent(other.parent, parent))?.parent ?? parent,
  }));
}

/** The pairs of a part and its parent that only the first rows have. */
function onlyIn(
  parts: readonly PartsOfRow[],
  others: readonly PartsOfRow[],
): readonly (readonly [uuid: string, parent: NorthboundParent])[] {
  return parts.flatMap(({ uuids, parent }) => {
    const known = others.find((other) => other.parent === parent)?.uuids;
    return [...uuids].flatMap((uuid) => (known?.has(uuid) === true ? [] : [[uuid, parent] as const]));
  });
}

/** A table whose rows have parts. */
interface ParentTable {
  readonly reader: TableReader;
  /** The rows that were read last. */
  rows: readonly Row[];
  /** Their parts, by the UUIDs of the rows. */
  readonly parts: Map<string, readonly PartsOfRow[]>;
}

/** The rows that others are part of, found by the UUIDs of these: each reading costs what has changed since the one before. */
export class RowParents {
  readonly #tables: ReadonlyMap<string, ParentTable>;
  readonly #parents = new Map<string, readonly NorthboundParent[]>();

  /** @param readers of the tables whose rows have parts */
  constructor(readers: readonly (readonly [table: string, reader: TableReader])[]) {
    this.#tables = new Map(readers.map(([table, reader]) => [table, { reader, rows: [], parts: new Map() }]));
  }

  /** The parents of a row, in the order of their keys. */
  of(uuid: string): readonly NorthboundParent[] {
    return this.#parents.get(uuid) ?? noParents;
  }

  /** Reads tables. @returns the UUIDs of rows that have other parents than before */
  read(tables: Tables): ReadonlySet<string> {
    const moved = new Set<string>();
    for (const [name, table] of this.#tables) {
      const rows = tables.get(name) ?? [];
      const { removed, added } = listChanges(table.rows, rows);
      const present = new Map(added.map((row) => [row.uuid, row]));
      for (const uuid of new Set([...removed, ...added].map((row) => row.uuid))) {
        this.#change(table, uuid, present.get(uuid), moved);
      }
      table.rows = rows;
    }
    for (const uuid of moved) if (this.of(uuid).length === 0) this.#parents.delete(uuid);
    return moved;
  }

  #change({ reader, parts }: ParentTable, uuid: string, row: Row | undefined, moved: Set<string>): void {
    const before = parts.get(uuid) ?? [];
    const after = row === undefined ? [] : withFormerParents(reader.parts(row), before);
    for (const [part, parent] of onlyIn(before, after)) {
      this.#parents.set(
        part,
        this.of(part).filter((each) => each !== parent),
      );
      moved.add(part);
    }
    for (const [part, parent] of onlyIn(after, before)) {
      const others = this.of(part);
      this.#parents.set(part, others.length === 0 ? alone(parent) : sortedBy([...others, parent], parentKey));
      moved.add(part);
    }
    if (row === undefined) parts.delete(uuid);
    else parts.set(uuid, after);
  }
}
