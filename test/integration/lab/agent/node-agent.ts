import { resolve } from 'node:path';
import type { ClusterSnapshot } from '../../../../src/domain/index.ts';
import type { ArgumentVector, LabNode, NodeProcess, ProcessExit } from '../node.ts';
import { manifestText } from './manifest-text.ts';
import { bundled } from './bundle.ts';

const CHECKOUT = resolve(import.meta.dirname, '../../../..');

/** The folder of the node that is its agent's API. */
const MANIFESTS = '/run/manifests';
const STATES = `${MANIFESTS}/status/UplinkState`;
const LOG = '/run/agent.log';

/** Milliseconds in which an agent has done what is waited for. On an idle machine it takes a second; a busy one takes twenty to start it. */
export const DEADLINE = 90_000;

/** What is run of a checkout: its source in one file, or what `npm run build` has made of it, which is what people run. */
type Form = 'one-file' | 'built';

/** Node.js, as it is started on a node; what has been compiled once is not compiled again on the same machine. */
function labNodeJs(...words: readonly string[]): ArgumentVector {
  return ['/usr/bin/env', 'NODE_COMPILE_CACHE=/dev/lab/compile-cache', `${CHECKOUT}/node_modules/.bin/node`, ...words];
}

/** A program of the checkout's source, as it is started on a node. */
export function labProgram(program: string, ...words: readonly string[]): ArgumentVector {
  return labNodeJs(bundled(program), ...words);
}

function startOf(form: Form, words: readonly string[]): ArgumentVector {
  return form === 'built'
    ? labNodeJs(`${CHECKOUT}/dist/cmd/main.js`, ...words)
    : labProgram('src/cmd/main.ts', ...words);
}

/** `ovn-uplinks` from its source, as it is started on a node. */
export function ovnUplinks(...words: readonly string[]): ArgumentVector {
  return startOf('one-file', words);
}

/** How a state says that a network is ready, for `until`. */
export function readyNetwork(name: string): string {
  return `\\n    - message: ""\\n      name: ${name}\\n      ready: "True"`;
}

/** How a state says for which reason a network is not ready. */
export function unreadyNetwork(name: string, reason: string): string {
  return `\\n      name: ${name}\\n      ready: "False"\\n      reason: ${reason}\\n`;
}

/** How a state says condition Ready. */
export function readyCondition(status: 'True' | 'False', reason: string): string {
  return `\\n      reason: ${reason}\\n      status: "${status}"\\n      type: Ready`;
}

/** What an agent on a node is started with. */
export interface AgentOptions {
  /** Options besides those that every agent has here. */
  readonly words?: readonly string[];
  /** The source if nobody says otherwise; what is built has to be built before. */
  readonly form?: Form;
  /** Where it finds programs, where that is not as usual. */
  readonly path?: string;
}

/** An agent that runs on a node, with a folder of the node as its API. */
export class NodeAgent {
  readonly node: LabNode;
  readonly #process: NodeProcess;

  private constructor(node: LabNode, process: NodeProcess) {
    this.node = node;
    this.#process = process;
  }

  /** Starts one, for a cluster as it is in the folder. */
  static async start(node: LabNode, { words = [], form = 'one-file', path }: AgentOptions = {}): Promise<NodeAgent> {
    const environment = path === undefined ? [] : ['/usr/bin/env', `PATH=${path}`];
    const own = ['node', '--node', node.name, '--manifests', MANIFESTS, '--log-level', 'debug'];
    return new NodeAgent(node, await node.start([...environment, ...startOf(form, [...own, ...words])], LOG));
  }

  /** Puts a cluster into the folder, before an agent is started. */
  static async prepare(node: LabNode, cluster: ClusterSnapshot): Promise<void> {
    await node.does(['/bin/busybox', 'mkdir', '-p', STATES]);
    await NodeAgent.save(node, cluster);
  }

  /** Saves a cluster in the folder, as an editor does: beside it, and then in its place. */
  static async save(node: LabNode, cluster: ClusterSnapshot): Promise<void> {
    await node.does(await NodeAgent.laidOut(node, cluster));
  }

  /** Lays a cluster beside the folder's files, and gives the command by which it comes in their place: what can be measured of saving. */
  static async laidOut(node: LabNode, cluster: ClusterSnapshot): Promise<ArgumentVector> {
    await node.write(`${MANIFESTS}/.cluster.new`, manifestText(cluster));
    return ['/bin/busybox', 'mv', `${MANIFESTS}/.cluster.new`, `${MANIFESTS}/cluster.yaml`];
  }

  /**
   * Does something on the node, and waits until the state of an uplink matches.
   *
   * @returns milliseconds from the beginning of the last command to the writing of the state
   */
  async until(
    commands: readonly ArgumentVector[],
    uplink: string,
    pattern: string,
    deadline = DEADLINE,
  ): Promise<number> {
    try {
      return await this.node.until(commands, `${STATES}/${uplink}.${this.node.name}.yaml`, pattern, deadline);
    } catch (error) {
      throw new Error(`${String(error)}\nThe agent says:\n${await this.log()}`);
    }
  }

  /** Waits until nothing is written down of anything that was done to the node: everything, or all that a word stands in, has been taken back. */
  async forgets(word?: string): Promise<void> {
    const pattern = word === undefined ? '"entries": \\[\\]' : `\\A(?!.*${word})`;
    await this.node.until([], '/run/ovn-uplinks/ledger.json', pattern, DEADLINE);
  }

  /**
   * Does something on the node, and waits until the log says something.
   *
   * @returns milliseconds from the beginning of the last command to that; less than 0 where it had been said before
   */
  async says(pattern: string, commands: readonly ArgumentVector[] = [], deadline = DEADLINE): Promise<number> {
    return await this.node.until(commands, LOG, pattern, deadline);
  }

  /** What it has said so far, and all before it on the node. */
  log(): Promise<string> {
    return this.node.read(LOG);
  }

  /** Has it end, by SIGTERM if nobody says otherwise. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<ProcessExit> {
    await this.#process.signal(signal);
    return await this.#process.exit();
  }
}
