import type { EndedConnections } from '../../domain/services/ended-connections.ts';
import { distinct } from '../../domain/basics/names/ordering.ts';
import { integrationBridge } from '../../domain/snapshot/integration-bridge.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import { describeProblem } from '../../ports/input-problem.ts';
import type { Programs } from '../../ports/node/programs.ts';
import type { ServiceConnections } from '../../ports/node/service-connections.ts';
import type { SwitchDatabase } from '../../ports/node/switch-database.ts';
import { SwitchControl, USUAL_DEADLINE } from '../vswitchd-control/switch-control.ts';
import { connectionsToService } from '../vswitchd-control/tracked-connections.ts';
import { endTrackedConnections } from './tracked-by-bridge.ts';
import { SwitchPrograms } from './switch-programs.ts';

/** Commands that wait for an answer at the same time. */
const AT_ONCE = 4;

/** Connections to Services by the integration bridge of this machine. */
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
    this.#programs = new SwitchPrograms(programs, runDirectory, USUAL_DEADLINE);
    this.#control = new SwitchControl(runDirectory, USUAL_DEADLINE);
    this.#database = database;
  }

  async end(connections: readonly EndedConnections[]): Promise<ApplyResult> {
    const switches = await this.#database.read();
    if (!switches.read) return { done: false, error: switches.problems.map(describeProblem).join('; ') };
    const settled = await this.#control.settled();
    if (!settled.done) return settled;
    const bridge = integrationBridge(switches.value);
    const errors = await this.#endEach(bridge, connections);
    return errors.length === 0 ? { done: true } : { done: false, error: distinct(errors).join('; ') };
  }

  /** Ends connections, some at a time. @returns errors of those that have not ended */
  async #endEach(bridge: string, connections: readonly EndedConnections[]): Promise<readonly string[]> {
    const errors: string[] = [];
    const remaining = connections.values();
    const access = { programs: this.#programs, control: this.#control };
    let isUnavailable = false;
    const worker = async (): Promise<void> => {
      for (const each of remaining) {
        const result = await endTrackedConnections(bridge, access, connectionsToService(each));
        if (!result.done) errors.push(result.error);
        // A switch that does not answer would take until the deadline for each.
        isUnavailable ||= !result.done && result.isUnavailable === true;
        if (isUnavailable) return;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    return errors;
  }
}
