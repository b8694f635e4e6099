import { ExecaPrograms } from '../src/adapters/execa/execa-programs.ts';
import { OfctlFlowTables } from '../src/adapters/ovs-ofctl-wrapper/ofctl-flow-tables.ts';
import type { NodePorts } from '../src/control/node/ports.ts';
import type { ClusterSnapshot, NodeSnapshot } from '../src/domain/index.ts';
import type { Bridge } from '../src/domain/snapshot/node-snapshot.ts';
import { mapReading } from '../src/ports/readings.ts';
import type { FlowTables } from '../src/ports/node/flow-tables.ts';
import type { Northbound } from '../src/ports/node/northbound.ts';
import type { ResourceStore } from '../src/ports/cluster/resource-store.ts';
import { FakeHostNetwork } from '../test/fakes/host-network.ts';
import { FakeKernelSettings } from '../test/fakes/kernel-settings.ts';
import { FakeLedgerStore } from '../test/fakes/ledger-store.ts';
import { FakeSwitchDatabase } from '../test/fakes/switch-database.ts';
import { OpenVSwitch } from '../test/integration/open-vswitch.ts';
import { stateIn } from '../test/unit/control/node/simulation.ts';

/** Number of a bridge's own port (openflow-1.0.h, OFPP_LOCAL). */
const LOCAL = 0xfffe;

/** Ports that are added at once. */
const AT_ONCE = 50;

/** A node whose bridges with managed flows are those of a real Open vSwitch; all else is in memory, as it is once everything is applied. */
export interface SwitchedNode {
  readonly openVSwitch: OpenVSwitch;
  readonly ports: NodePorts;
  /** Reads the node with what was read or written before forgotten. */
  observeAnew(): Promise<NodeSnapshot>;
  close(): Promise<void>;
}

/** A bridge with its ports numbered from 1. */
function numbered(bridge: Bridge): Bridge {
  const names = bridge.ports.flatMap(({ interfaces }) => interfaces.map(({ name }) => name));
  const others = names.filter((name) => name !== bridge.name);
  const numberOf = (name: string) => (name === bridge.name ? LOCAL : others.indexOf(name) + 1);
  const ports = bridge.ports.map((port) => ({
    ...port,
    interfaces: port.interfaces.map((each) => ({ ...each, openFlowPort: numberOf(each.name) })),
  }));
  return { ...bridge, ports };
}

/** Makes a bridge with ports of the dummy datapath. */
function addBridge(openVSwitch: OpenVSwitch, { name, ports }: Bridge): void {
  openVSwitch.configure('add-br', name, '--', 'set', 'bridge', name, 'fail_mode=secure');
  const words = ports
    .filter((port) => port.name !== name)
    .map(({ name: port, tag, interfaces: [first] }) => {
      const options = ['type=dummy', `ofport_request=${String(first?.openFlowPort)}`];
      const vlan = tag === undefined ? [] : [`tag=${tag}`];
      return ['--', 'add-port', name, port, ...vlan, '--', 'set', 'interface', port, ...options];
    });
  for (let at = 0; at < words.length; at += AT_ONCE)
    openVSwitch.configure(
      ...words
        .slice(at, at + AT_ONCE)
        .flat()
        .slice(1),
    );
}

/** The objects of a cluster, with the UplinkStates that are written. */
function storeOf(cluster: ClusterSnapshot): ResourceStore {
  let snapshot = cluster;
  return {
    read: () => Promise.resolve({ read: true, value: { snapshot, warnings: [], origins: new Map() } }),
    write: (write) => {
      const others = snapshot.uplinkStates.filter(({ metadata }) => metadata.name !== write.name);
      if (write.kind === 'UplinkState') snapshot = { ...snapshot, uplinkStates: [...others, stateIn(write)] };
      return Promise.resolve({ done: true });
    },
    onChange: () => undefined,
    close: () => Promise.resolve(),
  };
}

/** OVN's rows, of which none has to be changed. */
function rowsOf({ northbound, isNorthboundRead }: NodeSnapshot): Northbound {
  const value = { northbound, ...(isNorthboundRead && { isNorthboundRead }) };
  return {
    read: () => Promise.resolve({ read: true, value }),
    apply: () => Promise.resolve({ done: false, error: 'rows are not changed here' }),
    onChange: () => undefined,
    close: () => Promise.resolve(),
  };
}

/** Reads the bridges that are real, and takes the others from a snapshot. */
function withOthers(tables: FlowTables, isReal: (bridge: string) => boolean, node: NodeSnapshot): FlowTables {
  const other = <Item extends { readonly bridge: string }>(items: readonly Item[]) =>
    items.filter(({ bridge }) => !isReal(bridge));
  const others = {
    flows: other(node.flows),
    fdbEntries: other(node.fdbEntries),
    noFloodPorts: other(node.noFloodPorts),
  };
  return {
    read: async (switches) => {
      const bridges = switches.bridges.filter(({ name }) => isReal(name));
      return mapReading(await tables.read({ ...switches, bridges }), (found) => ({
        ...found,
        flows: [...found.flows, ...others.flows],
        fdbEntries: [...found.fdbEntries, ...others.fdbEntries],
        noFloodPorts: [...found.noFloodPorts, ...others.noFloodPorts],
      }));
    },
    apply: (operation, bridges) => tables.apply(operation, bridges),
    onChange: (listener) => tables.onChange(listener),
    close: () => tables.close(),
  };
}

/** Starts an Open vSwitch with the bridges of a node that have managed flows, without these flows. */
export async function switchedNode(
  cluster: ClusterSnapshot,
  done: NodeSnapshot,
  names: readonly string[],
): Promise<SwitchedNode> {
  const openVSwitch = await OpenVSwitch.start();
  const bridges = done.bridges.map((bridge) => (names.includes(bridge.name) ? numbered(bridge) : bridge));
  try {
    for (const bridge of bridges) if (names.includes(bridge.name)) addBridge(openVSwitch, bridge);
  } catch (error) {
    await openVSwitch.stop();
    throw error;
  }
  const node: NodeSnapshot = { ...done, bridges };
  const programs = new ExecaPrograms(openVSwitch.environment);
  const open = () =>
    withOthers(new OfctlFlowTables(programs, openVSwitch.runDirectory), (name) => names.includes(name), node);
  const flowTables = open();
  const ledgerStore = new FakeLedgerStore();
  await ledgerStore.write(done.ledger, done.bootId);
  return {
    openVSwitch,
    ports: {
      hostNetwork: new FakeHostNetwork(done),
      switchDatabase: new FakeSwitchDatabase({ switchExternalIds: done.switchExternalIds, bridges }),
      kernelSettings: new FakeKernelSettings(done),
      ledgerStore,
      resourceStore: storeOf(cluster),
      datapath: { flowTables, northbound: rowsOf(done) },
    },
    observeAnew: async () => {
      const tables = open();
      const reading = await tables.read({ switchExternalIds: done.switchExternalIds, bridges });
      await tables.close();
      if (!reading.read) throw new Error('the bridges cannot be read');
      return { ...node, ...reading.value };
    },
    close: async () => {
      await flowTables.close();
      await openVSwitch.stop();
    },
  };
}
