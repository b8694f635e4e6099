import { machineContainer, ports } from '../../../../../src/cmd/container.ts';
import { NodeLoop } from '../../../../../src/control/node/node-loop.ts';
import type { NodePorts } from '../../../../../src/control/node/ports.ts';
import { defaultSettings } from '../../../../../src/domain/index.ts';
import type { NodeReport } from '../../../../../src/ports/node-report.ts';
import { Changes, type Fault, watchedPorts } from './watched-ports.ts';

const SOCKET = '/run/openvswitch/db.sock';
const container = machineContainer();

/** The adapters of this node, new ones. */
export function adapters(folder: string): NodePorts {
  return {
    ...container.get(ports.liveNode)(SOCKET),
    resourceStore: container.get(ports.resourceStore)(folder),
  };
}

/** Where a fault happens, and what; `crash` is that nothing of this loop happens any more. */
export interface PlannedFault {
  readonly at: number;
  readonly moment: 'before' | 'after';
  readonly action?: () => void | Promise<void>;
  readonly isCrash: boolean;
}

/** A loop with adapters of its own in this process, which can be abandoned as by kill -9: it starts in a tenth of the time of an agent. */
export class LoopInProcess {
  readonly changes: Changes;
  readonly reports: NodeReport[] = [];
  readonly #ports: NodePorts;
  readonly #loop: NodeLoop;
  readonly #run: Promise<boolean>;
  readonly #crashed = Promise.withResolvers<'crashed'>();
  #isDead = false;
  #hasSettled = false;
  #told = Promise.withResolvers<'told'>();

  constructor(nodeName: string, folder: string, fault?: PlannedFault) {
    this.#ports = adapters(folder);
    this.changes = new Changes(fault && this.#faultOf(fault));
    const watched = watchedPorts(this.#ports, this.changes);
    this.#loop = new NodeLoop(
      nodeName,
      this.#withoutLateWrites(watched),
      { settings: defaultSettings, once: false },
      (report) => this.#take(report),
    );
    this.#run = this.#loop.run();
  }

  /** Resolves as soon as it has settled once more, or has crashed, or was woken, or nothing of that has happened until a deadline. */
  async next(deadline: number): Promise<'settled' | 'crashed' | 'woken' | 'late'> {
    const late = Promise.withResolvers<'late'>();
    const timer = setTimeout(() => late.resolve('late'), Math.max(0, deadline));
    const first = await Promise.race([this.#crashed.promise, this.#told.promise, late.promise]);
    clearTimeout(timer);
    if (first !== 'told') return first;
    const event = this.#hasSettled ? 'settled' : 'woken';
    this.#hasSettled = false;
    this.#told = Promise.withResolvers();
    return event;
  }

  /** Wakes whoever waits for what is next. */
  wake(): void {
    this.#told.resolve('told');
  }

  /** Ends it as SIGTERM does; it may crash on the way. */
  async stop(): Promise<'ended' | 'crashed'> {
    this.#loop.stop();
    const end = await Promise.race([this.#run.then(() => 'ended' as const), this.#crashed.promise]);
    await this.abandon();
    return end;
  }

  /** Ends what is left of it. */
  async abandon(): Promise<void> {
    this.#isDead = true;
    const { hostNetwork, switchDatabase, kernelSettings, resourceStore } = this.#ports;
    await Promise.all([hostNetwork, switchDatabase, kernelSettings, resourceStore].map((port) => port.close()));
  }

  #faultOf({ at, moment, action, isCrash }: PlannedFault): Fault {
    const stepIn = async (): Promise<void> => {
      // Of what the loop wants from here on nothing happens: neither is anything else written, nor does it hear of this change.
      this.#isDead = isCrash;
      await action?.();
      if (!isCrash) return;
      this.#crashed.resolve('crashed');
      await new Promise(() => undefined);
    };
    return { at, [moment]: stepIn };
  }

  #withoutLateWrites(watched: NodePorts): NodePorts {
    const { resourceStore } = watched;
    return {
      ...watched,
      resourceStore: {
        read: () => resourceStore.read(),
        onChange: (listener) => resourceStore.onChange(listener),
        close: () => resourceStore.close(),
        writeState: (state) => (this.#isDead ? new Promise(() => undefined) : resourceStore.writeState(state)),
        deleteState: (name) => resourceStore.deleteState(name),
        writeStatus: (status) => resourceStore.writeStatus(status),
      },
    };
  }

  #take(report: NodeReport): void {
    this.reports.push(report);
    if (report.kind !== 'settled') return;
    this.#hasSettled = true;
    this.wake();
  }
}
