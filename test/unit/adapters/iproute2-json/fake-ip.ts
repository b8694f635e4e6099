import type {
  LongLivedPrograms,
  ProgramListener,
  RunningProgram,
} from '../../../../src/ports/node/long-lived-programs.ts';

/** A fake ip whose output a test decides, line by line. */
export class FakeIp implements LongLivedPrograms {
  readonly arguments: (readonly string[])[] = [];
  readonly commands: string[] = [];
  ended = 0;
  /** Answers a command of the batch on a line. */
  answer: (command: string, line: number, listener: ProgramListener) => void = () => undefined;

  start(_program: string, words: readonly string[], listener: ProgramListener): RunningProgram {
    this.arguments.push(words);
    let line = 0;
    let hasEnded = false;
    const end = (reason: string) => {
      if (!hasEnded) listener.onEnd(reason);
      hasEnded = true;
    };
    return {
      write: (text) => {
        for (const command of text.trim().split('\n')) {
          line += 1;
          this.commands.push(command);
          if (hasEnded) return;
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

/** Prints that the command on a line has failed, with the reasons. */
export function refuse(listener: ProgramListener, line: number, ...messages: readonly string[]): void {
  for (const message of [...messages, `Command failed -:${line}`]) listener.onMessage(message);
}
