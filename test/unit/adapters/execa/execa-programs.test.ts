import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { execa } from 'execa';
import { ExecaPrograms } from '../../../../src/adapters/execa/execa-programs.ts';
import { describeFailure, type ProgramResult } from '../../../../src/ports/node/programs.ts';
import { eventually, runs } from '../processes.ts';
import { temporaryFolders } from '../temporary-folders.ts';

const programs = new ExecaPrograms({ GREETING: 'hello' });

async function run(program: string, programArguments: readonly string[], deadline = 10_000): Promise<ProgramResult> {
  return await programs.run(program, programArguments, { deadline });
}

async function failureOf(program: string, programArguments: readonly string[], deadline?: number): Promise<string> {
  const result = await run(program, programArguments, deadline);
  return result.outcome === 'finished' ? 'finished' : describeFailure(result);
}

async function printedBy(program: string, programArguments: readonly string[]): Promise<string> {
  const result = await run(program, programArguments);
  return result.outcome === 'finished' ? new TextDecoder().decode(result.stdout) : describeFailure(result);
}

function processIn(file: string): number {
  return Number(readFileSync(file, 'utf8'));
}

/** Runs code in another process, with the function `run`; returns the output. */
async function inOtherProcess(code: string): Promise<string> {
  const adapter = new URL('../../../../src/adapters/execa/execa-programs.ts', import.meta.url).href;
  const setUp = `
    import { readFileSync } from 'node:fs';
    import { ExecaPrograms } from ${JSON.stringify(adapter)};
    const run = (program, words, deadline) => new ExecaPrograms().run(program, words, { deadline });`;
  const { stdout } = await execa(process.execPath, ['--input-type=module', '--eval', setUp + code], {
    timeout: 20_000,
  });
  return stdout;
}

describe('a program of the machine', function () {
  this.timeout(30_000);
  const newFolder = temporaryFolders();

  it('gets its arguments unchanged, without a shell', async () => {
    const words = ['$HOME', '`id`', 'a b', "it's", '"', '*', '; exit 1', '', '-n'];
    expect(await printedBy('printf', ['%s\\n', ...words])).to.equal(words.map((word) => `${word}\n`).join(''));
  });

  it('has its output returned unchanged', async () => {
    const result = await run('printf', ['\\377\\000\\n\\n']);
    expect(result.outcome === 'finished' && [...result.stdout]).to.deep.equal([0xff, 0, 10, 10]);
  });

  it('has the environment of this process, the given variables, and locale C', async () => {
    expect(await printedBy('sh', ['-c', 'echo "$GREETING $LC_ALL $PATH"'])).to.equal(
      `hello C ${process.env['PATH']}\n`,
    );
  });

  it('has an empty standard input', async () => {
    expect(await printedBy('cat', [])).to.equal('');
  });

  it('reads its standard input to the end', async () => {
    const result = await programs.run('wc', ['-c'], { deadline: 10_000 }, 'ü'.repeat(500_000));
    expect(result.outcome === 'finished' && new TextDecoder().decode(result.stdout)).to.equal('1000000\n');
  });

  it('need not read its standard input', async () => {
    const result = await programs.run(
      'sh',
      ['-c', 'echo why >&2; exit 3'],
      { deadline: 10_000 },
      'x'.repeat(5_000_000),
    );
    expect(result.outcome === 'finished' || describeFailure(result)).to.equal('exited with status 3 and printed: why');
  });

  it('has its output returned even if it fails', async () => {
    const result = await run('sh', ['-c', 'echo output; echo reason >&2; exit 3']);
    expect(
      result.outcome === 'failed' && [result.exitCode, new TextDecoder().decode(result.stdout), result.stderr],
    ).to.deep.equal([3, 'output\n', 'reason']);
  });

  const failures: readonly (readonly [
    what: string,
    program: string,
    programArguments: readonly string[],
    message: string,
  ])[] = [
    ['does not exist', 'no-such-program', [], 'is not installed, or not in PATH'],
    ['is a path that does not exist', '/nowhere/ip', [], 'is not installed, or not in PATH'],
    ['is not executable', '/etc/passwd', [], 'could not be started: spawn /etc/passwd EACCES'],
    [
      'exits with a reason',
      'sh',
      ['-c', 'echo first >&2; echo second >&2; exit 3'],
      'exited with status 3 and printed: first / second',
    ],
    ['exits without a reason', 'sh', ['-c', 'exit 3'], 'exited with status 3 and printed no reason'],
    ['is killed', 'sh', ['-c', 'kill -TERM $$'], 'was killed by SIGTERM'],
    [
      'has an argument with a NUL character',
      'echo',
      ['a\0b'],
      'could not be started: an argument contains a NUL character',
    ],
    ['has too long an argument', 'echo', ['x'.repeat(3_000_000)], 'could not be started: spawn E2BIG'],
    ['prints too much', 'cat', ['/dev/zero'], 'printed more than 256 MiB and was killed'],
    [
      'prints too many messages',
      'sh',
      ['-c', 'head -c 2M /dev/zero >&2; exit 1'],
      'printed more than 1 MiB of messages and was killed',
    ],
  ];
  for (const [what, program, programArguments, message] of failures) {
    it(`fails with its reason if it ${what}`, async () => {
      // Printing so much takes longer than the usual deadline on a busy machine.
      expect(await failureOf(program, programArguments, 120_000)).to.equal(message);
    });
  }

  const hanging: readonly (readonly [what: string, script: string])[] = [
    ['waits for a child', 'sleep 1000 & echo $! > "$1"; wait'],
    ['has exited, but its child has not', 'sleep 1000 & echo $! > "$1"'],
    ['ignores signals', 'trap "" TERM INT HUP; echo $$ > "$1"; while :; do :; done'],
  ];
  for (const [what, script] of hanging) {
    it(`is killed with its children at its deadline if it ${what}`, async () => {
      const file = join(newFolder(), 'pid');
      expect(await failureOf('sh', ['-c', script, 'sh', file], 1000)).to.equal(
        'did not finish within 1 s and was killed',
      );
      await eventually('the process has ended', () => !runs(processIn(file)));
    });
  }

  it('is not waited for if a child outside its process group holds the pipes', async () => {
    const file = join(newFolder(), 'pid');
    const script = 'setsid sh -c \'echo $$ > "$1"; exec sleep 1000\' sh "$1" & wait';
    expect(
      await inOtherProcess(
        `console.log((await run('sh', ['-c', ${JSON.stringify(script)}, 'sh', ${JSON.stringify(file)}], 1000)).outcome)`,
      ),
    ).to.equal('deadline-passed');
    process.kill(processIn(file));
  });

  it('does not keep this process running after its exit', async () => {
    expect(await inOtherProcess(`console.log((await run('true', [], 1_000_000)).outcome)`)).to.equal('finished');
  });

  it('is killed with its children when this process exits', async () => {
    const file = join(newFolder(), 'pid');
    await inOtherProcess(`
      const { watch } = await import('node:fs');
      watch(${JSON.stringify(dirname(file))}, () => {
        if (readFileSync(${JSON.stringify(file)}, 'utf8') !== '') process.exit();
      });
      void run('sh', ['-c', 'sleep 1000 & echo $! > "$1"; wait', 'sh', ${JSON.stringify(file)}], 1_000_000);`);
    await eventually('the child has ended', () => !runs(processIn(file)));
  });

  it('leaves no resources in this process after its exit', async () => {
    const listeners = process.listenerCount('exit');
    const programs = new ExecaPrograms();
    const results = ['true', 'false', 'no-such-program'].map((program) =>
      programs.run(program, [], { deadline: 10_000 }),
    );
    const hanging = programs.run('sleep', ['1000'], { deadline: 200 });
    expect(process.listenerCount('exit')).to.equal(listeners + 1);
    await Promise.all([...results, hanging]);
    expect(process.listenerCount('exit')).to.equal(listeners);
  });
});
