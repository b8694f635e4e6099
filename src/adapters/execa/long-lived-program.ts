import type { Readable } from 'node:stream';
import { execa } from 'execa';
import type { ProgramListener, RunningProgram } from '../../ports/long-lived-programs.ts';
import { endGroup, type ProcessGroups } from './process-groups.ts';

/** Lines end at a line feed alone: node:readline also ends them at characters that somebody may have put into the name or the alias of a link. */
function eachLine(stream: Readable, listener: (line: string) => void): void {
  let begun = '';
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const [first = '', ...more] = text.split('\n');
    begun += first;
    for (const next of more) {
      listener(begun);
      begun = next;
    }
  });
  stream.on('end', () => {
    if (begun !== '') listener(begun);
  });
}

/** Why it ended, as it completes "the program …". */
function reasonOf(result: Awaited<ReturnType<typeof start>>): string {
  const { code, exitCode, signal, originalMessage } = result;
  if (code === 'ENOENT') return 'is not installed, or not in PATH';
  if (exitCode !== undefined) return `exited with status ${exitCode}`;
  if (signal !== undefined) return `was ended by ${signal}`;
  return `could not be started: ${originalMessage ?? 'no reason given'}`;
}

function start(program: string, programArguments: readonly string[], environment: Readonly<Record<string, string>>) {
  return execa(program, programArguments, {
    // A group of its own, so that its children can be ended as well.
    detached: true,
    env: environment,
    stdin: 'pipe',
    encoding: 'buffer',
    // What it says in its whole life is nobody's to keep.
    buffer: false,
    reject: false,
  });
}

/** Starts a program that is spoken with, by execa 9. */
export function startLongLived(
  [program, ...programArguments]: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>>,
  groups: ProcessGroups,
  listener: ProgramListener,
): RunningProgram {
  const subprocess = start(program, programArguments, environment);
  const leader = subprocess.pid;
  // A pipe that nobody reads any more is told by the end of the program.
  subprocess.stdin.on('error', () => undefined);
  eachLine(subprocess.stdout, (line) => {
    listener.onOutput(line);
  });
  eachLine(subprocess.stderr, (line) => {
    listener.onMessage(line);
  });
  if (leader !== undefined) groups.add(leader);
  void subprocess.then((result) => {
    if (leader !== undefined) groups.delete(leader);
    listener.onEnd(reasonOf(result));
  });
  return {
    write: (text) => subprocess.stdin.write(text),
    end: () => {
      if (leader === undefined || subprocess.exitCode !== null || subprocess.signalCode !== null) return;
      endGroup(leader);
      // A child that left the group may still hold the pipes.
      subprocess.stdout.destroy();
      subprocess.stderr.destroy();
    },
  };
}
