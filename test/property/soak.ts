/**
 * `npm run soak [MINUTES]`: all laws with fresh seeds, for as long as one likes (1 minute). Says on stderr how far it is, and at the end in one line of
 * JSON how many cases each law has held for. Where one is broken it prints the folder that shows it, and ends with status 1; KEEP=FOLDER writes it.
 */
import { BrokenLaw } from './hold.ts';
import { laws } from './laws.ts';

const minutes = Number(process.argv[2] ?? process.env['MINUTES'] ?? 1);
const begin = Date.now();
const held = new Map(laws.map(({ name }) => [name, 0]));

/** A round takes some seconds and has each law's share. */
const SHARE = 1 / 20;

function passed(): number {
  return (Date.now() - begin) / 60_000;
}

function report(): string {
  return JSON.stringify({ minutes: Number(passed().toFixed(1)), cases: Object.fromEntries(held) });
}

try {
  for (let round = 1; passed() < minutes; round++) {
    for (const { name, runs, hold } of laws) {
      held.set(name, (held.get(name) ?? 0) + hold({ numRuns: Math.ceil(runs * SHARE) }));
    }
    process.stderr.write(`round ${round}, ${passed().toFixed(1)} of ${minutes} minutes\n`);
  }
} catch (error) {
  if (!(error instanceof BrokenLaw)) throw error;
  process.stderr.write(`${report()}\n`);
  process.stdout.write(`${error.message}\n`);
  process.exit(1);
}
process.stdout.write(`${report()}\n`);
