import type {
  LongLivedPrograms,
  ProgramListener,
  RunningProgram,
} from '../../../src/ports/node/long-lived-programs.ts';

/** A fake of a program that is asked on its standard input. */
export abstract class FakeProgram implements LongLivedPrograms {
  /** The arguments of each start. */
  readonly arguments: (readonly string[])[] = [];
  /** Number of programs that were killed. */
  ended = 0;

  start(_program: string, words: readonly string[], listener: ProgramListener): RunningProgram {
    this.arguments.push(words);
    let hasEnded = false;
    const onEnd = (reason: string) => {
      if (!hasEnded) listener.onEnd(reason);
      hasEnded = true;
    };
    const read = this.reader({
      onOutput: (line) => {
        if (!hasEnded) listener.onOutput(line);
      },
      onMessage: (line) => {
        if (!hasEnded) listener.onMessage(line);
      },
      onEnd,
    });
    return {
      write: read,
      end: () => {
        this.ended += 1;
        queueMicrotask(() => onEnd('was killed by SIGKILL'));
      },
    };
  }

  /** Returns what reads the input of a program that is started now. */
  protected abstract reader(listener: ProgramListener): (text: string) => void;
}

/** Programs that never answer. */
export const HANGING_PROGRAMS: LongLivedPrograms = {
  start: () => ({ write: () => undefined, end: () => undefined }),
};
