import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { execa } from 'execa';

const CHECKOUT = resolve(import.meta.dirname, '../../../..');

describe('a test that times out', () => {
  it('ends its machines, so that others do not wait for them', async () => {
    const mocha = join(CHECKOUT, 'node_modules/.bin/mocha');
    const tests = join(import.meta.dirname, 'hanging-tests.ts');
    const { exitCode, stdout } = await execa(mocha, [tests], { cwd: CHECKOUT, reject: false });
    expect(exitCode, stdout).to.equal(1);
    expect(stdout).to.include('Timeout of 3000ms exceeded');
    expect(stdout).to.match(/\nfailed: a machine hangs\n1 passed, 1 failed$/);
  });
});
