import type { Tables } from '../ovsdb/row.ts';

/** The columns of NB_Global that count changes, and how far who carries them out has come (ovn-nb(5)). */
export const COUNTER_COLUMNS = ['nb_cfg', 'sb_cfg', 'hv_cfg'];

/** Sequence numbers of changes. */
export interface Counters {
  /** Of the last change that somebody wants to be confirmed. */
  readonly requested: number;
  /** Of the last one that ovn-northd has translated. */
  readonly translated: number;
  /** Of the last one that ovn-controller has carried out; on every chassis of the database. */
  readonly done: number;
}

function integer(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

/** The counters; absent if the database is not initialized. */
export function countersOf(tables: Tables): Counters | undefined {
  const [row] = tables.get('NB_Global') ?? [];
  if (row === undefined) return undefined;
  const [requested, translated, done] = COUNTER_COLUMNS.map((column) => integer(row.columns.get(column)));
  return { requested: requested ?? 0, translated: translated ?? 0, done: done ?? 0 };
}

/** The operations that ask for confirmation of a transaction; the last one tells its number. */
export const requestOperations: readonly unknown[] = [
  { op: 'mutate', table: 'NB_Global', where: [], mutations: [['nb_cfg', '+=', 1]] },
  { op: 'select', table: 'NB_Global', where: [], columns: ['nb_cfg'] },
];

/** Who has not confirmed a change, for a person; `limit` is a time as text. */
export function missingConfirmation({ translated, done }: Counters, number: number, limit: string): string {
  return translated < number
    ? `ovn-northd did not confirm the change within ${limit}: sb_cfg of NB_Global is ${translated}, expected ${number}; check that ovn-northd runs`
    : `ovn-controller did not confirm the change within ${limit}: hv_cfg of NB_Global is ${done}, expected ${number}; check that ovn-controller runs`;
}
