import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { execa } from 'execa';
import { tooOld } from '../../../src/cmd/node-version.ts';

const root = join(import.meta.dirname, '../../..');

describe('the version of Node.js', () => {
  it('is what package.json asks for, or newer', () => {
    const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      readonly engines: { readonly node: string };
    };
    const [, least] = /^>=(\d+)$/.exec(engines.node) ?? [];
    expect(tooOld(`${least}.0.0`)).to.equal(undefined);
    expect(tooOld(`${Number(least) + 1}.2.0`)).to.equal(undefined);
    expect(tooOld(`${Number(least) - 1}.99.9`)).to.include(`needs ${least} or newer`);
  });

  it('is checked before any file with newer syntax is loaded', async () => {
    const old = `Object.defineProperty(process.versions, 'node', { value: '20.11.1' }); delete Promise.withResolvers;`;
    const { exitCode, stderr, stdout } = await execa(
      process.execPath,
      ['--import', `data:text/javascript,${old}`, 'src/cmd/main.ts', 'node', '--dry-run'],
      { cwd: root, reject: false },
    );
    expect(stderr).to.equal(
      'error: this is Node.js 20.11.1, and ovn-uplinks needs 24 or newer: install it, and put it first in PATH',
    );
    expect({ exitCode, stdout }).to.deep.equal({ exitCode: 1, stdout: '' });
  });
});
