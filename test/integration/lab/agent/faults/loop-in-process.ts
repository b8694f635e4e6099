import { unixServer } from '../../../../../src/adapters/ovsdb/server.ts';
import { ports } from '../../../../../src/cmd/ports/container.ts';
import { machineContainer } from '../../../../../src/cmd/ports/machine-container.ts';
import { NodeLoop } from '../../../../../src/control/node/node-loop.ts';
import type { NodePorts } from '../../../../../src/control/node/ports.ts';
import { defaultSettings } from '../../../../../src/domain/index.ts';
import type { NodeReport } from '../../../../../src/ports/node/node-report.ts';
import { Changes, type Fault, watchedPorts } from './watched-ports.ts';

const SOCKET = '/run/openvswitch/db.sock';
const container = machineContainer();

/** Creates new adapters of this node, and of the Northbound database at a socket, if any. */
export function adapters(folder: string, northbound?: string): NodePorts {
  const ovn = northbound === undefined ? undefined : { northbound: unixServer(northbound, 'OVN') };
  return {
    ...container.get(ports.liveNode)(SOCKET, ovn),
    resourceStore: container.get(ports.resourceStore)(folder),
  };
}

/** Releases what adapters hold. */
export async function close(nodePorts: NodePorts): Promise<void> {
  const { hostNetwork, switchDatabase, kernelSettings, resourceStore, datapath } = nodePorts;
  const ofDatapath = datapath === undefined ? [] : [datapath.flowTables, datapath.northbound];
  const all = [hostNetwork, switchDatabase, kernelSettings, resourceStore, ...ofDatapath];
  await Promise.all(all.map((port) => port.close()));
}

/** Where and how a fault happens. After a crash nothing of this loop has an effect any more. */
export interface PlannedFault {
  readonly at: number;
  readonly moment: 'before' | 'after';
  readonly action?: () => void | Promise<void>;
  readonly isCrash: boolean;
}

/** Places that a loop reads and writes besides its node. */
export interface LoopEnvironment {
  /** The folder that serves as the API. */
  readonly folder: string;
  /** The socket of the Northbound database; absent where only the host's half of networks is programmed. */
  readonly northbound?: string;
}

/** A loop with its own adapters in this process, which starts in a tenth of the time of an agent and can be abandoned as by kill -9. */
export class LoopInProcess {
  readonly changes: Changes;
  readonly reports: NodeReport[] = [];
  readonly #ports: NodePorts;
  readonly #loop: NodeLoop;
  readonly #run: Promise<boolean>;
  readonly #crashed = Promise.withResolvers<'crashed'>();
  #isStopped = false;
  #hasSettled = false;
  #woken = Promise.withResolvers<'woken'>();

  constructor(nodeName: string, { folder, northbound }: LoopEnvironment, fault?: PlannedFault) {
    this.#ports = adapters(folder, northbound);
    this.changes = new Changes(fault && this.#faultOf(fault));
    const countedPorts = watchedPorts(this.#ports, this.changes);
    this.#loop = new NodeLoop(
      nodeName,
      this.#withoutWritesAfterCrash(countedPorts),
      { settings: { ...defaultSettings, ovn: northbound !== undefined }, once: false },
      (report) => this.#onReport(report),
    );
    this.#run = this.#loop.run();
  }

  /** Resolves when it settles, crashes or is woken, or at a deadline. */
  async next(deadline: number): Promise<'settled' | 'crashed' | 'woken' | 'late'> {
    const late = Promise.withResolvers<'late'>();
    const timer = setTimeout(() => late.resolve('late'), Math.max(0, deadline));
    const first = await Promise.race([this.#crashed.promise, this.#woken.promise, late.promise]);
    clearTimeout(timer);
    if (first !== 'woken') return first;
    const event = this.#hasSettled ? 'settled' : 'woken';
    this.#hasSettled = false;
    this.#woken = Promise.withResolvers();
    return event;
  }

  /** Ends the current wait. */
  wake(): void {
    this.#woken.resolve('woken');
  }

  /** Stops it as SIGTERM does; it may crash meanwhile. */
  async stop(): Promise<'ended' | 'crashed'> {
    this.#loop.stop();
    const end = await Promise.race([this.#run.then(() => 'ended' as const), this.#crashed.promise]);
    await this.abandon();
    return end;
  }

  /** Closes its adapters. */
  async abandon(): Promise<void> {
    this.#isStopped = true;
    await close(this.#ports);
  }

  #faultOf({ at, moment, action, isCrash }: PlannedFault): Fault {
    const inject = async (): Promise<void> => {
      // From now on the loop has no effect: it writes nothing else, and is not told the result of this change.
      this.#isStopped = isCrash;
      await action?.();
      if (!isCrash) return;
      this.#crashed.resolve('crashed');
      await new Promise(() => undefined);
    };
    return { at, [moment]: inject };
  }

  #withoutWritesAfterCrash(countedPorts: NodePorts): NodePorts {
    const { resourceStore } = countedPorts;
    return {
      ...countedPorts,
      resourceStore: {
        read: () => resourceStore.read(),
        onChange: (listener) => resourceStore.onChange(listener),
        close: () => resourceStore.close(),
        write: (write) => (this.#isStopped ? new Promise(() => undefined) : resourceStore.write(write)),
      },
    };
  }

  #onReport(report: NodeReport): void {
    this.reports.push(report);
    if (report.kind !== 'settled') return;
    this.#hasSettled = true;
    this.wake();
  }
}
