/**
 * `npm run soak [MINUTES]`: checks all laws with fresh seeds for some minutes (default 1). Prints its progress on stderr, and at the end
 * one line of JSON with the number of cases and violations of each law. Prints the folder of each violation, writes it to KEEP=FOLDER, and
 * continues; the exit status is then 1.
 */
import { engine, laws } from '../../src/testing/index.ts';
import { BrokenLaw } from './check-property.ts';
import { checkLawOnGenerated } from './laws.ts';

const minutes = Number(process.argv[2] ?? process.env['MINUTES'] ?? 1);
const begin = Date.now();
const cases: Record<string, number> = {};
const broken: Record<string, number> = {};

/** The share of each law's cases in a round, which takes some seconds. */
const SHARE = 1 / 20;

function elapsedMinutes(): number {
  return (Date.now() - begin) / 60_000;
}

for (let round = 1; elapsedMinutes() < minutes; round++) {
  for (const law of laws) {
    const { name, runs } = law;
    try {
      cases[name] = (cases[name] ?? 0) + checkLawOnGenerated(law, engine, { numRuns: Math.ceil(runs * SHARE) }).numRuns;
    } catch (error) {
      if (!(error instanceof BrokenLaw)) throw error;
      broken[name] = (broken[name] ?? 0) + 1;
      process.stdout.write(`${error.message}\n`);
    }
  }
  process.stderr.write(`round ${round}, ${elapsedMinutes().toFixed(1)} of ${minutes} minutes\n`);
}
process.stdout.write(`${JSON.stringify({ minutes: Number(elapsedMinutes().toFixed(1)), cases, broken })}\n`);
process.exitCode = Object.keys(broken).length === 0 ? 0 : 1;
