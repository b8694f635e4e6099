import { execaNode } from 'execa';
import { machineContainer } from '../../src/cmd/ports/machine-container.ts';
import { runCommand } from '../unit/cmd/run-in-process.ts';

/** The output of a run of the command, and how it ended. */
export interface CommandRun {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | undefined;
}

/** Runs `plan`, `explain` or `validate` with real adapters, in this process: that takes a tenth of the time. */
export async function ovnUplinks(args: readonly string[]): Promise<CommandRun> {
  const { out, err, exitCode } = await runCommand(machineContainer(), args);
  return { stdout: out.join('\n'), stderr: err.join('\n'), exitCode };
}

/** Runs `ovn-uplinks` from its source as a process, in the root of the checkout, as a person would. */
export async function ovnUplinksProcess(args: readonly string[], input = ''): Promise<CommandRun> {
  const root = `${import.meta.dirname}/../..`;
  const { stdout, stderr, exitCode } = await execaNode(`${root}/src/cmd/main.ts`, args, {
    cwd: root,
    input,
    reject: false,
    env: { NO_COLOR: '1' },
  });
  return { stdout, stderr, exitCode };
}

/** The arguments that name the captured node worker-a and the objects that go with it. */
export const workerA = ['--cluster', 'fixtures/cluster.yaml', '--host', 'worker-a=fixtures/captures/worker-a'] as const;
