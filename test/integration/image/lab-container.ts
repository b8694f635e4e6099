import type { ArgumentVector, LabNode, NodeProcess, ProcessExit, Run } from '../lab/node.ts';
import type { Pod } from './pod.ts';
import { type PodPlace, runtimeConfiguration } from './runtime-configuration.ts';
import { processStatus } from './process-status.ts';
import type { UnpackedImage } from './unpacked-image.ts';

/** The folder of the node with what a container is made of. */
const folderOf = (name: string) => `/run/containers/${name}`;

/** Milliseconds to wait for a line of its log. */
const DEADLINE = 90_000;

const crun = (...words: readonly string[]): ArgumentVector => [
  'crun',
  '--root=/run/crun',
  '--cgroup-manager=disabled',
  ...words,
];

/** A container of the image on a node of the lab, run by crun(1) as the kubelet has it run. */
export class LabContainer {
  readonly #node: LabNode;
  /** The name of the container in its pod. */
  readonly #name: string;
  readonly #process: NodeProcess;

  private constructor(node: LabNode, name: string, process: NodeProcess) {
    this.#node = node;
    this.#name = name;
    this.#process = process;
  }

  /** Starts the first one of a pod; one of the same name on the node has to be stopped before. */
  static async start(
    node: LabNode,
    image: UnpackedImage,
    pod: Pod,
    surroundings: Pick<PodPlace, 'cluster' | 'nodeAddress'> = {},
  ): Promise<LabContainer> {
    const [{ name, volumeMounts }] = pod.spec.containers;
    const folder = folderOf(name);
    const rootfs = `${folder}/rootfs`;
    const place = { rootfs, configMaps: `${folder}/config-maps`, nodeName: node.name, ...surroundings };
    const mounted = pod.spec.volumes.filter((volume) => volumeMounts.some((mount) => mount.name === volume.name));
    const toCreate = mounted.flatMap(({ hostPath }) => (hostPath?.type === 'DirectoryOrCreate' ? [hostPath.path] : []));
    // Mount points are made above the files of the image, which cannot be changed.
    const overlay = `lowerdir=${image.rootfs},upperdir=${folder}/upper,workdir=${folder}/work`;
    await node.does(
      busybox('mkdir', '-p', ...['upper', 'work', 'rootfs'].map((each) => `${folder}/${each}`), ...toCreate),
      busybox('mount', '-t', 'overlay', 'overlay', '-o', overlay, rootfs),
    );
    for (const [configMap, files] of Object.entries(pod.configMaps)) {
      await node.does(busybox('mkdir', '-p', `${place.configMaps}/${configMap}`));
      for (const [file, text] of Object.entries(files))
        await node.write(`${place.configMaps}/${configMap}/${file}`, text);
    }
    await node.write(`${folder}/config.json`, JSON.stringify(runtimeConfiguration(pod, image.configuration, place)));
    return new LabContainer(node, name, await node.start(crun('run', `--bundle=${folder}`, name), `${folder}.log`));
  }

  get #log(): string {
    return `${folderOf(this.#name)}.log`;
  }

  /** The output of the container so far. */
  log(): Promise<string> {
    return this.#node.read(this.#log);
  }

  /** Waits until its log matches a pattern. Returns milliseconds from the start of the last command. */
  untilLogged(pattern: string, commands: readonly ArgumentVector[] = []): Promise<number> {
    return this.#node.until(commands, this.#log, pattern, DEADLINE);
  }

  /** Runs a program in it. */
  execute(...words: readonly string[]): Promise<Run> {
    return this.#node.run(crun('exec', this.#name, ...words));
  }

  /** The status of its process as the kernel reports it (proc_pid_status(5)), by name. */
  async status(): Promise<ReadonlyMap<string, string>> {
    const { pid } = JSON.parse(await this.#node.does(crun('state', this.#name))) as { readonly pid: number };
    return processStatus(await this.#node.read(`/proc/${pid}/status`));
  }

  /** Ends it as the kubelet does, or by another signal. */
  async stop(signal: 'TERM' | 'KILL' = 'TERM'): Promise<ProcessExit> {
    await this.#node.does(crun('kill', this.#name, signal));
    return await this.exit();
  }

  /** Waits until it has ended by itself. */
  async exit(): Promise<ProcessExit> {
    const exit = await this.#process.exit();
    const folder = folderOf(this.#name);
    await this.#node.does(busybox('umount', `${folder}/rootfs`), busybox('rm', '-rf', folder, this.#log));
    return exit;
  }
}

function busybox(...words: readonly string[]): ArgumentVector {
  return ['/bin/busybox', ...words];
}
