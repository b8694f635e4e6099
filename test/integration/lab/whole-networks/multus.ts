import { join } from 'node:path';
import type { LabNode, Run } from '../node.ts';
import type { LabCluster } from '../cluster/lab-cluster.ts';
import { namespaceOf, type ScheduledPod } from './lab-pod.ts';
import { cniCommand, NETWORKS } from './whole-node.ts';

const SELECTION = 'k8s.v1.cni.cncf.io/networks';
const DEFAULT_NETWORK = 'v1.multus-cni.io/default-network';
const STATUS = 'k8s.v1.cni.cncf.io/network-status';

/** A pod as a runtime knows it. */
export type RuntimePod = Omit<ScheduledPod, 'network'>;

/** A network of a pod: its configuration in a folder of the node, and the interface that it gets. */
interface Delegate {
  readonly name: string;
  readonly network: string;
  readonly folder: string;
  readonly ifname: string;
}

/** The entry of a network in the status of a pod. */
export interface NetworkStatus {
  readonly name: string;
  readonly interface: string;
  readonly ips: readonly string[];
}

interface StoredObject {
  readonly metadata: { readonly uid: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: { readonly config?: string };
}

/** The selections of an annotation, each as `NAMESPACE/NAME@INTERFACE`: JSON has the same parts by name. */
function selectionsOf(annotation: string): readonly string[] {
  if (!annotation.trim().startsWith('[')) return annotation.split(',').filter((item) => item.trim() !== '');
  const items = JSON.parse(annotation) as readonly {
    readonly name: string;
    readonly namespace?: string;
    readonly interface?: string;
  }[];
  return items.map((item) =>
    [
      item.namespace === undefined ? '' : `${item.namespace}/`,
      item.name,
      item.interface === undefined ? '' : `@${item.interface}`,
    ].join(''),
  );
}

/** Multus on a node, as docs/design/networks.md has it ("Multus"): Multus itself is in no test. */
export class Multus {
  readonly #lab: LabCluster;
  readonly #node: LabNode;
  /** The delegates that were called for pods, by uid: DEL does not depend on objects. */
  readonly #called = new Map<string, readonly Delegate[]>();

  constructor(lab: LabCluster, node: LabNode) {
    this.#lab = lab;
    this.#node = node;
  }

  /** Calls the plugins of a pod whose namespace exists. @returns its status, which is annotated too. Rejects with what a plugin has printed */
  async add(pod: RuntimePod): Promise<readonly NetworkStatus[]> {
    const { metadata } = this.#read('pod', pod.namespace, pod.name);
    if (metadata.uid !== pod.uid) throw new Error(`expected the pod with uid ${pod.uid}, found ${metadata.uid}`);
    const delegates = await this.#delegatesOf(pod.namespace, metadata.annotations ?? {});
    const status: NetworkStatus[] = [];
    for (const [index, delegate] of delegates.entries()) {
      const { exitCode, stdout, stderr } = await this.#call('add', pod, delegate);
      if (exitCode !== 0) {
        for (const each of delegates.slice(0, index + 1).reverse()) await this.#call('del', pod, each);
        throw new Error(stdout + stderr);
      }
      const { ips } = JSON.parse(stdout) as { readonly ips: readonly { readonly address: string }[] };
      const addresses = ips.map(({ address }) => address.replace(/\/.*/, ''));
      status.push({ name: delegate.name, interface: delegate.ifname, ips: addresses });
    }
    this.#called.set(pod.uid, delegates);
    const annotation = `${STATUS}=${JSON.stringify(status)}`;
    this.#lab.server.kubectl([
      'annotate',
      '--overwrite',
      `--namespace=${pod.namespace}`,
      `pod/${pod.name}`,
      annotation,
    ]);
    return status;
  }

  /** Calls the plugins of a pod to delete what they have made, the last first. */
  async delete(pod: RuntimePod): Promise<void> {
    for (const delegate of [...(this.#called.get(pod.uid) ?? [])].reverse()) {
      const { exitCode, stderr } = await this.#call('del', pod, delegate);
      if (exitCode !== 0) throw new Error(stderr);
    }
  }

  #read(kind: string, namespace: string, name: string): StoredObject {
    const words = ['get', kind, name, `--namespace=${namespace}`, '--output=json'];
    return JSON.parse(this.#lab.server.kubectl(words)) as StoredObject;
  }

  /** The default network, then what annotations select, in their order. */
  async #delegatesOf(namespace: string, annotations: Readonly<Record<string, string>>): Promise<readonly Delegate[]> {
    const usual = { name: 'default', network: 'default', folder: NETWORKS, ifname: 'eth0' };
    const byPod = annotations[DEFAULT_NETWORK];
    const first = byPod === undefined ? usual : await this.#selected(byPod, 'kube-system', 'eth0');
    const others = selectionsOf(annotations[SELECTION] ?? '');
    const selected = others.map((item, index) => this.#selected(item, namespace, `net${index + 1}`));
    return [first, ...(await Promise.all(selected))];
  }

  /** The delegate that `NAMESPACE/NAME@INTERFACE` selects, of which only the name need be there. */
  async #selected(item: string, defaultNamespace: string, defaultInterface: string): Promise<Delegate> {
    const [path = '', ifname = defaultInterface] = item.trim().split('@');
    const [name = '', namespace = defaultNamespace] = path.split('/').reverse();
    const { config = '' } = this.#read('network-attachment-definitions', namespace, name).spec;
    const folder = `/run/multus/${namespace}-${name}`;
    await this.#node.does(['/bin/busybox', 'mkdir', '-p', folder]);
    await this.#node.write(join(folder, 'network.conf'), config);
    const { name: network } = JSON.parse(config) as { readonly name: string };
    return { name: `${namespace}/${name}`, network, folder, ifname };
  }

  /** Calls a plugin with what the runtime has given. */
  #call(command: 'add' | 'del', pod: RuntimePod, { network, folder, ifname }: Delegate): Promise<Run> {
    const { namespace, name, uid } = pod;
    const variables = {
      NETCONFPATH: folder,
      CNI_IFNAME: ifname,
      CNI_ARGS: `IgnoreUnknown=1;K8S_POD_NAMESPACE=${namespace};K8S_POD_NAME=${name};K8S_POD_UID=${uid}`,
    };
    return this.#node.run(cniCommand('cnitool', [command, network, `/run/netns/${namespaceOf(pod)}`], variables));
  }
}
