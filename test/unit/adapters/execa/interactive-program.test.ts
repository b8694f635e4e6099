import { expect } from 'chai';
import { InteractiveProgram } from '../../../../src/adapters/execa/interactive-program.ts';
import type { ProgramListener, RunningProgram } from '../../../../src/ports/node/long-lived-programs.ts';
import { FakeProgram } from '../fake-program.ts';

/** A fake program that repeats each line, unless a test decides otherwise. */
class Repeater extends FakeProgram {
  /** All programs, in the order of their starts. */
  readonly started: ProgramListener[] = [];
  /** The lines that they got, each with the number of its program. */
  readonly lines: string[] = [];
  /** Whether a killed program ends only when a test says so. */
  isSlowToEnd = false;
  answer = (line: string, listener: ProgramListener): void => listener.onOutput(line);

  override start(program: string, words: readonly string[], listener: ProgramListener): RunningProgram {
    const running = super.start(program, [program, ...words], listener);
    return this.isSlowToEnd ? { ...running, end: () => undefined } : running;
  }

  protected override reader(listener: ProgramListener) {
    const number = this.started.push(listener);
    return (text: string) => {
      this.lines.push(`${number} ${text.trimEnd()}`);
      this.answer(text.trimEnd(), listener);
    };
  }
}

describe('a program that is asked on its standard input', () => {
  let fake: Repeater;
  let program: InteractiveProgram<string>;
  beforeEach(() => {
    fake = new Repeater();
    program = new InteractiveProgram(fake, ['repeat', '--lines'], 50);
  });

  /** Asks for a line, whose answer is what is printed first, except for an empty line. */
  const ask = (line: string, isLast = false) =>
    program.ask((isFirst) => ({
      text: `${isFirst ? 'first ' : ''}${line}\n`,
      isLast,
      onOutput: (printed) => (printed === '' ? undefined : `printed ${printed}`),
      onMessage: (message) => (message === '' ? undefined : `said ${message}`),
      onEnd: (reason) => `it ${reason}`,
      onDeadline: (deadline) => `waited ${deadline}`,
    }));
  const hang = () => undefined;

  it('is started by the first request, and learns with each whether it is that', async () => {
    expect(fake.arguments).to.deep.equal([]);
    expect([await ask('a'), await ask('b')]).to.deep.equal(['printed first a', 'printed b']);
    expect(fake.arguments).to.deep.equal([['repeat', '--lines']]);
  });

  it('gets a request once the one before is answered', async () => {
    const begun = Promise.withResolvers<ProgramListener>();
    fake.answer = (_line, listener) => begun.resolve(listener);
    const answers = Promise.all([ask('a'), ask('b'), ask('c')]);
    const listener = await begun.promise;
    expect(fake.lines).to.deep.equal(['1 first a']);
    fake.answer = (line) => listener.onMessage(line);
    listener.onOutput('at last');
    expect(await answers).to.deep.equal(['printed at last', 'said b', 'said c']);
    expect(fake.lines).to.deep.equal(['1 first a', '1 b', '1 c']);
  });

  it('answers with the first output that completes an answer', async () => {
    fake.answer = (line, listener) => {
      for (const message of ['', line, 'more']) listener.onMessage(message);
      listener.onOutput('yet more');
    };
    expect([await ask('a'), await ask('b')]).to.deep.equal(['said first a', 'said b']);
  });

  it('has the deadline for each request anew', async () => {
    fake.answer = (line, listener) => void setTimeout(() => listener.onOutput(line), 30);
    expect(await Promise.all([ask('a'), ask('b')])).to.deep.equal(['printed first a', 'printed b']);
    expect(fake.ended).to.equal(0);
  });

  it('is killed after the deadline, and another one gets the next request', async () => {
    fake.answer = hang;
    const answers = [ask('a'), ask('b')] as const;
    expect(await answers[0]).to.equal('waited 50');
    expect(fake.ended).to.equal(1);
    await answers[1];
    expect(fake.lines).to.deep.equal(['1 first a', '2 first b']);
  });

  it('is ignored once it is killed, whatever it prints and when it ends', async () => {
    fake.answer = hang;
    fake.isSlowToEnd = true;
    await ask('a');
    const [killed] = fake.started;
    fake.answer = (line, listener) => {
      killed?.onOutput('late');
      killed?.onMessage('late');
      killed?.onEnd('was killed by SIGKILL');
      listener.onOutput(line);
    };
    expect([await ask('b'), await ask('c')]).to.deep.equal(['printed first b', 'printed c']);
    expect(fake.arguments).to.have.length(2);
  });

  it('fails its request when it ends, and another one gets the next', async () => {
    fake.answer = (line, listener) => {
      if (line.endsWith('bad')) listener.onEnd('exited with status 1');
      else listener.onOutput(line);
    };
    expect(await Promise.all([ask('bad'), ask('good')])).to.deep.equal([
      'it exited with status 1',
      'printed first good',
    ]);
  });

  it('is another one after it has ended between two requests', async () => {
    await ask('a');
    fake.started[0]?.onEnd('was killed by SIGTERM');
    expect(await ask('b')).to.equal('printed first b');
    expect([fake.arguments.length, fake.ended]).to.deep.equal([2, 0]);
  });

  it('is another one after a request that is the last', async () => {
    expect(await Promise.all([ask('a', true), ask('b')])).to.deep.equal(['printed first a', 'printed first b']);
    expect([fake.arguments.length, fake.ended]).to.deep.equal([2, 1]);
  });

  it('is another one after a restart, which waits for the requests before it', async () => {
    const before = [ask('a'), ask('b')];
    program.restart();
    expect(await Promise.all([...before, ask('c')])).to.deep.equal(['printed first a', 'printed b', 'printed first c']);
    expect(fake.ended).to.equal(1);
  });

  it('fails its request when it is closed, and gets no other one', async () => {
    const begun = Promise.withResolvers<undefined>();
    fake.answer = () => begun.resolve(undefined);
    const answers = Promise.all([ask('a'), ask('b')]);
    await begun.promise;
    program.close();
    expect(await answers).to.deep.equal(['it was killed by SIGKILL', undefined]);
    expect(await ask('c')).to.equal(undefined);
    expect([fake.lines, fake.ended]).to.deep.equal([['1 first a'], 1]);
  });

  it('is not started once it is closed', async () => {
    program.close();
    expect(await ask('a')).to.equal(undefined);
    expect(fake.arguments).to.deep.equal([]);
  });
});
