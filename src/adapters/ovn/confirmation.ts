import type { Tables } from '../ovsdb/row.ts';

/** The counters of NB_Global: changes, and which of them ovn-northd and ovn-controller have processed (ovn-nb(5)). */
export const COUNTER_COLUMNS = ['nb_cfg', 'sb_cfg', 'hv_cfg'];

/** Sequence numbers of changes. */
export interface Counters {
  /** Of the last change to confirm. */
  readonly requested: number;
  /** Of the last one that ovn-northd has processed. */
  readonly translated: number;
  /** Of the last one that ovn-controller has processed, on all chassis of the database. */
  readonly done: number;
}

function integer(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

/** The counters; absent if the database is not initialized, or has no number of the last change. */
export function countersOf(tables: Tables): Counters | undefined {
  const [row] = tables.get('NB_Global') ?? [];
  if (row === undefined) return undefined;
  const [requested, translated, done] = COUNTER_COLUMNS.map((column) => row.columns[column]);
  // Without a number to wait for, anything would count as confirmed.
  if (typeof requested !== 'number') return undefined;
  return { requested, translated: integer(translated), done: integer(done) };
}

/** The operations that request confirmation of a transaction; the last one returns its number. */
export const requestOperations: readonly unknown[] = [
  { op: 'mutate', table: 'NB_Global', where: [], mutations: [['nb_cfg', '+=', 1]] },
  { op: 'select', table: 'NB_Global', where: [], columns: ['nb_cfg'] },
];

/** Names what has not confirmed a change, for people; `limit` is a time as text. */
export function missingConfirmation({ translated, done }: Counters, number: number, limit: string): string {
  return translated < number
    ? `ovn-northd did not confirm the change within ${limit}: sb_cfg of NB_Global is ${translated}, expected ${number}; check that ovn-northd runs`
    : `ovn-controller did not confirm the change within ${limit}: hv_cfg of NB_Global is ${done}, expected ${number}; check that ovn-controller runs`;
}
