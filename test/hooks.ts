/** Hooks of every test (mocha, root hook plugins). */
import { setTimeout as pause } from 'node:timers/promises';
import { config } from 'chai';
import fc from 'fast-check';
import type { Context, RootHookObject } from 'mocha';
import { removeImages } from './integration/image/image-folder.ts';
import { recentLogs } from './integration/lab/open-agents.ts';
import { endMachines, endUnansweringMachines } from './integration/lab/running-machines.ts';

const seed = process.env['SEED'];

// Every property takes it that has no seed of its own.
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });

// A failure shows all of a text: that of a program says why only at its end.
config.truncateThreshold = 0;

/** Milliseconds in which agents have to give their logs: the machine that they are on may be what hangs. */
const LOG_DEADLINE = 30_000;

export const mochaHooks: RootHookObject = {
  async afterEach(this: Context) {
    const test = this.currentTest;
    if (test?.state !== 'failed') return;
    const late = pause(LOG_DEADLINE, 'An agent does not give its log.\n', { ref: false });
    const logs = await Promise.race([recentLogs(), late]);
    if (logs !== '') process.stderr.write(`"${test.title}" failed. ${logs}`);
    // What the test has started goes on there, and a machine that hangs would do so for every other test.
    if (test.timedOut)
      await endMachines(`"${test.fullTitle()}" timed out, and the lab machines that it may have used were ended`);
  },
  async afterAll() {
    // A hook may have timed out.
    await endUnansweringMachines('the tests have ended, and the machine had not answered all requests');
  },
};

/** Runs once, in the process that has started the others (mocha, global fixtures). */
export const mochaGlobalTeardown = removeImages;
