import type { EndedConnections } from '../../domain/services/ended-connections.ts';
import { integrationBridge } from '../../domain/snapshot/integration-bridge.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import { describeProblem } from '../../ports/input-problem.ts';
import type { Programs } from '../../ports/node/programs.ts';
import type { ServiceConnections } from '../../ports/node/service-connections.ts';
import type { SwitchDatabase } from '../../ports/node/switch-database.ts';
import { USUAL_TIMINGS } from './ofctl-flow-tables.ts';
import { SwitchControl } from './switch-control.ts';
import { SwitchPrograms } from './switch-programs.ts';

/** Connections to Services by the integration bridge of this machine, by ovs-ofctl(8). */
export class OfctlServiceConnections implements ServiceConnections {
  readonly #programs: SwitchPrograms;
  readonly #control: SwitchControl;
  readonly #database: Pick<SwitchDatabase, 'read'>;

  /**
   * @param programs which look for ovs-vswitchd in the same folder (ovs-ofctl(8), OVS_RUNDIR)
   * @param runDirectory usually /var/run/openvswitch
   * @param database where the name of the bridge is
   */
  constructor(programs: Programs, runDirectory: string, database: Pick<SwitchDatabase, 'read'>) {
    const { deadline } = USUAL_TIMINGS;
    this.#programs = new SwitchPrograms(programs, runDirectory, deadline);
    this.#control = new SwitchControl(runDirectory, deadline);
    this.#database = database;
  }

  async end(connections: readonly EndedConnections[]): Promise<ApplyResult> {
    const switches = await this.#database.read();
    if (!switches.read) return { done: false, error: switches.problems.map(describeProblem).join('; ') };
    const settled = await this.#control.settled();
    if (!settled.done) return settled;
    const bridge = integrationBridge(switches.value);
    for (const each of connections) {
      const result = await this.#programs.endConnectionsTo(bridge, each);
      if (!result.done) return result;
    }
    return { done: true };
  }
}
