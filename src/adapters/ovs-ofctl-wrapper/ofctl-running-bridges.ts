import { flowKey, parseFlowDump } from '../../domain/datapath/openflow/flow-entry.ts';
import type { Bridge } from '../../domain/snapshot/node-snapshot.ts';
import type { SwitchTrace, TracedFrame } from '../../domain/explanation/trace/switch-trace.ts';
import { inFile, type Reading } from '../../ports/input-problem.ts';
import type { Programs } from '../../ports/node/programs.ts';
import type { RunningBridges } from '../../ports/node/running-bridges.ts';
import { mapReading } from '../../ports/readings.ts';
import { SwitchControl, USUAL_DEADLINE } from '../vswitchd-control/switch-control.ts';
import { readDatapathPorts, readTrace } from '../vswitchd-control/trace-output.ts';
import { portNumbers, withNames, withNumbers } from './port-numbers.ts';
import { SwitchPrograms } from './switch-programs.ts';

/** The bridges of this machine, by ovs-ofctl(8) and the control socket of ovs-vswitchd. */
export class OfctlRunningBridges implements RunningBridges {
  readonly #programs: SwitchPrograms;
  readonly #control: SwitchControl;

  /**
   * @param programs which look for ovs-vswitchd in the same folder (ovs-ofctl(8), OVS_RUNDIR)
   * @param runDirectory usually /var/run/openvswitch
   */
  constructor(programs: Programs, runDirectory: string) {
    this.#programs = new SwitchPrograms(programs, runDirectory, USUAL_DEADLINE);
    this.#control = new SwitchControl(runDirectory, USUAL_DEADLINE);
  }

  async packets(bridge: Bridge): Promise<Reading<ReadonlyMap<string, number>>> {
    const dump = await this.#programs.dumpStatistics(bridge.name);
    return mapReading(dump, (text) => {
      const flows = parseFlowDump(withNames(text, portNumbers(bridge)));
      return new Map(flows.map((flow) => [flowKey(flow), flow.packets ?? 0]));
    });
  }

  async trace(bridge: Bridge, { words, states }: TracedFrame): Promise<Reading<SwitchTrace>> {
    const numbered = withNumbers(words, portNumbers(bridge));
    if ('missing' in numbered) {
      const message = `port ${numbered.missing} of bridge ${bridge.name} does not exist yet`;
      return { read: false, problems: [{ origin: inFile('ofproto/trace'), message }] };
    }
    const [shown, traced] = await Promise.all([
      this.#control.showDatapath(),
      this.#control.trace(bridge.name, numbered.text, states),
    ]);
    if (!shown.read) return shown;
    return mapReading(traced, (text) => readTrace(text, bridge.name, readDatapathPorts(shown.value, bridge.name)));
  }
}
