import type { ChildProcess } from 'node:child_process';
import { Resolver } from 'node:dns/promises';
import { writeFileSync } from 'node:fs';
import { end, freePorts, type TestApiServer } from '../api-server.ts';
import { answers } from './answers.ts';

const PROGRAM = 'coredns';

/** Where CoreDNS listens, and how it reaches the API server. */
export interface CoreDnsPlace {
  readonly addresses: readonly string[];
  readonly port: number;
  /** A port of 127.0.0.1 on which it answers `/ready` once it has read the cluster. */
  readonly readyPort: number;
  /** The path of its kubeconfig. */
  readonly kubeconfig: string;
}

/** The configuration of CoreDNS that kubeadm installs, without what is not about names of the cluster. */
export function corefile({ addresses, port, readyPort, kubeconfig }: CoreDnsPlace): string {
  return `.:${port} {
  bind ${addresses.join(' ')}
  errors
  ready 127.0.0.1:${readyPort}
  kubernetes cluster.local in-addr.arpa ip6.arpa {
    kubeconfig ${kubeconfig}
    pods insecure
  }
}
`;
}

/** CoreDNS beside an API server, on the loopback interface. */
export class CoreDns {
  /** Asks it. */
  readonly resolver = new Resolver({ timeout: 2_000 });
  readonly #process: ChildProcess;

  private constructor(child: ChildProcess, port: number) {
    this.#process = child;
    this.resolver.setServers([`127.0.0.1:${port}`]);
  }

  /** Starts it, and waits until it has read the cluster. */
  static async start(server: TestApiServer): Promise<CoreDns> {
    const [port = 0, readyPort = 0] = await freePorts(2);
    const [file, kubeconfig] = [server.file('Corefile'), server.file('coredns-kubeconfig')];
    writeFileSync(kubeconfig, server.kubeconfigInNetwork);
    writeFileSync(file, corefile({ addresses: ['127.0.0.1'], port, readyPort, kubeconfig }));
    const child = server.run(PROGRAM, [`-conf=${file}`]);
    await server.ready(PROGRAM, child, () => answers(`http://127.0.0.1:${readyPort}/ready`));
    return new CoreDns(child, port);
  }

  async stop(): Promise<void> {
    await end(this.#process);
  }
}
