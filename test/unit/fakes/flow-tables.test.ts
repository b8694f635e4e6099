import type { Bridge, SwitchPort } from '../../../src/domain/snapshot/node-snapshot.ts';
import { describeFlowTables } from '../../contract/flow-tables.ts';
import { FakeFlowTables } from '../../fakes/flow-tables.ts';

function portOf(name: string, openFlowPort: number): SwitchPort {
  return { name, externalIds: {}, interfaces: [{ name, type: '', openFlowPort, externalIds: {} }] };
}

describeFlowTables('the fake', () => {
  const tables = new FakeFlowTables();
  const bridges = new Map<string, Map<string, number>>();
  return {
    tables,
    readAnew: (switches) => tables.read(switches),
    bridges: () =>
      [...bridges].map(([name, ports]): Bridge => {
        return { name, externalIds: {}, ports: [...ports].map(([port, number]) => portOf(port, number)) };
      }),
    addBridge: (bridge, ports) => void bridges.set(bridge, new Map([[bridge, 65_534], ...Object.entries(ports)])),
    deleteBridge: (bridge) => {
      bridges.delete(bridge);
      tables.deleteBridge(bridge);
    },
    addPort: (bridge, port, number) => void bridges.get(bridge)?.set(port, number),
    deletePort: (bridge, port) => void bridges.get(bridge)?.delete(port),
    addFlow: (bridge, flow) => tables.addFlow(bridge, flow),
    deleteFlow: (bridge, flow) => tables.deleteFlow(bridge, flow),
    flowsOf: (bridge) => tables.flowsOf(bridge),
    setNoFlood: (bridge, port, isNoFlood) => tables.setNoFlood(bridge, port, isNoFlood),
    kill: () => tables.kill(),
    start: () => tables.start(),
    end: () => undefined,
  };
});
