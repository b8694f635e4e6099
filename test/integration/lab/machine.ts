import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cached } from './cache.ts';
import { Channel, NODE_DEADLINE } from './channel.ts';
import { type ConsolePlace, type Kernel, startKernel, USUAL_MEMORY } from './kernel.ts';
import type { LabNetwork } from './lab-network.ts';
import { LabNode } from './node.ts';
import { type RunningMachine, runningMachines } from './running-machines.ts';
import { defaultUserland, treeOf, type Userland } from './userland.ts';

/** Seconds in which a machine has to come up. It takes about 2. */
const BOOT_DEADLINE = 180;

/** How a machine is started. */
export interface MachineOptions {
  /** The kernel, looked up in PATH, or its path: `usualKernel` by default. */
  readonly kernel?: string;
  /** Whose programs it has. Otherwise $OVN_UPLINKS_LAB_USERLAND, otherwise those of the machine it runs on. */
  readonly userland?: Userland;
  /** Seconds in which the machine has to come up. */
  readonly bootDeadline?: number;
  /** The place of its console: kept by default, and shown where the machine fails. */
  readonly console?: ConsolePlace;
  /** MiB of its memory. */
  readonly memory?: number;
  /** Whether this process lives for as long as the machine does: true by default. Either way the machine ends with it. */
  readonly isWaitedFor?: boolean;
  /** The network that it has a network card in: none by default. */
  readonly network?: LabNetwork;
}

/** The simulated parts of a node. */
export interface NodeOptions {
  /** Whether it has an Open vSwitch: true by default. */
  readonly openVSwitch?: boolean;
  /** Whether it has OVN as well, as a zone of its own whose chassis has the node's name: false by default. */
  readonly ovn?: boolean;
  /** Whether it has the machine's network card, which is down and named `vec0`: false by default. One node can have it. */
  readonly networkCard?: boolean;
}

/** The default kernel of machines: $OVN_UPLINKS_LAB_KERNEL, or the one of scripts/set-up-lab-kernel. */
export function usualKernel(): string {
  return process.env['OVN_UPLINKS_LAB_KERNEL'] ?? cached('linux-lab');
}

/** A machine with a Linux kernel of its own, on which simulated nodes live. */
export class Machine implements RunningMachine {
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  readonly #program: string;
  readonly #kernel: Kernel;
  readonly #channel: Channel;
  #isUp = false;
  readonly #endWithUs = (): void => {
    this.kill();
  };

  private constructor(program: string, kernel: Kernel) {
    this.#program = program;
    this.#kernel = kernel;
    const { input, output } = kernel.serialLine;
    this.#channel = new Channel(input, output, (reason) => void this.stop(reason));
    process.once('exit', this.#endWithUs);
    this.ended = this.#end();
  }

  /** Starts a machine. Rejects where it does not come up, with what its console says, and then leaves nothing running. */
  static async start(options: MachineOptions = {}): Promise<Machine> {
    const {
      bootDeadline = BOOT_DEADLINE,
      console = 'kept',
      memory = USUAL_MEMORY,
      userland = defaultUserland(),
      isWaitedFor = true,
    } = options;
    const tree = treeOf(userland);
    const program = options.kernel ?? usualKernel();
    const card = await options.network?.newCard();
    const machine = new Machine(program, startKernel(program, { place: console, memory, tree, card }));
    const timer = setTimeout(() => {
      machine.#channel.close(machine.#failure(`did not come up within ${bootDeadline} s`));
      machine.kill();
    }, bootDeadline * 1000);
    try {
      await machine.#channel.ready;
      machine.#isUp = true;
      runningMachines.add(machine);
      if (!isWaitedFor) machine.#kernel.unref();
      return machine;
    } catch (error) {
      await machine.ended;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Simulates another node: a fresh one, with nothing but a loopback device and an Open vSwitch without bridges. */
  async node(name: string, options: NodeOptions = {}): Promise<LabNode> {
    const { openVSwitch = true, ovn = false, networkCard = false } = options;
    const daemons = ovn ? 'ovn' : openVSwitch ? 'switch' : 'none';
    await this.#channel.request({ do: 'begin-node', node: name, daemons, networkCard }, NODE_DEADLINE);
    return new LabNode(name, this.#channel);
  }

  /** Whether a request waits for its answer. */
  get hasUnansweredRequests(): boolean {
    return this.#channel.isPending;
  }

  /** Ends the machine with everything on it. Requests that are not answered reject, with a reason if there is one. */
  async stop(reason?: string): Promise<void> {
    if (reason !== undefined) this.#channel.close(new Error(reason));
    this.kill();
    await this.ended;
  }

  /** Ends every process of the machine at once; one that has ended is fine. */
  kill(): void {
    const { pid, exitCode, signalCode } = this.#kernel.process;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    process.kill(-pid, 'SIGKILL');
  }

  async #end(): Promise<void> {
    try {
      const [exitCode, signal] = (await once(this.#kernel.process, 'close')) as [number | null, string | null];
      this.#channel.close(this.#failure(exitCode === null ? `was killed by ${signal}` : `exited with ${exitCode}`));
    } catch (error) {
      this.#channel.close(this.#failure(`could not be started: ${String(error)}`));
    }
    process.off('exit', this.#endWithUs);
    runningMachines.delete(this);
  }

  #failure(what: string): Error {
    const refusal = this.#isUp ? undefined : this.#kernel.refusal();
    if (refusal !== undefined)
      return new Error(
        `the kernel of lab machines, ${this.#program}, does not run on this processor (${modelName()}): ${refusal}; OVN_UPLINKS_LAB_KERNEL=PATH selects another one`,
      );
    const console = this.#kernel.console();
    return new Error(`the lab machine ${what}; its console ${console === '' ? 'shows nothing' : `shows:\n${console}`}`);
  }
}

/** The name of the processor of this machine. */
function modelName(): string {
  return /^model name\s*: (.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1] ?? 'unknown';
}
