import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { end, freePorts, type TestApiServer } from '../api-server.ts';
import { answers } from './answers.ts';

/** A controller, by its name in kube-controller-manager without the word "controller" at its end. */
export type Controller =
  | 'clusterrole-aggregation'
  | 'deployment'
  | 'endpointslice'
  | 'endpointslice-mirroring'
  | 'garbage-collector'
  | 'namespace'
  | 'replicaset'
  | 'resourcequota'
  | 'statefulset';

const PROGRAM = 'kube-controller-manager';

/**
 * kube-controller-manager beside an API server, with the controllers that a test asks for. Garbage collector and quotas look for new kinds every 30
 * seconds only: start it after the definitions of those that they are to know.
 */
export class ControllerManager {
  readonly #process: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#process = child;
  }

  /** Starts it, and waits until it has made its controllers. */
  static async start(server: TestApiServer, controllers: readonly Controller[]): Promise<ControllerManager> {
    const [port = 0] = await freePorts(1);
    const kubeconfig = server.file('controllers-kubeconfig');
    writeFileSync(kubeconfig, server.kubeconfigInNetwork);
    const child = server.run(PROGRAM, [
      `--kubeconfig=${kubeconfig}`,
      `--controllers=${controllers.map((name) => `${name}-controller`).join(',')}`,
      '--leader-elect=false',
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      `--cert-dir=${server.file('controllers')}`,
    ]);
    const url = `https://127.0.0.1:${await server.reach('127.0.0.1', port)}/healthz`;
    await server.ready(PROGRAM, child, () => answers(url));
    return new ControllerManager(child);
  }

  async stop(): Promise<void> {
    await end(this.#process);
  }
}
