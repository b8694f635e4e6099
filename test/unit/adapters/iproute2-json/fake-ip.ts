import type { LongLivedPrograms, ProgramListener, RunningProgram } from '../../../../src/ports/long-lived-programs.ts';

/** A program of ip that answers each line as a test says. */
export class FakeIp implements LongLivedPrograms {
  readonly arguments: (readonly string[])[] = [];
  readonly told: string[] = [];
  ended = 0;
  /** What is said to a command of the batch, by its line: undefined where nothing ever is. */
  answer: (command: string, line: number, listener: ProgramListener) => void = () => undefined;

  start(_program: string, words: readonly string[], listener: ProgramListener): RunningProgram {
    this.arguments.push(words);
    let line = 0;
    let isOver = false;
    const end = (reason: string) => {
      if (!isOver) listener.onEnd(reason);
      isOver = true;
    };
    return {
      write: (text) => {
        for (const command of text.trim().split('\n')) {
          line += 1;
          this.told.push(command);
          if (isOver) return;
          if (command.startsWith('nexthop get')) refuse(listener, line, 'RTNETLINK answers: No such device');
          else this.answer(command, line, listener);
        }
      },
      end: () => {
        this.ended += 1;
        queueMicrotask(() => end('was killed by SIGKILL'));
      },
    };
  }
}

/** Has ip say that the command of a line has failed, and why. */
export function refuse(listener: ProgramListener, line: number, ...messages: readonly string[]): void {
  for (const message of [...messages, `Command failed -:${line}`]) listener.onMessage(message);
}
