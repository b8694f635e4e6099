/** Fields that change with every observation. */
const PASSING: ReadonlySet<string> = new Set(['validSeconds', 'preferredSeconds', 'expiresSeconds', 'takenAt']);

/** A part of a node or a ledger as JSON text, without the time that has passed. */
export function timelessText(value: unknown): string {
  return JSON.stringify(value, (key, field: unknown) => (PASSING.has(key) ? 'some' : field));
}
