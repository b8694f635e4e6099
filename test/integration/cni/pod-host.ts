/**
 * A host with pods on the kernel of this machine: a network namespace of its own in a mount namespace of its own, where /run/netns has the namespaces of pods.
 * Everything ends with the process of the tests.
 */
import { type ChildProcess, type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';
import { cniPrograms } from './programs.ts';

const run = promisify(execFile);

/** How a program ended. */
export interface ProgramEnd {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

const MOUNTS = ['/run/netns', '/var/lib/cni', '/etc/cni'];

export class PodHost {
  readonly #shell: ChildProcessByStdio<Writable, Readable, null>;
  readonly #pid: number;
  /** Environment of cnitool, beside the usual one. */
  readonly environment: Readonly<Record<string, string>>;

  private constructor(shell: ChildProcessByStdio<Writable, Readable, null>, pid: number, socket: string) {
    this.#shell = shell;
    this.#pid = pid;
    this.environment = { CNI_PATH: cniPrograms(), OVN_UPLINKS_CNI_SOCKET: socket };
  }

  /** @param socket of the agent */
  static async start(socket: string): Promise<PodHost> {
    for (const folder of MOUNTS) mkdirSync(folder, { recursive: true });
    // The shell ends when its standard input does.
    const shell = spawn('unshare', ['--net', '--mount', '--propagation', 'private', 'sh', '-s'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const mounts = MOUNTS.map((folder) => `mount -t tmpfs tmpfs ${folder}`);
    shell.stdin.write(['set -e', ...mounts, 'ip link set lo up', 'mkdir -p /etc/cni/net.d', 'echo $$', ''].join('\n'));
    const [line] = (await once(createInterface(shell.stdout), 'line')) as [string];
    return new PodHost(shell, Number(line), socket);
  }

  /** Runs a program on the host. */
  async run(program: string, words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    const env = { ...process.env, ...this.environment, ...environment };
    return await run('nsenter', this.entering(program, words), { env }).then(
      ({ stdout, stderr }): ProgramEnd => ({ status: 0, stdout, stderr }),
      (error: unknown): ProgramEnd => {
        const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
        return { status: code, stdout, stderr };
      },
    );
  }

  /** Starts a program on the host that goes on. */
  spawn(program: string, words: readonly string[], environment: Readonly<Record<string, string>> = {}): ChildProcess {
    const env = { ...process.env, ...this.environment, ...environment };
    return spawn('nsenter', this.entering(program, words), { env, stdio: 'ignore' });
  }

  /** Arguments of nsenter(1) that run a program on the host. */
  entering(program: string, words: readonly string[]): readonly string[] {
    return [...this.#entered, program, ...words];
  }

  /** The folder /proc/net of the host. */
  get netFolder(): string {
    return `/proc/${this.#pid}/net`;
  }

  get #entered(): readonly string[] {
    return ['--target', String(this.#pid), '--net', '--mount'];
  }

  /** Runs a script that must succeed on the host. */
  async does(script: string): Promise<string> {
    const { status, stdout, stderr } = await this.run('sh', ['-ec', script]);
    if (status !== 0) throw new Error(`${script}: status ${status}: ${stderr}`);
    return stdout;
  }

  /** Runs `ip -json` in the namespace of a pod. */
  async ip(pod: string, ...words: readonly string[]): Promise<unknown> {
    return JSON.parse((await this.does(`ip -netns ${pod} -json ${words.join(' ')}`)) || '[]') as unknown;
  }

  /** Runs cnitool, the reference runtime. */
  async cnitool(command: string, network: string, pod: string, environment: Readonly<Record<string, string>> = {}) {
    return await this.run(join(cniPrograms(), 'cnitool'), [command, network, `/run/netns/${pod}`], environment);
  }

  async stop(): Promise<void> {
    const ended = once(this.#shell, 'exit');
    this.#shell.stdin.end();
    await ended;
  }
}

/** Configures a default network for cnitool, by Debian's plugins: at most version 1.0.0. */
export async function configureDefault(host: PodHost): Promise<void> {
  const ipam = { type: 'host-local', subnet: '10.244.0.0/24', routes: [{ dst: '0.0.0.0/0' }] };
  const list = { cniVersion: '1.0.0', name: 'default', plugins: [{ type: 'ptp', ipam }] };
  await host.does(`cat > /etc/cni/net.d/10-default.conflist <<'END'\n${JSON.stringify(list)}\nEND`);
}
