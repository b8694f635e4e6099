import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { commandLine } from '../../../../src/adapters/capture/layout.ts';

/** The words of a text in a shell. */
function wordsInShell(text: string): readonly string[] {
  return execFileSync('bash', ['-c', `printf '%s\\0' ${text}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);
}

describe('a command line', () => {
  const special = [
    'br>x',
    '<in',
    'a b',
    "it's",
    '$(x)',
    '`x`',
    'a;b',
    'a&b',
    'a|b',
    '*',
    '~x',
    '#a',
    '',
    'a\\b',
    '"',
    '!x',
    '{a,b}',
    'été',
  ];
  const control = ['br\u001b[31mX', 'a\nb', "'\t\\", '\u0085'];
  for (const word of [...special, ...control]) {
    it(`quotes ${JSON.stringify(word)} as one word`, () => {
      expect(wordsInShell(commandLine({ program: 'ip', arguments: [word, 'x'] }))).to.deep.equal(['ip', word, 'x']);
    });
  }

  it('has no unnecessary quotes', () => {
    const words = ['-4', 'route', 'add', '192.0.2.0/24', 'a_b@c%d+e=f:g,h'];
    expect(commandLine({ program: 'ip', arguments: words })).to.equal(`ip ${words.join(' ')}`);
  });

  it('contains no control characters', () => {
    for (const word of control) {
      expect(commandLine({ program: 'ip', arguments: [word] })).not.to.match(/[\u0000-\u001f\u007f-\u009f]/);
    }
  });
});
