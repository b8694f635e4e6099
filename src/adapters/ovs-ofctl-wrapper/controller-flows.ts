import { integrationBridge } from '../../domain/snapshot/integration-bridge.ts';
import { inFile, type Reading } from '../../ports/input-problem.ts';
import type { Programs } from '../../ports/node/programs.ts';
import { mapReading, thenRead } from '../../ports/readings.ts';
import type { SwitchDatabase } from '../../ports/node/switch-database.ts';
import { USUAL_DEADLINE } from '../vswitchd-control/switch-control.ts';
import { SwitchPrograms } from './switch-programs.ts';

/** The flows of ovn-controller on the integration bridge of this machine, by ovs-ofctl(8). */
export class ControllerFlows {
  readonly #programs: SwitchPrograms;
  readonly #database: Pick<SwitchDatabase, 'read'>;

  /**
   * @param programs which look for ovs-vswitchd in the same folder (ovs-ofctl(8), OVS_RUNDIR)
   * @param runDirectory usually /var/run/openvswitch
   * @param database where the name of the bridge is
   */
  constructor(programs: Programs, runDirectory: string, database: Pick<SwitchDatabase, 'read'>) {
    this.#programs = new SwitchPrograms(programs, runDirectory, USUAL_DEADLINE);
    this.#database = database;
  }

  /** The bridge, and whether it has flows with a cookie, as ovs-ofctl(8) has that. Never rejects. */
  async withCookie(cookie: string): Promise<Reading<{ readonly bridge: string; readonly isThere: boolean }>> {
    const switches = await this.#database.read();
    if (!switches.read) return switches;
    const bridge = integrationBridge(switches.value);
    const count = thenRead(await this.#programs.countFlows(bridge, cookie), (text) => flowCount(text, bridge));
    return mapReading(count, (flows) => ({ bridge, isThere: flows > 0 }));
  }
}

/** The number of flows in what `ovs-ofctl dump-aggregate` prints. */
function flowCount(text: string, bridge: string): Reading<number> {
  const [, count] = /\bflow_count=(\d+)/.exec(text) ?? [];
  if (count !== undefined) return { read: true, value: Number(count) };
  const message = `expected flow_count, found ${JSON.stringify(text.trim())}`;
  return { read: false, problems: [{ origin: inFile(`ovs-ofctl dump-aggregate ${bridge}`), message }] };
}
