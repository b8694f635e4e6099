/** Hooks of every test (mocha, root hook plugins). */
import fc from 'fast-check';
import type { Context, RootHookObject } from 'mocha';
import { removeImages } from './integration/image/image-folder.ts';
import { recentLogs } from './integration/lab/open-agents.ts';

const seed = process.env['SEED'];

// Every property takes it that has no seed of its own.
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });

export const mochaHooks: RootHookObject = {
  async afterEach(this: Context) {
    if (this.currentTest?.state !== 'failed') return;
    const logs = await recentLogs();
    if (logs !== '') process.stderr.write(`"${this.currentTest.title}" failed. ${logs}`);
  },
};

/** Runs once, in the process that has started the others (mocha, global fixtures). */
export const mochaGlobalTeardown = removeImages;
