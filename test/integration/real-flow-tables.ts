import { ExecaPrograms } from '../../src/adapters/execa/execa-programs.ts';
import { OfctlFlowTables } from '../../src/adapters/ovs-ofctl-wrapper/ofctl-flow-tables.ts';
import { readSwitch } from '../../src/adapters/open-vswitch/switch.ts';
import { flowKey, parseFlowDump } from '../../src/domain/datapath/openflow/flow-entry.ts';
import type { FlowTablesUnderTest, NumberedFlow } from '../contract/flow-tables.ts';
import { valueOf } from '../unit/adapters/readings.ts';
import type { Userland } from './lab/userland.ts';
import { OpenVSwitch } from './open-vswitch.ts';

/** Words of ovs-vsctl that add a port which the dummy datapath has. */
export function newPort(bridge: string, port: string, number: number): readonly string[] {
  const options = ['type=dummy', `ofport_request=${String(number)}`];
  return ['--', 'add-port', bridge, port, '--', 'set', 'interface', port, ...options];
}

function flowText({ cookie, actions, ...flow }: NumberedFlow): string {
  return `cookie=${cookie},${flowKey(flow)},actions=${actions}`;
}

/** The bridges of a real Open vSwitch of a userland. */
export async function startFlowTables(userland: Userland): Promise<FlowTablesUnderTest> {
  const openVSwitch = await OpenVSwitch.start(userland);
  const programs = new ExecaPrograms(openVSwitch.environment);
  return {
    tables: new OfctlFlowTables(programs, openVSwitch.runDirectory),
    readAnew: async (switches) => {
      const tables = new OfctlFlowTables(programs, openVSwitch.runDirectory);
      try {
        return await tables.read(switches);
      } finally {
        await tables.close();
      }
    },
    bridges: () => valueOf(readSwitch(openVSwitch.dump(), 'dump')).bridges,
    addBridge: (bridge, ports) =>
      openVSwitch.configure(
        'add-br',
        bridge,
        ...Object.entries(ports).flatMap(([port, number]) => newPort(bridge, port, number)),
      ),
    deleteBridge: (bridge) => openVSwitch.configure('del-br', bridge),
    addPort: (bridge, port, number) => openVSwitch.configure(...newPort(bridge, port, number).slice(1)),
    deletePort: (bridge, port) => openVSwitch.configure('del-port', bridge, port),
    addFlow: (bridge, flow) => openVSwitch.addFlow(bridge, flowText(flow)),
    deleteFlow: (bridge, flow) => openVSwitch.deleteFlow(bridge, flowKey(flow)),
    flowsOf: (bridge) => parseFlowDump(openVSwitch.dumpFlows(bridge)),
    setNoFlood: (bridge, port, isNoFlood) => openVSwitch.setNoFlood(bridge, String(port), isNoFlood),
    kill: () => openVSwitch.killSwitch(),
    start: () => openVSwitch.startSwitch(),
    end: () => openVSwitch.stop(),
  };
}
