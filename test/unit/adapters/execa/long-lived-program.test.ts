import { expect } from 'chai';
import { ExecaPrograms } from '../../../../src/adapters/execa/execa-programs.ts';
import { eventually, runs } from '../processes.ts';

describe('an interactive program', function () {
  this.timeout(30_000);

  function start(program: string, ...words: readonly string[]) {
    const output = { lines: [] as string[], messages: [] as string[], ends: [] as string[] };
    const running = new ExecaPrograms().start(program, words, {
      onOutput: (line) => output.lines.push(line),
      onMessage: (line) => output.messages.push(line),
      onEnd: (reason) => output.ends.push(reason),
    });
    return { ...output, running };
  }

  it('is read line by line, including an incomplete last line, and then its exit', async () => {
    const { lines, messages, ends } = start('sh', '-c', 'echo one; echo oops >&2; printf two; exit 3');
    await eventually('it has exited', () => ends.length > 0);
    expect([lines, messages, ends]).to.deep.equal([['one', 'two'], ['oops'], ['exited with status 3']]);
  });

  it('is read with line feeds as the only line ends', async () => {
    const { lines, ends } = start('printf', 'a\\342\\200\\250b\\342\\200\\251c\\rd\\n\\nété\\n');
    await eventually('it has exited', () => ends.length > 0);
    expect(lines).to.deep.equal(['a\u2028b\u2029c\rd', '', 'été']);
  });

  it('gets its input while it runs, and none after its exit', async () => {
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
