/**
 * `npm run soak [MINUTES]`: all laws with fresh seeds, for some minutes (1). Reports its progress on stderr, and at the end, in one line of JSON, how many
 * cases each law was checked on and how often it was broken. For each violation it prints the folder that shows it, which KEEP=FOLDER writes, and
 * continues; its exit status is then 1.
 */
import { engine, laws } from '../../src/testing/index.ts';
import { BrokenLaw } from './hold.ts';
import { holdLaw } from './laws.ts';

const minutes = Number(process.argv[2] ?? process.env['MINUTES'] ?? 1);
const begin = Date.now();
const cases: Record<string, number> = {};
const broken: Record<string, number> = {};

/** A round takes some seconds: this share of each law's runs. */
const SHARE = 1 / 20;

function passed(): number {
  return (Date.now() - begin) / 60_000;
}

for (let round = 1; passed() < minutes; round++) {
  for (const law of laws) {
    const { name, runs } = law;
    try {
      cases[name] = (cases[name] ?? 0) + holdLaw(law, engine, { numRuns: Math.ceil(runs * SHARE) }).numRuns;
    } catch (error) {
      if (!(error instanceof BrokenLaw)) throw error;
      broken[name] = (broken[name] ?? 0) + 1;
      process.stdout.write(`${error.message}\n`);
    }
  }
  process.stderr.write(`round ${round}, ${passed().toFixed(1)} of ${minutes} minutes\n`);
}
process.stdout.write(`${JSON.stringify({ minutes: Number(passed().toFixed(1)), cases, broken })}\n`);
process.exitCode = Object.keys(broken).length === 0 ? 0 : 1;
