/**
 * How many generated cases a property is held against: as many as it says, times `CASES` where that is set: 10 is a campaign, 0.02 is for
 * mutants.
 */
const factor = Number(process.env['CASES'] ?? 1);

export function caseCount(usual: number): number {
  return Math.ceil(usual * factor);
}
