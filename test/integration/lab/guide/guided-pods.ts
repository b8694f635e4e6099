import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { kubernetesProgram } from '../../kubernetes/api-server.ts';
import { ip } from '../commands.ts';
import type { LabCluster } from '../cluster/lab-cluster.ts';
import type { LabNode, NodeProcess } from '../node.ts';
import { commandInPod, folderOf, namespaceOf, writeResolver } from '../whole-networks/lab-pod.ts';
import { Multus, type NetworkStatus, type RuntimePod } from '../whole-networks/multus.ts';

/** A pod as an API server has it. */
interface StoredPod {
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
    readonly deletionTimestamp?: string;
  };
  readonly spec: { readonly nodeName?: string; readonly containers: readonly Container[] };
}

interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
}

/** A pod whose container runs. */
interface RunningPod {
  readonly pod: RuntimePod;
  readonly process: NodeProcess;
}

/** Milliseconds in which a network is ready on a node for a pod that was created with it, and between two attempts to attach one. */
const [PATIENCE, AGAIN] = [90_000, 500];

/** A command within the namespaces of a pod, with its name in /etc/hostname, and its DNS. Its programs are those of busybox. */
const within = (pod: RuntimePod, command: readonly string[]) =>
  commandInPod(pod, ['hostname', 'resolv.conf'], ['/bin/busybox', ...command]);

/**
 * The pods of a cluster outside of its own namespace, as the scheduler, kubelets and container runtimes have them: they are bound to nodes, attached by Multus, run the command
 * of their first container, are reported as ready, and detached and removed when they are deleted.
 */
export class GuidedPods {
  readonly #lab: LabCluster;
  readonly #nodes: readonly LabNode[];
  readonly #multus: ReadonlyMap<LabNode, Multus>;
  readonly #running = new Map<string, RunningPod>();
  readonly #watch: ChildProcess;
  #last: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  /** Follows the pods of a cluster from now on. */
  constructor(lab: LabCluster, nodes: readonly LabNode[]) {
    this.#lab = lab;
    this.#nodes = nodes;
    this.#multus = new Map(nodes.map((node) => [node, new Multus(lab, node)]));
    const words = ['get', 'pods', '--all-namespaces', '--watch', '--output=name'];
    const options = { stdio: ['ignore', 'pipe', 'inherit'] as ['ignore', 'pipe', 'inherit'] };
    this.#watch = spawn(kubernetesProgram('kubectl'), [`--kubeconfig=${lab.server.kubeconfig}`, ...words], options);
    // Whoever waits for the next update sees what is wrong.
    this.#watch.stdout?.on('data', () => void this.update().catch(() => undefined));
  }

  /** Starts pods that are new, and ends those that are deleted: those of a node one after the other. */
  update(): Promise<void> {
    this.#next ??= this.#last = this.#last.then(() => {
      this.#next = undefined;
      return this.#once();
    });
    return this.#next;
  }

  /** Ends following the pods. */
  stop(): void {
    this.#watch.kill('SIGKILL');
  }

  /**
   * Runs a command in the container of a pod.
   *
   * @param name of the pod, or `deploy/NAME`: the one of a Deployment that is on the first node
   * @returns what `kubectl exec` prints
   */
  async exec(namespace: string, name: string, command: string): Promise<string> {
    const [, deployment] = /^deploy\/(.*)$/.exec(name) ?? [];
    const isMeant = deployment === undefined ? (each: string) => each === name : ofDeployment(deployment);
    const running = this.#nodes
      .flatMap((node) => [...this.#running.values()].filter(({ pod }) => pod.node === node))
      .find(({ pod }) => pod.namespace === namespace && isMeant(pod.name));
    if (running === undefined) throw new Error(`pod ${namespace}/${name} does not run`);
    const { pod } = running;
    const { exitCode, stdout, stderr } = await pod.node.run(within(pod, command.split(' ')));
    return stdout + stderr + (exitCode === 0 ? '' : `command terminated with exit code ${exitCode}\n`);
  }

  async #once(): Promise<void> {
    const words = ['get', 'pods', '--all-namespaces', '--output=json'];
    const { items } = JSON.parse(this.#lab.server.kubectl(words)) as { readonly items: readonly StoredPod[] };
    const pods = items.filter(({ metadata }) => metadata.namespace !== 'ovn-uplinks');
    const wanted = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const nodeNames = this.#scheduled(wanted);
    const uids = new Set(wanted.map(({ metadata }) => metadata.uid));
    const ended = [...this.#running.values()].filter(({ pod }) => !uids.has(pod.uid));
    const begun = wanted.filter(({ metadata }) => !this.#running.has(metadata.uid));
    await Promise.all(
      this.#nodes.map(async (node) => {
        for (const each of ended) if (each.pod.node === node) await this.#end(each);
        for (const each of begun) if (nodeNames.get(each) === node.name) await this.#start(each, node);
      }),
    );
    for (const pod of pods) if (!wanted.includes(pod)) this.#remove(pod);
  }

  /** Binds pods that have no node to the one with the fewest, as the scheduler does. @returns the node of each */
  #scheduled(pods: readonly StoredPod[]): ReadonlyMap<StoredPod, string> {
    const found = new Map(pods.flatMap((pod) => (pod.spec.nodeName === undefined ? [] : [[pod, pod.spec.nodeName]])));
    const podsOn = (node: LabNode) => [...found.values()].filter((name) => name === node.name).length;
    for (const pod of pods.filter((each) => !found.has(each))) {
      const [{ name: node }] = [...this.#nodes].sort((a, b) => podsOn(a) - podsOn(b)) as [LabNode];
      const { namespace, name } = pod.metadata;
      const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target: { kind: 'Node', name: node } };
      const path = `/api/v1/namespaces/${namespace}/pods/${name}/binding`;
      this.#lab.server.kubectl(['create', `--raw=${path}`, '--filename=-'], JSON.stringify(binding));
      found.set(pod, node);
    }
    return found;
  }

  async #start({ metadata: { namespace, name, uid }, spec }: StoredPod, node: LabNode): Promise<void> {
    const pod = { node, namespace, name, uid };
    const [container] = spec.containers as readonly [Container];
    await node.does(ip`netns add ${namespaceOf(pod)}`, ip`-n ${namespaceOf(pod)} link set lo up`);
    await writeResolver(pod);
    await node.write(`${folderOf(pod)}/hostname`, `${name}\n`);
    const [first] = await this.#attached(pod);
    const process = await node.start(within(pod, container.command ?? []), `${folderOf(pod)}/log`);
    this.#running.set(uid, { pod, process });
    this.#report(pod, container, first?.ips ?? []);
  }

  /** Has Multus attach a pod, again after a refusal, as the kubelet does: its network may not be on the node yet. */
  async #attached(pod: RuntimePod): Promise<readonly NetworkStatus[]> {
    const end = performance.now() + PATIENCE;
    for (;;) {
      try {
        return await this.#multus.get(pod.node)!.add(pod);
      } catch (error) {
        if (performance.now() > end) throw error;
        await pause(AGAIN);
      }
    }
  }

  #report({ namespace, name, node }: RuntimePod, { name: container, image }: Container, ips: readonly string[]): void {
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

  /** Removes the object of a pod that has ended. */
  #remove({ metadata: { namespace, name } }: StoredPod): void {
    const words = ['--force', '--grace-period=0', '--ignore-not-found'];
    this.#lab.server.kubectl(['delete', `pod/${name}`, `--namespace=${namespace}`, ...words]);
  }
}

/** Whether a name is that of a pod of a Deployment. */
function ofDeployment(deployment: string): (name: string) => boolean {
  return (name) => name.replace(/-[a-z0-9]+-[a-z0-9]{5}$/, '') === deployment;
}
