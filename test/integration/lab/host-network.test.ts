/**
 * The contracts of the host's network and of the kernel's settings on a real kernel: that of the machine that tests run on often has no VRF, so
 * Mocha runs once more, inside a node. Each test of that run is one of this one. No program takes part in the kernel's settings: they are tested
 * on one userland.
 */
import { resolve } from 'node:path';
import { Test } from 'mocha';
import { describeOnEachUserland } from './each-userland.ts';
import type { LabNode } from './node.ts';
import { defaultUserland } from './userland.ts';

const CHECKOUT = resolve(import.meta.dirname, '../../..');
const SUITES = `${CHECKOUT}/test/integration/lab/inside-node`;
const [HOST_NETWORK, KERNEL_SETTINGS] = [`${SUITES}/host-network.ts`, `${SUITES}/kernel-settings.ts`];

/** Milliseconds for all of them. */
const DEADLINE = 400_000;

/** What Mocha's JSON reporter says. */
interface Report {
  readonly tests: readonly {
    readonly fullTitle: string;
    readonly err: { readonly message?: string; readonly stack?: string };
  }[];
  readonly failures: readonly { readonly fullTitle: string }[];
}

function command(suites: readonly string[]): readonly string[] {
  const node = `${CHECKOUT}/node_modules/.bin/node`;
  const mocha = [
    `${CHECKOUT}/node_modules/mocha/bin/mocha.js`,
    '--no-config',
    '--reporter',
    'json',
    '--timeout',
    '30000',
  ];
  return ['/usr/bin/env', 'NODE_COMPILE_CACHE=/dev/lab/compile-cache', node, ...mocha, ...suites];
}

function reportIn(stdout: string, stderr: string): Report {
  try {
    return JSON.parse(stdout.slice(stdout.indexOf('{'))) as Report;
  } catch {
    throw new Error(`no report of the tests inside the node: ${stdout}${stderr}`);
  }
}

describeOnEachUserland('inside a node', function (machine, userland) {
  this.timeout(DEADLINE + 30_000);
  const suites = [HOST_NETWORK, ...(userland === defaultUserland() ? [KERNEL_SETTINGS] : [])];

  let node: LabNode | undefined;
  after(() => node?.end());

  let tests = 0;
  before(async function () {
    node = await (await machine()).node('host-network');
    const { stdout, stderr } = await node.run(command(suites), { deadline: DEADLINE });
    const report = reportIn(stdout, stderr);
    tests = report.tests.length;
    for (const { fullTitle, err } of report.tests) {
      const test = new Test(fullTitle, () => {
        if (Object.keys(err).length > 0) throw new Error(err.stack ?? err.message ?? 'it failed, and does not say why');
      });
      this.test?.parent?.addTest(test);
    }
    // What fails in a hook is told as a failure and not as a test.
    const told = new Set(report.tests.map(({ fullTitle }) => fullTitle));
    const hooks = report.failures.filter(({ fullTitle }) => !told.has(fullTitle));
    if (hooks.length > 0) throw new Error(`inside the node: ${JSON.stringify(hooks)}`);
  });

  it('tests are run', () => {
    if (tests === 0) throw new Error('there was no test inside the node');
  });
});
