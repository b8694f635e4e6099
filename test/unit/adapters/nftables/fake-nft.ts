import type {
  LongLivedPrograms,
  ProgramListener,
  RunningProgram,
} from '../../../../src/ports/node/long-lived-programs.ts';

/** A fake nft whose output a test decides, command by command. */
export class FakeNft implements LongLivedPrograms {
  readonly arguments: (readonly string[])[] = [];
  readonly commands: string[] = [];
  readonly monitors: ProgramListener[] = [];
  ended = 0;
  /** The messages of its start. */
  greeting: readonly string[] = [];
  /** Answers a command. */
  answer: (command: string, listener: ProgramListener) => void = () => undefined;

  start(_program: string, words: readonly string[], listener: ProgramListener): RunningProgram {
    if (words[0] === 'monitor') {
      this.monitors.push(listener);
      return { write: () => undefined, end: () => undefined };
    }
    this.arguments.push(words);
    let hasEnded = false;
    const onEnd = (reason: string) => {
      if (!hasEnded) listener.onEnd(reason);
      hasEnded = true;
    };
    return {
      write: (text) => {
        const lines = text.split('\n');
        if (lines[0] === 'start') {
          for (const line of [...this.greeting, 'Error: syntax error', 'start', '    ^']) listener.onMessage(line);
          lines.shift();
        }
        const [command = '', mark = ''] = lines;
        this.commands.push(command);
        this.answer(command, { ...listener, onEnd });
        if (hasEnded) return;
        for (const line of ['Error: syntax error, unexpected newline, expecting string', mark, '        ^']) {
          listener.onMessage(line);
        }
      },
      end: () => {
        this.ended += 1;
        queueMicrotask(() => onEnd('was killed by SIGKILL'));
      },
    };
  }
}

/** An nft that ends at once. */
export function endingNft(reason: string, ...messages: readonly string[]): FakeNft {
  const nft = new FakeNft();
  nft.answer = (_command, listener) => {
    for (const message of messages) listener.onMessage(message);
    listener.onEnd(reason);
  };
  return nft;
}
