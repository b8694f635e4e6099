import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { eventually } from '../../unit/adapters/processes.ts';
import type { LabNetwork } from '../lab/lab-network.ts';
import type { Pod } from './pod.ts';
import { type PodPlace, runtimeConfiguration } from './runtime-configuration.ts';
import { processStatus } from './process-status.ts';
import type { UnpackedImage } from './unpacked-image.ts';

/** The files that a pod has of its service account. */
interface ServiceAccountFiles {
  readonly token: string;
  readonly 'ca.crt': string;
  readonly namespace: string;
}

interface HostContainerOptions {
  readonly image: UnpackedImage;
  readonly pod: Pod;
  readonly apiServer: NonNullable<PodPlace['cluster']>['apiServer'];
  readonly serviceAccount: ServiceAccountFiles;
  readonly network: LabNetwork;
}

/** crun(1) leaves control groups alone; it refuses to run where those of both versions are mounted, as on some machines. */
const WITH_CONTROL_GROUPS =
  'umount --recursive --lazy /sys/fs/cgroup && mount -t cgroup2 cgroup2 /sys/fs/cgroup && exec "$@"';

/** A container of the image, run by crun(1) on this machine in a network of the lab, as the kubelet has it run. */
export class HostContainer {
  readonly #folder = mkdtempSync(join(tmpdir(), 'ovn-uplinks-container-'));
  readonly #process: ChildProcess;
  #log = '';

  private constructor({ image, pod, apiServer, serviceAccount, network }: HostContainerOptions) {
    const account = join(this.#folder, 'service-account');
    const place: PodPlace = {
      rootfs: image.rootfs,
      configMaps: join(this.#folder, 'config-maps'),
      nodeName: 'worker-a',
      cluster: { serviceAccount: account, apiServer },
    };
    for (const [name, text] of Object.entries<string>({ ...serviceAccount })) write(join(account, name), text);
    for (const [name, files] of Object.entries(pod.configMaps)) {
      for (const [file, text] of Object.entries(files)) write(join(place.configMaps, name, file), text);
    }
    const configuration = runtimeConfiguration(pod, image.configuration, place);
    write(join(this.#folder, 'config.json'), JSON.stringify(configuration));
    const [program = '', ...words] = network.command(this.#crun('run', `--bundle=${this.#folder}`));
    this.#process = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.#log += text));
    }
  }

  /** Starts one, and waits until its process runs. */
  static async start(options: HostContainerOptions): Promise<HostContainer> {
    const container = new HostContainer(options);
    try {
      await eventually('the container runs', () => {
        if (container.#process.exitCode !== null) throw new Error(`the container has ended: ${container.#log}`);
        return container.#log.includes('\n');
      });
      return container;
    } catch (error) {
      await container.stop();
      throw error;
    }
  }

  /** The output of the container so far. */
  get log(): string {
    return this.#log;
  }

  /** The status of its process as the kernel reports it (proc_pid_status(5)), by name. */
  get status(): ReadonlyMap<string, string> {
    const { pid } = JSON.parse(this.#run('state')) as { readonly pid: number };
    return processStatus(readFileSync(`/proc/${pid}/status`, 'utf8'));
  }

  /** Runs a program in it, and returns what it prints. */
  execute(...words: readonly string[]): string {
    return this.#run('exec', ...words);
  }

  /** Ends it as the kubelet does, and returns the exit status. */
  async end(): Promise<number | null> {
    const ended = once(this.#process, 'exit') as Promise<[number | null]>;
    this.#run('kill', 'TERM');
    const [code] = await ended;
    return code;
  }

  /** Ends it, whatever it does. */
  async stop(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      const ended = once(this.#process, 'exit');
      this.#run('kill', 'KILL');
      await ended;
    }
    rmSync(this.#folder, { recursive: true });
  }

  #crun(command: string, ...options: readonly string[]): readonly string[] {
    const crun = ['crun', `--root=${join(this.#folder, 'crun')}`, '--cgroup-manager=disabled', command, ...options];
    return ['unshare', '--mount', 'sh', '-c', WITH_CONTROL_GROUPS, 'sh', ...crun, 'container'];
  }

  #run(command: string, ...words: readonly string[]): string {
    const [program = '', ...rest] = [...this.#crun(command), ...words];
    return execFileSync(program, rest, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  }
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
