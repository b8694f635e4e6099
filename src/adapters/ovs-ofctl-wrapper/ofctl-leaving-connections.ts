import { integrationBridge } from '../../domain/snapshot/integration-bridge.ts';
import type { Programs } from '../../ports/node/programs.ts';
import type { SwitchDatabase } from '../../ports/node/switch-database.ts';
import type { LeavingConnections } from '../nftables/leaving-connections.ts';
import { USUAL_TIMINGS } from './ofctl-flow-tables.ts';
import { SwitchPrograms } from './switch-programs.ts';

/** Connections that leave networks by this machine, ended by the command `ct-flush` of ovs-ofctl(8), which reaches the zone of the host too. */
export class OfctlLeavingConnections implements LeavingConnections {
  readonly #programs: SwitchPrograms;
  readonly #database: Pick<SwitchDatabase, 'read'>;

  /**
   * @param programs which look for ovs-vswitchd in the same folder (ovs-ofctl(8), OVS_RUNDIR)
   * @param runDirectory usually /var/run/openvswitch
   * @param database where the name of the integration bridge is
   */
  constructor(programs: Programs, runDirectory: string, database: Pick<SwitchDatabase, 'read'>) {
    this.#programs = new SwitchPrograms(programs, runDirectory, USUAL_TIMINGS.deadline);
    this.#database = database;
  }

  async end(sources: readonly string[]): Promise<void> {
    const switches = await this.#database.read();
    if (!switches.read) return;
    const bridge = integrationBridge(switches.value);
    for (const source of sources) {
      const ended = await this.#programs.endConnectionsFrom(bridge, source);
      if (!ended.done) return;
    }
  }
}
