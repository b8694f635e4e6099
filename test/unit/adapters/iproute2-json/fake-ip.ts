import type { ProgramListener } from '../../../../src/ports/node/long-lived-programs.ts';
import { FakeProgram } from '../fake-program.ts';

/** A fake ip whose output a test decides, line by line. */
export class FakeIp extends FakeProgram {
  readonly commands: string[] = [];
  /** Answers a command of the batch on a line. */
  answer: (command: string, line: number, listener: ProgramListener) => void = () => undefined;

  protected override reader(listener: ProgramListener) {
    let line = 0;
    return (text: string) => {
      for (const command of text.trim().split('\n')) {
        line += 1;
        this.commands.push(command);
        if (command.startsWith('nexthop get')) refuse(listener, line, 'RTNETLINK answers: No such device');
        else this.answer(command, line, listener);
      }
    };
  }
}

/** Prints that the command on a line has failed, with the reasons. */
export function refuse(listener: ProgramListener, line: number, ...messages: readonly string[]): void {
  for (const message of [...messages, `Command failed -:${line}`]) listener.onMessage(message);
}
