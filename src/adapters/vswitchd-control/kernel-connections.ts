import type { ApplyResult } from '../../ports/apply-result.ts';
import type { LeavingConnections } from '../nftables/leaving-connections.ts';
import { endConnections } from './connection-tracking.ts';
import { SwitchControl, USUAL_DEADLINE } from './switch-control.ts';
import { connectionsFrom } from './tracked-connections.ts';

/** The name of the datapath of the kernel (ovs-dpctl(8)). */
const KERNEL_DATAPATH = 'system@ovs-system';

/** Connections that leave networks by this machine, in the connection tracking of its kernel, which Open vSwitch shares with the host. */
export class KernelConnections implements LeavingConnections {
  readonly #control: SwitchControl;

  /** @param runDirectory usually /var/run/openvswitch */
  constructor(runDirectory: string) {
    this.#control = new SwitchControl(runDirectory, USUAL_DEADLINE);
  }

  async end(sources: readonly string[]): Promise<ApplyResult> {
    if (sources.length === 0) return { done: true };
    const datapaths = await this.#control.datapaths();
    // Without an answer, or with several datapaths, nothing can be asked about that of the kernel.
    if (!datapaths.read || datapaths.value.join() !== KERNEL_DATAPATH) return { done: true };
    for (const source of sources) {
      const ended = await endConnections(this.#control, connectionsFrom(source));
      if (!ended.done) return { done: false, error: `connections from ${source} go on: ${ended.error}` };
    }
    return { done: true };
  }
}
