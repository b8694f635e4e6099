/** Hooks of every test (mocha, root hook plugins). */
import fc from 'fast-check';
import type { Context, RootHookObject } from 'mocha';
import { removeImages } from './integration/image/image-folder.ts';
import { openAgents } from './integration/lab/open-agents.ts';

/** Lines of an agent's log that are printed after a failure. */
const LINES = 60;

/** Longest line of a log that is printed, in characters: operations name all their networks. */
const LENGTH = 400;

const seed = process.env['SEED'];

// Every property takes it that has no seed of its own.
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });

export const mochaHooks: RootHookObject = {
  async afterEach(this: Context) {
    if (this.currentTest?.state !== 'failed') return;
    for (const log of openAgents.values()) {
      const text = await log().catch(String);
      const lines = text.trimEnd().split('\n').slice(-LINES);
      const shown = lines.map((line) => (line.length > LENGTH ? `${line.slice(0, LENGTH)}…` : line));
      process.stderr.write(`The log of an agent when "${this.currentTest.title}" failed:\n${shown.join('\n')}\n`);
    }
  },
};

/** Runs once, in the process that has started the others (mocha, global fixtures). */
export const mochaGlobalTeardown = removeImages;
