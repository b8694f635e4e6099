import { kubernetesProgram, type TestApiServer } from '../../kubernetes/api-server.ts';
import { corefile } from '../../kubernetes/programs/core-dns.ts';
import { ip } from '../commands.ts';
import type { LabNode, NodeProcess, ProcessExit } from '../node.ts';

/** The folder of a node with the files of these programs. */
const FOLDER = '/run/kubernetes';
const KUBECONFIG = `${FOLDER}/kubeconfig`;

/** The mode of kube-proxy: what it writes Services into. */
export type ProxyMode = 'iptables' | 'nftables';

/** The path of a program of Kubernetes on a node, whose root file system may be another one (../inside/userland). */
const programOnNode = (name: string) => `/dev/lab/root${kubernetesProgram(name)}`;

/** The configuration that kubeadm gives kube-proxy, but that a change is written at once, and that settings of the whole machine are left alone. */
function proxyConfiguration(node: LabNode, mode: ProxyMode, podSubnets: readonly string[]): object {
  const periods = { minSyncPeriod: '1ms', syncPeriod: '30s' };
  return {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    mode,
    hostnameOverride: node.name,
    clientConnection: { kubeconfig: KUBECONFIG },
    clusterCIDR: podSubnets.join(','),
    conntrack: { maxPerCore: 0 },
    nodePortAddresses: ['primary'],
    iptables: periods,
    nftables: periods,
  };
}

async function prepare(node: LabNode, server: TestApiServer): Promise<void> {
  await node.does(['/bin/busybox', 'mkdir', '-p', FOLDER]);
  await node.write(KUBECONFIG, server.kubeconfigInNetwork);
}

/** A program of Kubernetes on a node. */
class NodeProgram {
  readonly node: LabNode;
  readonly #process: NodeProcess;
  readonly #log: string;

  constructor(node: LabNode, process: NodeProcess, log: string) {
    this.node = node;
    this.#process = process;
    this.#log = log;
  }

  /** Waits until what it has logged matches a pattern of Python's re, in which a dot is any character. */
  async untilLogged(pattern: string): Promise<void> {
    try {
      await this.node.until([], this.#log, pattern);
    } catch (error) {
      throw new Error(`${String(error)}\nIts log:\n${await this.node.read(this.#log)}`);
    }
  }

  /** Bytes that it has logged. */
  async logLength(): Promise<number> {
    return Buffer.byteLength(await this.node.read(this.#log));
  }

  async stop(): Promise<ProcessExit> {
    await this.#process.signal('SIGTERM');
    return await this.#process.exit();
  }
}

/** kube-proxy on a node that has an object in the cluster with its address. What it has written stays when it is stopped. */
export class KubeProxy extends NodeProgram {
  /**
   * Starts it, and waits until it has written the Services that there are.
   *
   * @param podSubnets of the cluster, whose pods keep their addresses
   */
  static async start(
    node: LabNode,
    server: TestApiServer,
    mode: ProxyMode,
    podSubnets: readonly string[],
  ): Promise<KubeProxy> {
    await prepare(node, server);
    const [file, log] = [`${FOLDER}/kube-proxy.yaml`, `${FOLDER}/kube-proxy-${mode}.log`];
    await node.write(file, JSON.stringify(proxyConfiguration(node, mode, podSubnets)));
    const process = await node.start([programOnNode('kube-proxy'), `--config=${file}`, '-v=4'], log);
    const proxy = new KubeProxy(node, process, log);
    await proxy.untilSynchronized(0);
    return proxy;
  }

  /**
   * Waits until it has written a change in both families.
   *
   * @param since bytes of its log before the change
   * @param change a pattern of what it logs of the change
   */
  async untilSynchronized(since: number, change = ''): Promise<void> {
    const inFamily = (family: string) =>
      `(?=.*Syncing \\w+ rules" ipFamily="${family}".*SyncProxyRules complete" ipFamily="${family}")`;
    await this.untilLogged(`\\A.{${since}}.*?${change}${inFamily('IPv4')}${inFamily('IPv6')}`);
  }
}

/** CoreDNS on a node, on addresses of its own. */
export class NodeCoreDns extends NodeProgram {
  /** Starts it on addresses that a device of the node has, and waits until it has read the cluster. */
  static async start(node: LabNode, server: TestApiServer, addresses: readonly string[]): Promise<NodeCoreDns> {
    await prepare(node, server);
    const [file, log] = [`${FOLDER}/Corefile`, `${FOLDER}/coredns.log`];
    await node.does(
      ip`link add dns type dummy`,
      ...addresses.map((address) => ip`address add ${address} dev dns nodad`),
    );
    await node.write(file, corefile({ addresses, port: 53, readyPort: 8181, kubeconfig: KUBECONFIG }));
    const process = await node.start([programOnNode('coredns'), `-conf=${file}`], log);
    const dns = new NodeCoreDns(node, process, log);
    // It says so after it has read the cluster, or that it has not.
    await dns.untilLogged('\\A(?!.*unsynced).*CoreDNS-\\d');
    return dns;
  }
}
