import type { ArgumentVector, LabNode, NodeProcess, ProcessExit, Run } from '../lab/node.ts';
import type { Pod } from './pod.ts';
import { type PodPlace, runtimeConfiguration } from './runtime-configuration.ts';
import { processStatus } from './process-status.ts';
import type { UnpackedImage } from './unpacked-image.ts';

/** What the container is made of on the node. */
const FOLDER = '/run/container';
const LOG = '/run/container.log';

/** Milliseconds to wait for a line of its log. */
const DEADLINE = 90_000;

const crun = (...words: readonly string[]): ArgumentVector => [
  'crun',
  `--root=${FOLDER}/crun`,
  '--cgroup-manager=disabled',
  ...words,
];

/** A container of the image on a node of the lab, run by crun(1) as the kubelet has it run. */
export class LabContainer {
  readonly #node: LabNode;
  readonly #process: NodeProcess;

  private constructor(node: LabNode, process: NodeProcess) {
    this.#node = node;
    this.#process = process;
  }

  /**
   * Starts one; another one on the same node has to be stopped before.
   *
   * @param serviceAccount folder on the node with the files of the pod's service account
   */
  static async start(
    node: LabNode,
    image: UnpackedImage,
    pod: Pod,
    { serviceAccount, apiServer }: Pick<PodPlace, 'serviceAccount' | 'apiServer'>,
  ): Promise<LabContainer> {
    const rootfs = `${FOLDER}/rootfs`;
    const place = { rootfs, configMaps: `${FOLDER}/config-maps`, serviceAccount, nodeName: node.name, apiServer };
    const toCreate = pod.spec.volumes.flatMap(({ hostPath }) =>
      hostPath?.type === 'DirectoryOrCreate' ? [hostPath.path] : [],
    );
    // Mount points are made above the files of the image, which cannot be changed.
    const overlay = `lowerdir=${image.rootfs},upperdir=${FOLDER}/upper,workdir=${FOLDER}/work`;
    await node.does(
      busybox('mkdir', '-p', ...['upper', 'work', 'rootfs'].map((name) => `${FOLDER}/${name}`), ...toCreate),
      busybox('mount', '-t', 'overlay', 'overlay', '-o', overlay, rootfs),
    );
    for (const [name, files] of Object.entries(pod.configMaps)) {
      await node.does(busybox('mkdir', '-p', `${place.configMaps}/${name}`));
      for (const [file, text] of Object.entries(files)) await node.write(`${place.configMaps}/${name}/${file}`, text);
    }
    await node.write(`${FOLDER}/config.json`, JSON.stringify(runtimeConfiguration(pod, image.configuration, place)));
    return new LabContainer(node, await node.start(crun('run', `--bundle=${FOLDER}`, 'container'), LOG));
  }

  /** What it has printed. */
  log(): Promise<string> {
    return this.#node.read(LOG);
  }

  /** Waits until its log matches a pattern. Returns milliseconds from the start of the last command. */
  untilLogged(pattern: string, commands: readonly ArgumentVector[] = []): Promise<number> {
    return this.#node.until(commands, LOG, pattern, DEADLINE);
  }

  /** Runs a program in it. */
  execute(...words: readonly string[]): Promise<Run> {
    return this.#node.run(crun('exec', 'container', ...words));
  }

  /** What the kernel says of its process (proc_pid_status(5)), by name. */
  async status(): Promise<ReadonlyMap<string, string>> {
    const { pid } = JSON.parse(await this.#node.does(crun('state', 'container'))) as { readonly pid: number };
    return processStatus(await this.#node.read(`/proc/${pid}/status`));
  }

  /** Ends it as the kubelet does. */
  async stop(): Promise<ProcessExit> {
    await this.#node.does(crun('kill', 'container', 'TERM'));
    return await this.exit();
  }

  /** Waits until it has ended by itself. */
  async exit(): Promise<ProcessExit> {
    const exit = await this.#process.exit();
    await this.#node.does(
      busybox('umount', `${FOLDER}/rootfs`),
      busybox('rm', '-rf', `${FOLDER}/upper`, `${FOLDER}/work`, LOG),
    );
    return exit;
  }
}

function busybox(...words: readonly string[]): ArgumentVector {
  return ['/bin/busybox', ...words];
}
