/**
 * The contracts of HostNetwork and KernelSettings on a real kernel. As the kernel of this machine often has no VRF, Mocha runs once more,
 * inside a node, and each test of that run becomes a test here. KernelSettings uses no programs and is tested on one userland.
 */
import { resolve } from 'node:path';
import { Test } from 'mocha';
import { bundled } from './agent/bundle.ts';
import { describeOnEachUserland } from './each-userland.ts';
import type { LabNode } from './node.ts';
import { defaultUserland } from './userland.ts';

const CHECKOUT = resolve(import.meta.dirname, '../../..');
const SUITES = 'test/integration/lab/inside-node';
const [HOST_NETWORK, KERNEL_SETTINGS] = [`${SUITES}/host-network.ts`, `${SUITES}/kernel-settings.ts`];

/** Milliseconds for all of them. */
const DEADLINE = 400_000;

/** The output of Mocha's JSON reporter. */
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
  return ['/usr/bin/env', 'NODE_COMPILE_CACHE=/dev/lab/compile-cache', node, ...mocha, ...suites.map(bundled)];
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
        if (Object.keys(err).length > 0) throw new Error(err.stack ?? err.message ?? 'failed without a message');
      });
      this.test?.parent?.addTest(test);
    }
    // A failed hook is reported as a failure only, not as a test.
    const reported = new Set(report.tests.map(({ fullTitle }) => fullTitle));
    const hooks = report.failures.filter(({ fullTitle }) => !reported.has(fullTitle));
    if (hooks.length > 0) throw new Error(`inside the node: ${JSON.stringify(hooks)}`);
  });

  it('runs tests', () => {
    if (tests === 0) throw new Error('no test was run inside the node');
  });
});
