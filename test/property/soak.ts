/**
 * `npm run soak [MINUTES]`: all laws with fresh seeds, for as long as one likes (1 minute). Says on stderr how far it is, and at the end in one line of
 * JSON how many cases each law has held for, and how often it was broken. For each break it prints the folder that shows it, which KEEP=FOLDER
 * writes, and goes on; it ends with status 1 then.
 */
import { BrokenLaw } from './hold.ts';
import { laws } from './laws.ts';

const minutes = Number(process.argv[2] ?? process.env['MINUTES'] ?? 1);
const begin = Date.now();
const cases: Record<string, number> = {};
const broken: Record<string, number> = {};

/** A round takes some seconds and has each law's share. */
const SHARE = 1 / 20;

function passed(): number {
  return (Date.now() - begin) / 60_000;
}

for (let round = 1; passed() < minutes; round++) {
  for (const { name, runs, hold } of laws) {
    try {
      cases[name] = (cases[name] ?? 0) + hold({ numRuns: Math.ceil(runs * SHARE) });
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
