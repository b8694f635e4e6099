/** Flows of a bridge that are read again: `ovs-ofctl dump-flows` selects by table and cookie. */

/** An argument of `ovs-ofctl dump-flows` that selects flows (ovs-ofctl(8), Flow Syntax). */
export type Selection = `table=${number}` | `cookie=${string}/-1`;

/** Maximum number of selections: each takes a program, and one program reads all flows. */
const MOST_SELECTIONS = 2;

/** The selections of tables; undefined if there are so many that everything is read. */
export function selectionsOf(tables: ReadonlySet<number>): readonly Selection[] | undefined {
  return tables.size > MOST_SELECTIONS ? undefined : [...tables].map((table): Selection => `table=${table}`);
}
