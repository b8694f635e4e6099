import { expect } from 'chai';
import { ExecaPrograms } from '../../../../src/adapters/execa/execa-programs.ts';
import { eventually, runs } from '../processes.ts';

describe('an interactive program', function () {
  this.timeout(30_000);

  function start(program: string, ...words: readonly string[]) {
    const heard = { lines: [] as string[], messages: [] as string[], ends: [] as string[] };
    const running = new ExecaPrograms().start(program, words, {
      onOutput: (line) => heard.lines.push(line),
      onMessage: (line) => heard.messages.push(line),
      onEnd: (reason) => heard.ends.push(reason),
    });
    return { ...heard, running };
  }

  it('is read line by line, including an incomplete last line, and then its exit', async () => {
    const { lines, messages, ends } = start('sh', '-c', 'echo one; echo oops >&2; printf two; exit 3');
    await eventually('it has exited', () => ends.length > 0);
    expect([lines, messages, ends]).to.deep.equal([['one', 'two'], ['oops'], ['exited with status 3']]);
  });

  it('ends a line at a line feed only', async () => {
    const { lines, ends } = start('printf', 'a\\342\\200\\250b\\342\\200\\251c\\rd\\n\\nété\\n');
    await eventually('it has exited', () => ends.length > 0);
    expect(lines).to.deep.equal(['a\u2028b\u2029c\rd', '', 'été']);
  });

  it('reads its input while it runs, and nothing after its exit', async () => {
    const { lines, ends, running } = start('sh', '-c', 'read a; echo "got $a"');
    running.write('hello\n');
    await eventually('it has exited', () => ends.length > 0);
    running.write('again\n');
    running.end();
    expect([lines, ends]).to.deep.equal([['got hello'], ['exited with status 0']]);
  });

  it('is killed with its children', async () => {
    const { lines, ends, running } = start('sh', '-c', 'sleep 100 & echo $!; wait');
    await eventually('its child runs', () => lines.length > 0);
    running.end();
    await eventually('it has exited', () => ends.length > 0);
    expect(ends).to.deep.equal(['was killed by SIGKILL']);
    await eventually('its child has ended', () => !runs(Number(lines[0])));
  });

  it('reports that it is not installed', async () => {
    const { ends } = start('no-such-program');
    await eventually('it has exited', () => ends.length > 0);
    expect(ends).to.deep.equal(['is not installed, or not in PATH']);
  });
});
