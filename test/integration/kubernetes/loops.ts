import { pino } from 'pino';
import { logClusterReport } from '../../../src/adapters/pino/log-cluster-report.ts';
import { logNodeReport } from '../../../src/adapters/pino/log-node-report.ts';
import { ApiServer } from '../../../src/adapters/kubernetes/api-server.ts';
import type { ClusterAccess } from '../../../src/adapters/kubernetes/cluster-access.ts';
import { KubernetesApi } from '../../../src/adapters/kubernetes/kubernetes-api.ts';
import { ClusterLoop } from '../../../src/control/cluster/cluster-loop.ts';
import { NodeLoop } from '../../../src/control/node/node-loop.ts';
import { defaultSettings, semanticsOf, type NodeSnapshot } from '../../../src/domain/index.ts';
import type { ProvidedNetworks } from '../../../src/domain/snapshot/settings.ts';
import type { ApplyResult } from '../../../src/ports/apply-result.ts';
import type { NorthboundOperation } from '../../../src/ports/node/northbound.ts';
import type { ResourceStore } from '../../../src/ports/cluster/resource-store.ts';
import type { SwitchOperation, SwitchSnapshot } from '../../../src/ports/node/switch-database.ts';
import { completeNode } from '../../../src/testing/index.ts';
import { FakeFlowTables } from '../../fakes/flow-tables.ts';
import { FakeHostNetwork } from '../../fakes/host-network.ts';
import { FakeKernelSettings } from '../../fakes/kernel-settings.ts';
import { FakeLedgerStore } from '../../fakes/ledger-store.ts';
import { FakeNorthbound } from '../../fakes/northbound.ts';
import { FakeSouthbound } from '../../fakes/southbound.ts';
import { FakeSwitchDatabase } from '../../fakes/switch-database.ts';

const settings = { ...defaultSettings, dynamicNetworks: true, ovn: false };

/** A loop on a real API server, in this process, with what it logs. */
export interface RunningLoop {
  /** The lines that it has logged, without fields, from the first one on. */
  readonly lines: readonly string[];
  stop(): Promise<void>;
}

interface Loop {
  run(): Promise<boolean>;
  stop(): void;
}

function started<Report>(
  store: ResourceStore,
  begin: (report: (report: Report) => void) => Loop,
  logReport: (log: pino.Logger, report: Report) => void,
): RunningLoop {
  const lines: string[] = [];
  const log = pino(
    { level: 'info', base: null },
    {
      write: (text: string) => void lines.push((JSON.parse(text) as { readonly msg: string }).msg),
    },
  );
  const loop = begin((report) => logReport(log, report));
  const ended = loop.run();
  return {
    lines,
    stop: async () => {
      loop.stop();
      await ended;
      await store.close();
    },
  };
}

function managersStore(access: ClusterAccess, { providedNetworks, namespace }: typeof settings): KubernetesApi {
  const fieldManager = 'ovn-uplinks-cluster-manager';
  const claims = providedNetworks === 'none' ? {} : { claimsNamespace: namespace };
  return new KubernetesApi(new ApiServer(access), { fieldManager, ...claims });
}

/**
 * Runs a cluster manager, which leads.
 *
 * @param provided the networks that it provides
 * @param dynamicNetworks whether they are on nodes with pods only
 */
export function startManager(
  access: ClusterAccess,
  provided: ProvidedNetworks = 'none',
  dynamicNetworks = true,
): RunningLoop {
  const all = { ...settings, providedNetworks: provided, dynamicNetworks };
  const store = managersStore(access, all);
  const options = { settings: all, once: false };
  return started(store, (report) => new ClusterLoop(store, options, report), logClusterReport);
}

/** Runs a cluster manager until it has written everything. */
export async function runManagerOnce(access: ClusterAccess, provided: ProvidedNetworks = 'none'): Promise<void> {
  const all = { ...settings, providedNetworks: provided };
  const store = managersStore(access, all);
  const options = { settings: all, once: true };
  const isDone = await new ClusterLoop(store, options, () => undefined).run();
  await store.close();
  if (!isDone) throw new Error('the cluster manager has not written everything');
}

/** A node in memory. */
export function memoryPorts({
  switchExternalIds,
  bridges,
  sysctls,
  bootId = '',
  uptimeSeconds = 0,
  ...node
}: NodeSnapshot) {
  return {
    hostNetwork: new FakeHostNetwork(node),
    switchDatabase: new FakeSwitchDatabase({ switchExternalIds, bridges }),
    kernelSettings: new FakeKernelSettings({ sysctls, bootId, uptimeSeconds }),
    ledgerStore: new FakeLedgerStore(),
  };
}

/**
 * Runs the agent of a node in memory, which programs the host's half of networks.
 *
 * @param ports the node, if an agent has run on it before
 */
export function startAgent(access: ClusterAccess, node: NodeSnapshot, ports = memoryPorts(node)): RunningLoop {
  const { nodeName } = node;
  const resourceStore = new KubernetesApi(new ApiServer(access), { fieldManager: 'ovn-uplinks-node', node: nodeName });
  const all = { ...ports, resourceStore };
  const options = { settings, once: false };
  return started(resourceStore, (report) => new NodeLoop(nodeName, all, options, report), logNodeReport);
}

/** The agent of a node in memory that is a zone of OVN of its own. */
export interface ZoneAgent extends RunningLoop {
  readonly northbound: FakeNorthbound;
  readonly southbound: FakeSouthbound;
}

/** A Northbound database whose ports are in the Southbound one once a change is confirmed, as ovn-northd has them. */
class TranslatedNorthbound extends FakeNorthbound {
  readonly #southbound: FakeSouthbound;

  constructor(southbound: FakeSouthbound) {
    super();
    this.#southbound = southbound;
  }

  override async apply(operation: NorthboundOperation): Promise<ApplyResult> {
    const result = await super.apply(operation);
    const reading = await this.read();
    if (reading.read) this.#southbound.takePorts(reading.value.northbound);
    return result;
  }
}

/** Open vSwitch's database whose management ports are devices of the host, as ovs-vswitchd has them. */
class SwitchOfHost extends FakeSwitchDatabase {
  readonly #host: FakeHostNetwork;

  constructor(snapshot: SwitchSnapshot, host: FakeHostNetwork) {
    super(snapshot);
    this.#host = host;
  }

  override async apply(operation: SwitchOperation): Promise<ApplyResult> {
    const [host, before] = [await this.#host.read(), await this.read()];
    const result = await super.apply(operation);
    if (!result.done || operation.entity.kind !== 'management-port' || !host.read || !before.read) return result;
    const node = completeNode({ nodeName: 'fake', ...host.value, ...before.value });
    const change = semanticsOf({ ...operation, networks: [] }).effect({ ...operation, networks: [] }, node);
    if (change.done) this.#host.change({ links: change.node.links, routes: change.node.routes });
    return result;
  }
}

/** Runs the agent of a node in memory, which programs provided networks on it. */
export function startZoneAgent(access: ClusterAccess, node: NodeSnapshot): ZoneAgent {
  const southbound = new FakeSouthbound();
  const northbound = new TranslatedNorthbound(southbound);
  const { nodeName } = node;
  const wholeNetworks = { ...defaultSettings, providedNetworks: 'all' } as const;
  const store = new KubernetesApi(new ApiServer(access), {
    fieldManager: 'ovn-uplinks-node',
    node: nodeName,
    claimsNamespace: wholeNetworks.namespace,
  });
  const { switchExternalIds, bridges } = node;
  const ports = memoryPorts(node);
  const all = {
    ...ports,
    switchDatabase: new SwitchOfHost({ switchExternalIds, bridges }, ports.hostNetwork),
    datapath: { flowTables: new FakeFlowTables(), northbound, southbound },
    resourceStore: store,
  };
  const options = { settings: wholeNetworks, once: false };
  const loop = started(store, (report) => new NodeLoop(nodeName, all, options, report), logNodeReport);
  return { ...loop, northbound, southbound };
}
