import { expect } from 'chai';
import { execa } from 'execa';
import { workerA } from './command.ts';

const root = `${import.meta.dirname}/../..`;
const command = [process.execPath, 'src/cmd/main.ts', 'plan', ...workerA];

/** Without variables that say something of colours: CI and COLORTERM do too (Node.js, tty.WriteStream.getColorDepth). */
const { PATH = '', HOME = '' } = process.env;

describe('colours of the command', () => {
  for (const { on, env, has } of [
    { on: 'a terminal', env: { TERM: 'xterm' }, has: true },
    { on: 'a terminal', env: { TERM: 'dumb' }, has: false },
    { on: 'a terminal', env: { TERM: 'xterm', NO_COLOR: '1' }, has: false },
    { on: 'a terminal', env: { TERM: 'xterm', NO_COLOR: '' }, has: true },
    { on: 'a terminal', env: { TERM: 'xterm', FORCE_COLOR: '0' }, has: false },
    { on: 'a pipe', env: { TERM: 'xterm' }, has: false },
    { on: 'a pipe', env: { FORCE_COLOR: '1' }, has: true },
  ]) {
    it(`are ${has ? '' : 'not '}on ${on} with ${JSON.stringify(env)}`, async () => {
      const quoted = command.map((word) => `'${word}'`).join(' ');
      // script(1) runs a program on a terminal of its own.
      const [program = '', ...words] = on === 'a pipe' ? command : ['script', '-qec', quoted, '/dev/null'];
      const { stdout } = await execa(program, words, { cwd: root, env: { PATH, HOME, ...env }, extendEnv: false });
      expect(stdout).to.include('Node worker-a');
      expect(stdout.includes('\u001b[')).to.equal(has);
    });
  }
});
