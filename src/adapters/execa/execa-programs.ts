import { execa } from 'execa';
import type { LongLivedPrograms, ProgramListener, RunningProgram } from '../../ports/node/long-lived-programs.ts';
import type { ProgramLimits, ProgramResult, Programs } from '../../ports/node/programs.ts';
import { startLongLived } from './long-lived-program.ts';
import { outputOf } from './output.ts';
import { endGroup, ProcessGroups } from './process-groups.ts';

const MEBIBYTE = 1024 * 1024;

/** MiB that a program may print on standard output before it is killed. */
const MAX_OUTPUT = 256;

/** MiB that a program may print on standard error before it is killed. */
const MAX_MESSAGES = 1;

function start(
  program: string,
  programArguments: readonly string[],
  environment: Readonly<Record<string, string>>,
  input: string | undefined,
) {
  return execa(program, programArguments, {
    // A process group, so that its children can be killed too.
    detached: true,
    env: environment,
    ...(input === undefined ? { stdin: 'ignore' as const } : { input }),
    encoding: 'buffer',
    // Not collected by execa, which would quote up to 256 MiB in the message of a failure.
    buffer: { stdout: false },
    maxBuffer: MAX_MESSAGES * MEBIBYTE,
    reject: false,
  });
}

function outcomeOf(result: Awaited<ReturnType<typeof start>>, stdout: Uint8Array | undefined): ProgramResult {
  const { failed, exitCode, signal, code, isMaxBuffer, stderr, originalMessage } = result;
  if (stdout === undefined)
    return { outcome: 'interrupted', reason: `printed more than ${MAX_OUTPUT} MiB and was killed` };
  if (!failed) return { outcome: 'finished', stdout };
  if (code === 'ENOENT') return { outcome: 'not-found' };
  if (isMaxBuffer)
    return { outcome: 'interrupted', reason: `printed more than ${MAX_MESSAGES} MiB of messages and was killed` };
  if (exitCode !== undefined) return { outcome: 'failed', exitCode, stdout, stderr: new TextDecoder().decode(stderr) };
  if (signal !== undefined) return { outcome: 'interrupted', reason: `was killed by ${signal}` };
  return { outcome: 'interrupted', reason: `could not be started: ${originalMessage ?? 'no reason given'}` };
}

/** The outcome, or the expired deadline in milliseconds, whichever is first. */
async function within(deadline: number, outcome: Promise<ProgramResult>): Promise<ProgramResult> {
  const passed = Promise.withResolvers<ProgramResult>();
  const timer = setTimeout(() => {
    passed.resolve({ outcome: 'deadline-passed', deadline });
  }, deadline);
  const first = await Promise.race([outcome, passed.promise]);
  clearTimeout(timer);
  return first;
}

/**
 * The programs of the machine, run by execa 9. Each runs in a process group of its own, so that the deadline kills its children too, and so does
 * the exit of this process.
 *
 * Messages are English whatever the locale, so that they can be compared.
 */
export class ExecaPrograms implements Programs, LongLivedPrograms {
  readonly #environment: Readonly<Record<string, string>>;
  readonly #groups = new ProcessGroups();

  /** @param environment variables that the programs see in addition to, or in place of, those of this process */
  constructor(environment: Readonly<Record<string, string>> = {}) {
    this.#environment = { LC_ALL: 'C', ...environment };
  }

  async run(
    program: string,
    programArguments: readonly string[],
    { deadline }: ProgramLimits,
    input?: string,
  ): Promise<ProgramResult> {
    // execve(2) cannot pass it, and execa throws.
    if ([program, ...programArguments].some((text) => text.includes('\0'))) {
      return { outcome: 'interrupted', reason: 'could not be started: an argument contains a NUL character' };
    }
    const subprocess = start(program, programArguments, this.#environment, input);
    const leader = subprocess.pid;
    if (leader === undefined) return outcomeOf(await subprocess, new Uint8Array());

    this.#groups.add(leader);
    const stdout = outputOf(subprocess.stdout, MAX_OUTPUT * MEBIBYTE);
    const ended = Promise.all([subprocess, stdout]).then(([result, bytes]) => outcomeOf(result, bytes));
    const first = await within(deadline, ended);
    if (first.outcome === 'deadline-passed' || first.outcome === 'interrupted') {
      endGroup(leader);
      // A child that left the group may hold the pipes, which would keep this process running.
      subprocess.stdout.destroy();
      subprocess.stderr.destroy();
    }
    this.#groups.delete(leader);
    return first;
  }

  start(program: string, programArguments: readonly string[], listener: ProgramListener): RunningProgram {
    return startLongLived([program, ...programArguments], this.#environment, this.#groups, listener);
  }
}
