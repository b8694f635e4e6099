import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const PROGRAM = join(import.meta.dirname, 'network.py');

/** The address of this machine in the network, with the length of the prefix. */
const ADDRESS = '198.51.100.1/24';

/** The network card of a machine. */
export interface NetworkCard {
  readonly network: LabNetwork;
  /** The tap device by which a program in the network sends and receives its frames. */
  readonly device: string;
  /** Its number in the network, from 1 on. */
  readonly number: number;
}

/**
 * A network that lab machines have network cards in: a Linux bridge in a network namespace of its own on this machine (network_namespaces(7)). Programs
 * that are started in it are reached by lab nodes as those of another machine are. It ends with this process, also where that is killed.
 */
export class LabNetwork {
  /** The address of programs in it. */
  readonly address = ADDRESS.replace(/\/.*/, '');
  readonly #process: ChildProcess;
  readonly #answers: AsyncIterator<string, undefined>;
  #last: Promise<unknown> = Promise.resolve();
  #cards = 0;

  private constructor() {
    const child = spawn(PROGRAM, [ADDRESS], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#process = child;
    this.#answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  static async start(): Promise<LabNetwork> {
    const network = new LabNetwork();
    await network.#answer();
    return network;
  }

  /** A command that runs a program in the network. */
  command(words: readonly string[]): readonly string[] {
    return ['nsenter', `--net=/proc/${String(this.#process.pid)}/ns/net`, '--', ...words];
  }

  /** Adds a network card for a machine. */
  async newCard(): Promise<NetworkCard> {
    this.#cards += 1;
    const number = this.#cards;
    const device = `card${String(number)}`;
    await this.#request({ card: device });
    return { network: this, device, number };
  }

  /** Makes a port of a program in the network available on 127.0.0.1 outside of it. Returns the port there. */
  async reach(host: string, port: number): Promise<number> {
    return (await this.#request({ reach: [host, port] })) as number;
  }

  /** Ends it. Programs in it go on and are cut off from those outside. */
  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, 'exit');
    this.#process.stdin?.end();
    await ended;
  }

  #request(request: object): Promise<unknown> {
    const answer = this.#last.then(async () => {
      this.#process.stdin?.write(`${JSON.stringify(request)}\n`);
      return await this.#answer();
    });
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #answer(): Promise<unknown> {
    const answer = await this.#answers.next();
    if (answer.done === true) throw new Error('the network of the lab has ended; what it printed says why');
    return JSON.parse(answer.value);
  }
}
