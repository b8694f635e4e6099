import type { ApplyResult } from '../../ports/apply-result.ts';
import type { LeavingConnections } from '../nftables/leaving-connections.ts';
import { USUAL_TIMINGS } from './ofctl-flow-tables.ts';
import { SwitchControl } from './switch-control.ts';

/** Commands for one address, until one succeeds. */
const ATTEMPTS = 5;

/** Connections that leave networks by this machine, in the connection tracking of its kernel, which Open vSwitch shares with the host. */
export class KernelConnections implements LeavingConnections {
  readonly #control: SwitchControl;

  /** @param runDirectory usually /var/run/openvswitch */
  constructor(runDirectory: string) {
    this.#control = new SwitchControl(runDirectory, USUAL_TIMINGS.deadline);
  }

  async end(sources: readonly string[]): Promise<ApplyResult> {
    if (sources.length === 0) return { done: true };
    const isAlone = await this.#control.usesKernelDatapathAlone();
    // Without an answer, or with several datapaths, nothing can be asked about that of the kernel.
    if (!isAlone.read || !isAlone.value) return { done: true };
    for (const source of sources) {
      const ended = await this.#endFrom(source);
      if (!ended.done) return { done: false, error: `connections from ${source} go on: ${ended.error}` };
    }
    return { done: true };
  }

  /** A connection that ends by itself meanwhile makes the command fail, and those after it stay: then the next one has fewer to delete. */
  async #endFrom(source: string): Promise<ApplyResult> {
    for (let attempt = 1; ; attempt += 1) {
      const ended = await this.#control.endConnectionsFrom(source);
      if (ended.done || attempt === ATTEMPTS) return ended;
    }
  }
}
