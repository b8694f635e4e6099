/**
 * `npm run soak [MINUTES]`: the laws with fresh seeds, for as long as one likes (1 minute). Prints how many cases each law has held for; ends with
 * status 1 and the shrunk counterexample where one is broken.
 */
import fc from 'fast-check';
import { type Case, cases, checkIsolated, checkPure, checkSymmetric } from '../../src/testing/index.ts';

const minutes = Number(process.argv[2] ?? process.env['MINUTES'] ?? 1);
const laws: Readonly<Record<string, (subject: Case, seed: number) => void>> = {
  pure: checkPure,
  isolated: checkIsolated,
  symmetric: checkSymmetric,
};
const held = new Map(Object.keys(laws).map((law) => [law, 0]));
const end = Date.now() + minutes * 60_000;

while (Date.now() < end) {
  for (const [law, check] of Object.entries(laws)) {
    const details = fc.check(fc.property(cases, fc.nat(), check), { numRuns: 1000 });
    held.set(law, (held.get(law) ?? 0) + details.numRuns);
    if (details.failed) {
      process.stdout.write(`${fc.defaultReportMessage(details) ?? law}\n`);
      process.exit(1);
    }
  }
}
process.stdout.write(`${JSON.stringify({ minutes, cases: Object.fromEntries(held) })}\n`);
