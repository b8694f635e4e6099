/** An agent as a process on a host of pods, which is killed at steps of its calls. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ClusterSnapshot } from '../../../src/domain/index.ts';
import { bundled } from '../lab/agent/bundle.ts';
import type { AttachStep } from '../../../src/ports/pods/pod-report.ts';
import type { DetachStep, Message } from './mortal-agent.ts';
import type { OvnOnHost } from './ovn.ts';
import type { PodHost } from './pod-host.ts';

const PROGRAM = 'test/integration/cni/mortal-agent.ts';

export class KilledAgent {
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess) {
    this.#process = process;
  }

  /** Starts one, and waits until it serves runtimes. @param folder of its socket and of its annotations of pods */
  static async start(host: PodHost, ovn: OvnOnHost, folder: string, cluster: ClusterSnapshot): Promise<KilledAgent> {
    const words = host.entering(process.execPath, [bundled(PROGRAM), folder, ovn.northboundSocket, ovn.switchSocket]);
    const agent = new KilledAgent(spawn('nsenter', words, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }));
    await Promise.race([once(agent.#process, 'message'), agent.#ended().then(notStarted)]);
    await agent.set(cluster);
    return agent;
  }

  /** Has it know the objects of a cluster. */
  async set(cluster: ClusterSnapshot): Promise<void> {
    await this.#tell({ kind: 'cluster', cluster });
  }

  /** Has it killed after a step. */
  async dieAfter(step: AttachStep | DetachStep): Promise<void> {
    await this.#tell({ kind: 'die', after: step });
  }

  /** Waits until it is killed. @returns how it ended */
  async untilKilled(): Promise<NodeJS.Signals | number | null> {
    await this.#ended();
    return this.#process.signalCode ?? this.#process.exitCode;
  }

  async stop(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#ended();
  }

  async #ended(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) await once(this.#process, 'exit');
  }

  async #tell(message: Message): Promise<void> {
    const understood = once(this.#process, 'message');
    this.#process.send(message);
    await understood;
  }
}

function notStarted(): never {
  throw new Error('the agent ended before it served runtimes');
}
