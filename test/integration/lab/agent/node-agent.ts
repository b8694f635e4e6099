import { resolve } from 'node:path';
import type { ClusterSnapshot } from '../../../../src/domain/index.ts';
import type { ArgumentVector, LabNode, NodeProcess, ProcessExit } from '../node.ts';
import { openAgents } from '../open-agents.ts';
import { manifestText } from './manifest-text.ts';
import { bundled } from './bundle.ts';

const CHECKOUT = resolve(import.meta.dirname, '../../../..');

/** The folder on the node that serves as the API of its agent. */
export const MANIFESTS = '/run/manifests';
const STATES = `${MANIFESTS}/status/UplinkState`;
const LOG = '/run/agent.log';
const WATCHED_AGENT = 'test/integration/lab/agent/faults/watched-agent.ts';

/** Milliseconds to wait for an agent. An idle machine takes a second, a busy one twenty to start it. */
export const DEADLINE = 90_000;

/** The program that is run: the source of the checkout bundled in one file, or the result of `npm run build`. */
type Form = 'one-file' | 'built';

/** The command of Node.js on a node, with a compile cache on the machine. */
function labNodeJs(...words: readonly string[]): ArgumentVector {
  return ['/usr/bin/env', 'NODE_COMPILE_CACHE=/dev/lab/compile-cache', `${CHECKOUT}/node_modules/.bin/node`, ...words];
}

/** The command of a program in the source of the checkout. */
export function labProgram(program: string, ...words: readonly string[]): ArgumentVector {
  return labNodeJs(bundled(program), ...words);
}

function commandOf(form: Form, words: readonly string[]): ArgumentVector {
  return form === 'built'
    ? labNodeJs(`${CHECKOUT}/dist/cmd/main.js`, ...words)
    : labProgram('src/cmd/main.ts', ...words);
}

/** The command of `ovn-uplinks`, from its source. */
export function ovnUplinks(...words: readonly string[]): ArgumentVector {
  return commandOf('one-file', words);
}

/** The command `node` with the folder that serves as its API; by default only the host's half of networks is programmed. */
export function nodeCommand(nodeName: string, northbound = 'none'): readonly string[] {
  return ['node', '--node', nodeName, '--manifests', MANIFESTS, '--ovn-northbound', northbound];
}

/** The pattern of a state with a ready network, for `until`. */
export function readyNetwork(name: string): string {
  return `\\n    - message: ""\\n      name: ${name}\\n      ready: "True"`;
}

/** The pattern of a state with a network that is not ready for a reason. */
export function unreadyNetwork(name: string, reason: string): string {
  return `\\n      name: ${name}\\n      ready: "False"\\n      reason: ${reason}\\n`;
}

/** The pattern of a state with condition Ready. */
export function readyCondition(status: 'True' | 'False', reason: string): string {
  return `\\n      reason: ${reason}\\n      status: "${status}"\\n      type: Ready`;
}

/** How an agent is started. */
export interface AgentOptions {
  /** Additional options. */
  readonly words?: readonly string[];
  /** By default the bundled source. The build has to be made before. */
  readonly form?: Form;
  /** Its PATH; by default that of the node. */
  readonly path?: string;
  /** Address of its Northbound database; by default only the host's half of networks is programmed. */
  readonly northbound?: string;
  /** Where the API server is that it uses, as a pod's service account whose files the node has; by default the folder of the node is the API. */
  readonly apiServer?: { readonly address: string; readonly port: number };
  /** The number of the change right after which it is killed (faults/watched-agent.ts); never by default. */
  readonly killedAfter?: number;
}

/** An agent that runs on a node, with a folder of the node as its API. */
export class NodeAgent {
  readonly node: LabNode;
  readonly #process: NodeProcess;
  /** Bytes of the log from former agents on the node. */
  readonly #former: number;

  private constructor(node: LabNode, process: NodeProcess, former: number) {
    this.node = node;
    this.#process = process;
    this.#former = former;
  }

  /** Starts an agent for the cluster in the folder. */
  static async start(node: LabNode, options: AgentOptions = {}): Promise<NodeAgent> {
    const { words = [], form = 'one-file', path, northbound = 'none', apiServer, killedAfter } = options;
    const environment = [
      ...(path === undefined ? [] : [`PATH=${path}`]),
      ...(apiServer === undefined
        ? []
        : [`KUBERNETES_SERVICE_HOST=${apiServer.address}`, `KUBERNETES_SERVICE_PORT=${apiServer.port}`]),
    ];
    const command =
      apiServer === undefined
        ? nodeCommand(node.name, northbound)
        : ['node', `--node=${node.name}`, `--ovn-northbound=${northbound}`];
    const all = [...command, '--log-level', 'debug', ...words];
    const vector =
      killedAfter === undefined
        ? commandOf(form, all)
        : labProgram(WATCHED_AGENT, '/run/applied', String(killedAfter), ...all);
    const former = Buffer.byteLength(await node.read(LOG));
    const agent = new NodeAgent(node, await node.start(['/usr/bin/env', ...environment, ...vector], LOG), former);
    openAgents.set(node, () => agent.log());
    return agent;
  }

  /** Writes a cluster to the folder, before an agent is started. */
  static async prepare(node: LabNode, cluster: ClusterSnapshot): Promise<void> {
    await node.does(['/bin/busybox', 'mkdir', '-p', STATES]);
    await NodeAgent.save(node, cluster);
  }

  /** Replaces the cluster in the folder by rename, as editors do. */
  static async save(node: LabNode, cluster: ClusterSnapshot): Promise<void> {
    await node.does(await NodeAgent.saveCommand(node, cluster));
  }

  /** Writes a cluster to a temporary file, and returns the command that renames it, to measure the time from the rename. */
  static async saveCommand(node: LabNode, cluster: ClusterSnapshot): Promise<ArgumentVector> {
    await node.write(`${MANIFESTS}/.cluster.new`, manifestText(cluster));
    return ['/bin/busybox', 'mv', `${MANIFESTS}/.cluster.new`, `${MANIFESTS}/cluster.yaml`];
  }

  /**
   * Runs commands, and waits until the state of an uplink matches a pattern.
   *
   * @returns milliseconds from the start of the last command until the state was written
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
      throw new Error(`${String(error)}\nThe log of the agent:\n${await this.log()}`);
    }
  }

  /** Waits until the ledger is empty, or has no entry that contains a word. */
  async untilForgotten(word?: string): Promise<void> {
    const pattern = word === undefined ? '"entries": \\[\\]' : `\\A(?!.*${word})`;
    await this.node.until([], '/run/ovn-uplinks/ledger.json', pattern, DEADLINE);
  }

  /**
   * Runs commands, and waits until what the agent has logged since its start matches a pattern; one that begins with \\A, the whole log.
   *
   * @returns milliseconds from the start of the last command until then; negative if it matched before
   */
  async untilLogged(pattern: string, commands: readonly ArgumentVector[] = [], deadline = DEADLINE): Promise<number> {
    const since = pattern.startsWith('\\A') ? pattern : `\\A.{${this.#former}}.*?(?:${pattern})`;
    return await this.node.until(commands, LOG, since, deadline);
  }

  /** The log of all agents on the node so far. */
  log(): Promise<string> {
    return this.node.read(LOG);
  }

  /** How it ended, once it has. */
  exit(): Promise<ProcessExit> {
    return this.#process.exit();
  }

  /** Stops it with a signal. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<ProcessExit> {
    await this.#process.signal(signal);
    return await this.#process.exit();
  }
}
