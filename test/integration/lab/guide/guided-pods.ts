import { ip } from '../commands.ts';
import type { LabCluster } from '../cluster/lab-cluster.ts';
import type { LabNode, NodeProcess } from '../node.ts';
import { namespaceOf, type ScheduledPod } from '../whole-networks/lab-pod.ts';
import { Multus } from '../whole-networks/multus.ts';

/** A pod as an API server has it. */
interface StoredPod {
  readonly metadata: { readonly namespace: string; readonly name: string; readonly uid: string };
  readonly spec: { readonly nodeName?: string; readonly containers: readonly Container[] };
}

interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
}

/** A pod whose container runs. */
interface RunningPod {
  readonly pod: ScheduledPod;
  readonly process: NodeProcess;
}

/** Where the files of a pod are on its node. */
const folderOf = (pod: ScheduledPod) => `/run/pods/${namespaceOf(pod)}`;

/** A command within the namespaces of a pod: its network, and /etc/hostname with its name. Its programs are those of busybox. */
function within(pod: ScheduledPod, command: readonly string[]): readonly string[] {
  const script = 'mount --bind "$0/hostname" /etc/hostname && exec /bin/busybox "$@"';
  return ['ip', 'netns', 'exec', namespaceOf(pod), '/bin/sh', '-c', script, folderOf(pod), ...command];
}

/**
 * The pods of a cluster outside of its own namespace, as kubelets and container runtimes run them: they have Multus attach pods, run the command of the first container, report
 * that it is ready, and detach pods that are deleted.
 */
export class GuidedPods {
  readonly #lab: LabCluster;
  readonly #nodes: readonly LabNode[];
  readonly #multus: ReadonlyMap<LabNode, Multus>;
  readonly #running = new Map<string, RunningPod>();

  constructor(lab: LabCluster, nodes: readonly LabNode[]) {
    this.#lab = lab;
    this.#nodes = nodes;
    this.#multus = new Map(nodes.map((node) => [node, new Multus(lab, node)]));
  }

  /** Starts pods that are new, and ends those that are deleted: those of a node one after the other. */
  async update(): Promise<void> {
    const words = ['get', 'pods', '--all-namespaces', '--output=json'];
    const { items } = JSON.parse(this.#lab.server.kubectl(words)) as { readonly items: readonly StoredPod[] };
    const uids = new Set(items.map(({ metadata }) => metadata.uid));
    const ended = [...this.#running.values()].filter(({ pod }) => !uids.has(pod.uid));
    const begun = items.filter(
      ({ metadata: { namespace, uid } }) => namespace !== 'ovn-uplinks' && !this.#running.has(uid),
    );
    await Promise.all(
      this.#nodes.map(async (node) => {
        for (const each of ended) if (each.pod.node === node) await this.#end(each);
        for (const each of begun) if (each.spec.nodeName === node.name) await this.#start(each, node);
      }),
    );
  }

  /** Runs a command in the container of a pod. @returns what `kubectl exec` prints */
  async exec(namespace: string, name: string, command: string): Promise<string> {
    const running = [...this.#running.values()].find(({ pod }) => pod.namespace === namespace && pod.name === name);
    if (running === undefined) throw new Error(`pod ${namespace}/${name} does not run`);
    const { pod } = running;
    const { exitCode, stdout, stderr } = await pod.node.run(within(pod, command.split(' ')));
    return stdout + stderr + (exitCode === 0 ? '' : `command terminated with exit code ${exitCode}\n`);
  }

  async #start({ metadata: { namespace, name, uid }, spec }: StoredPod, node: LabNode): Promise<void> {
    const pod = { node, namespace, name, uid, network: `cluster_udn_${namespace}` };
    const [container] = spec.containers as readonly [Container];
    await node.does(
      ['/bin/busybox', 'mkdir', '-p', folderOf(pod)],
      ip`netns add ${namespaceOf(pod)}`,
      ip`-n ${namespaceOf(pod)} link set lo up`,
    );
    await node.write(`${folderOf(pod)}/hostname`, `${name}\n`);
    const [first] = await this.#multus.get(node)!.add(pod);
    const process = await node.start(within(pod, container.command ?? []), `${folderOf(pod)}/log`);
    this.#running.set(uid, { pod, process });
    this.#report(pod, container, first?.ips ?? []);
  }

  #report(
    { namespace, name, node }: ScheduledPod,
    { name: container, image }: Container,
    ips: readonly string[],
  ): void {
    const status = {
      phase: 'Running',
      hostIP: this.#addressOf(node),
      podIP: ips[0],
      podIPs: ips.map((address) => ({ ip: address })),
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: [
        { name: container, image, imageID: image, ready: true, started: true, restartCount: 0, state: { running: {} } },
      ],
    };
    const patch = JSON.stringify({ status });
    const words = ['--subresource=status', '--type=merge', `--patch=${patch}`];
    this.#lab.server.kubectl(['patch', `pod/${name}`, `--namespace=${namespace}`, ...words]);
  }

  #addressOf({ name }: LabNode): string {
    const path = '--output=jsonpath={.status.addresses[0].address}';
    return this.#lab.server.kubectl(['get', `node/${name}`, path]);
  }

  async #end({ pod, process }: RunningPod): Promise<void> {
    this.#running.delete(pod.uid);
    await process.signal('SIGKILL');
    await this.#multus.get(pod.node)!.delete(pod);
    await pod.node.does(ip`netns delete ${namespaceOf(pod)}`);
  }
}
