import type { Readable } from 'node:stream';
import { execa } from 'execa';
import type { ProgramListener, RunningProgram } from '../../ports/node/long-lived-programs.ts';
import { describeFailure } from '../../ports/node/programs.ts';
import { endGroup, type ProcessGroups } from './process-groups.ts';

/** Only a line feed ends a line: node:readline also splits at characters that the name or alias of a link may contain. */
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

/** Why it exited; completes "the program …". */
function reasonOf(result: Awaited<ReturnType<typeof start>>): string {
  const { code, exitCode, signal, originalMessage } = result;
  if (code === 'ENOENT') return describeFailure({ outcome: 'not-found' });
  if (exitCode !== undefined) return `exited with status ${exitCode}`;
  if (signal !== undefined) return `was killed by ${signal}`;
  return `could not be started: ${originalMessage ?? 'no reason given'}`;
}

function start(program: string, programArguments: readonly string[], environment: Readonly<Record<string, string>>) {
  return execa(program, programArguments, {
    // A process group, so that its children can be killed too.
    detached: true,
    env: environment,
    stdin: 'pipe',
    encoding: 'buffer',
    // The output is not collected.
    buffer: false,
    reject: false,
  });
}

/** Starts an interactive program, by execa 9. */
export function startLongLived(
  [program, ...programArguments]: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>>,
  groups: ProcessGroups,
  listener: ProgramListener,
): RunningProgram {
  const subprocess = start(program, programArguments, environment);
  const leader = subprocess.pid;
  // A closed pipe is reported as the exit of the program.
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
      // A child that left the group may hold the pipes.
      subprocess.stdout.destroy();
      subprocess.stderr.destroy();
    },
  };
}
