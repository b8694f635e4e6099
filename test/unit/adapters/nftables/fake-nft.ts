import type { ProgramListener, RunningProgram } from '../../../../src/ports/node/long-lived-programs.ts';
import { FakeProgram } from '../fake-program.ts';

/** A fake nft whose output a test decides, command by command. */
export class FakeNft extends FakeProgram {
  readonly commands: string[] = [];
  readonly monitors: ProgramListener[] = [];
  /** The messages of its start. */
  greeting: readonly string[] = [];
  /** Answers a command. */
  answer: (command: string, listener: ProgramListener) => void = () => undefined;

  override start(program: string, words: readonly string[], listener: ProgramListener): RunningProgram {
    if (words[0] !== 'monitor') return super.start(program, words, listener);
    this.monitors.push(listener);
    return { write: () => undefined, end: () => undefined };
  }

  protected override reader(listener: ProgramListener) {
    let greeting = this.greeting;
    return (text: string) => {
      for (const line of greeting) listener.onMessage(line);
      greeting = [];
      const lines = text.split('\n');
      if (lines[0] === 'start') {
        for (const line of ['Error: syntax error', 'start', '    ^']) listener.onMessage(line);
        lines.shift();
      }
      const [command = '', mark = ''] = lines;
      this.commands.push(command);
      this.answer(command, listener);
      for (const line of ['Error: syntax error, unexpected newline, expecting string', mark, '        ^']) {
        listener.onMessage(line);
      }
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
