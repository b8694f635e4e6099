/**
 * Binds ports to adapters. The only place that knows both.
 */
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { Container, type ServiceIdentifier } from 'inversify';
import { CapturedNode } from '../adapters/capture/captured-node.ts';
import { ExecaPrograms } from '../adapters/execa/execa-programs.ts';
import { FolderApi } from '../adapters/folder-api/folder-api.ts';
import { IpNetwork } from '../adapters/iproute2-json/ip-network.ts';
import { ApiServer } from '../adapters/kubernetes/api-server.ts';
import { accessInCluster, accessOfKubeconfig, type ClusterAccess } from '../adapters/kubernetes/cluster-access.ts';
import { refusalByServer } from '../adapters/kubernetes/dry-run.ts';
import { KubernetesApi } from '../adapters/kubernetes/kubernetes-api.ts';
import type { KubernetesScope } from '../adapters/kubernetes/kubernetes-scope.ts';
import type { ServiceName } from '../adapters/kubernetes/kubernetes-services.ts';
import { KubernetesEvents } from '../adapters/kubernetes/kubernetes-events.ts';
import { LeaseLeadership } from '../adapters/kubernetes/lease-leadership.ts';
import { LedgerFile } from '../adapters/ledger-file/ledger-file.ts';
import type { ManifestObject } from '../adapters/manifests/manifest-object.ts';
import { ManifestFiles } from '../adapters/manifests/manifest-files.ts';
import { NftLocks } from '../adapters/nftables/nft-locks.ts';
import { OvsdbSwitchPorts } from '../adapters/open-vswitch/ovsdb-switch-ports.ts';
import { OvsdbSwitch } from '../adapters/open-vswitch/ovsdb-switch.ts';
import { OfctlRunningBridges } from '../adapters/ovs-ofctl-wrapper/ofctl-running-bridges.ts';
import { OfctlFlowTables } from '../adapters/ovs-ofctl-wrapper/ofctl-flow-tables.ts';
import { type DatabaseServer, unixServer } from '../adapters/ovsdb/server.ts';
import { OvnLogicalPorts } from '../adapters/ovn/ovn-logical-ports.ts';
import { OvnNorthbound } from '../adapters/ovn/ovn-northbound.ts';
import { OvnSouthbound } from '../adapters/ovn/ovn-southbound.ts';
import { SouthboundListener } from '../adapters/ovn/southbound-listener.ts';
import { KernelSettingFiles } from '../adapters/sysctl/kernel-setting-files.ts';
import { AbstractSocketLock } from '../adapters/abstract-socket/node-lock.ts';
import type { DatapathPorts, NodePorts } from '../control/node/ports.ts';
import type { ControllerAccess } from '../ports/controller-access.ts';
import type { ClusterServices } from '../ports/cluster-services.ts';
import type { ClusterReport } from '../ports/cluster-report.ts';
import type { ClusterSource } from '../ports/cluster-source.ts';
import type { Reading } from '../ports/input-problem.ts';
import type { InterfaceLocks } from '../ports/interface-locks.ts';
import type { Leadership } from '../ports/leadership.ts';
import type { LogicalPorts } from '../ports/logical-ports.ts';
import type { NodeLock } from '../ports/node-lock.ts';
import type { NodeSource } from '../ports/node-source.ts';
import type { PodAnnotations } from '../ports/pod-annotations.ts';
import type { Programs } from '../ports/programs.ts';
import { mapReading } from '../ports/readings.ts';
import type { ProvisionStore } from '../ports/provision-store.ts';
import type { RegistrationStore } from '../ports/registration-store.ts';
import type { ResourceStore } from '../ports/resource-store.ts';
import type { RunningBridges } from '../ports/running-bridges.ts';
import type { SwitchPorts } from '../ports/switch-ports.ts';
import type { OvnServers } from './ovn-servers.ts';

/** Which kubeconfig file is used, and which context of it; the service account of the pod where `file` is absent. */
export interface KubeconfigChoice {
  readonly file?: string;
  readonly context?: string;
}

/** Creates a source of cluster objects from paths. */
export type ClusterSourceFactory = (
  paths: readonly string[],
  onProgress: (done: number, total: number) => void,
) => ClusterSource;

/** Creates a source of a node snapshot from a capture. */
export type NodeSourceFactory = (nodeName: string, folder: string) => NodeSource;

/** Creates a store of cluster objects from the folder that is its API. */
export type ResourceStoreFactory = (folder: string) => ResourceStore;

export type { KubernetesScope };

/** What an agent has of the API of a cluster. */
export type AgentStore = ResourceStore & {
  /** Absent where a folder of files is the API. */
  readonly podAnnotations?: PodAnnotations;
  /** The same. @param dns the Service of the cluster’s DNS */
  readonly clusterServices?: (dns: ServiceName) => ClusterServices;
  /** The same. */
  readonly registration?: RegistrationStore;
};

/** Creates a store of cluster objects from an API server, or returns why there is none: it need not answer. */
export type KubernetesStoreFactory = (choice: KubeconfigChoice, scope: KubernetesScope) => Promise<Reading<AgentStore>>;

/** Validates an object by a dry run on an API server; absent where it would be accepted as it is. */
export type ServerCheck = (object: ManifestObject) => Promise<string | undefined>;

/** Creates that, or returns why there is none. */
export type ServerCheckFactory = (choice: KubeconfigChoice) => Promise<Reading<ServerCheck>>;

/** What the cluster manager needs of a cluster. */
export interface ClusterApi {
  readonly store: ResourceStore;
  /** Takes what is written for networks that ovn-uplinks provides. */
  readonly provision: ProvisionStore;
  readonly leadership: Leadership;
  /** Has people see a report with the object that it is about. */
  record(report: ClusterReport): void;
  /** Releases all resources. Never rejects. */
  close(): Promise<void>;
}

/** Creates that for an API server, or returns why there is none. */
export type ClusterApiFactory = (
  choice: KubeconfigChoice,
  scope: Omit<KubernetesScope, 'fieldManager' | 'node'>,
) => Promise<Reading<ClusterApi>>;

/**
 * Creates the ports to the node.
 *
 * @param databaseSocket of Open vSwitch's database, in the folder of ovs-vswitchd's own sockets
 * @param ovn absent where only the host's half of networks is programmed
 * @param networkSettings folder of the kernel's network settings
 */
export type LiveNodeFactory = (
  databaseSocket: string,
  ovn?: OvnServers,
  networkSettings?: string,
) => Omit<NodePorts, 'resourceStore'>;

/** The databases of a node with the ports of its pods, and what passes their other interfaces. */
export interface PodDatabases {
  readonly logicalPorts: LogicalPorts;
  readonly switchPorts: SwitchPorts;
  readonly locks: InterfaceLocks;
  close(): void;
}

/** Creates the ports to them, with the socket of Open vSwitch's database. */
export type PodDatabasesFactory = (databaseSocket: string, northbound: DatabaseServer) => PodDatabases;

/** Creates the port to the running bridges, with the socket of Open vSwitch's database. */
export type RunningBridgesFactory = (databaseSocket: string) => RunningBridges;

/**
 * Creates the port to the access of ovn-controller to a Southbound database, with the address at which it is to listen for it.
 *
 * @param databaseSocket of Open vSwitch's database
 */
export type ControllerAccessFactory = (
  southbound: DatabaseServer,
  databaseSocket: string,
  address: string,
) => ControllerAccess;

/** The ports that commands use. */
export const ports = {
  controllerAccess: Symbol('ControllerAccess') as ServiceIdentifier<ControllerAccessFactory>,
  resourceStore: Symbol('ResourceStore') as ServiceIdentifier<ResourceStoreFactory>,
  serverCheck: Symbol('ServerCheck') as ServiceIdentifier<ServerCheckFactory>,
  clusterApi: Symbol('ClusterApi') as ServiceIdentifier<ClusterApiFactory>,
  kubernetesStore: Symbol('KubernetesStore') as ServiceIdentifier<KubernetesStoreFactory>,
  liveNode: Symbol('LiveNode') as ServiceIdentifier<LiveNodeFactory>,
  podDatabases: Symbol('PodDatabases') as ServiceIdentifier<PodDatabasesFactory>,
  nodeLock: Symbol('NodeLock') as ServiceIdentifier<NodeLock>,
  clusterSource: Symbol('ClusterSource') as ServiceIdentifier<ClusterSourceFactory>,
  nodeSource: Symbol('NodeSource') as ServiceIdentifier<NodeSourceFactory>,
  runningBridges: Symbol('RunningBridges') as ServiceIdentifier<RunningBridgesFactory>,
  programs: Symbol('Programs') as ServiceIdentifier<Programs>,
};

function accessOf({ file, context }: KubeconfigChoice): Promise<Reading<ClusterAccess>> {
  return file === undefined ? accessInCluster(process.env) : accessOfKubeconfig(file, context);
}

/** Name of the cluster manager as field manager, in its Lease and in Events. */
const CLUSTER_MANAGER = 'ovn-uplinks-cluster-manager';

/** Milliseconds without an answer after which the Lease is written again: twice before it expires. */
const LEASE_REQUEST_TIMEOUT = 5000;

function clusterApiOf(access: ClusterAccess, scope: KubernetesScope): ClusterApi {
  const server = new ApiServer(access);
  const store = new KubernetesApi(server, { ...scope, fieldManager: CLUSTER_MANAGER });
  const instance = hostname();
  const uidOf = (object: string) => store.uidOf(object);
  const events = new KubernetesEvents(server, { controller: CLUSTER_MANAGER, instance, uidOf });
  const { namespace = 'default' } = access;
  const identity = `${instance}_${randomUUID()}`;
  const leaseServer = new ApiServer(access, LEASE_REQUEST_TIMEOUT);
  return {
    store,
    provision: store.provision,
    leadership: new LeaseLeadership(leaseServer, { namespace, name: CLUSTER_MANAGER, identity }),
    record: (report) => {
      events.report(report);
    },
    close: async () => {
      await events.close();
      await store.close();
      leaseServer.close();
    },
  };
}

function ovnDatabases(servers: OvnServers): Pick<DatapathPorts, 'northbound' | 'southbound'> {
  const northbound = new OvnNorthbound(servers.northbound);
  if (servers.southbound === undefined) return { northbound };
  return { northbound, southbound: new OvnSouthbound(servers.southbound, () => northbound.confirm()) };
}

/** The adapters of this machine: its files, programs, kernel and Open vSwitch. */
export function machineContainer(): Container {
  const container = new Container();
  container
    .bind(ports.clusterSource)
    .toConstantValue((paths, onProgress) => new ManifestFiles(paths, { onProgress, standardInput: process.stdin }));
  container.bind(ports.nodeSource).toConstantValue((nodeName, folder) => new CapturedNode(nodeName, folder));
  container.bind(ports.programs).toDynamicValue(() => new ExecaPrograms());
  container.bind(ports.resourceStore).toConstantValue((folder) => new FolderApi(folder));
  container
    .bind(ports.kubernetesStore)
    .toConstantValue(async (choice, scope) =>
      mapReading(await accessOf(choice), (access) => new KubernetesApi(new ApiServer(access), scope)),
    );
  container.bind(ports.serverCheck).toConstantValue(async (choice) =>
    mapReading(await accessOf(choice), (access) => {
      const server = new ApiServer(access);
      return ({ key, object }) => refusalByServer(server, key, object);
    }),
  );
  container
    .bind(ports.clusterApi)
    .toConstantValue(async (choice, scope) =>
      mapReading(await accessOf(choice), (access) => clusterApiOf(access, scope)),
    );
  container.bind(ports.liveNode).toConstantValue((databaseSocket, ovn, networkSettings) => ({
    hostNetwork: new IpNetwork(new ExecaPrograms()),
    switchDatabase: new OvsdbSwitch(databaseSocket),
    kernelSettings: new KernelSettingFiles('/proc', networkSettings),
    ledgerStore: new LedgerFile(),
    ...(ovn !== undefined && {
      datapath: {
        flowTables: new OfctlFlowTables(new ExecaPrograms(), dirname(databaseSocket)),
        ...ovnDatabases(ovn),
      },
    }),
  }));
  container.bind(ports.podDatabases).toConstantValue((databaseSocket, northbound) => {
    const logicalPorts = new OvnLogicalPorts(northbound);
    const switchPorts = new OvsdbSwitchPorts(databaseSocket);
    const locks = new NftLocks(new ExecaPrograms());
    return {
      logicalPorts,
      switchPorts,
      locks,
      close: () => {
        logicalPorts.close();
        switchPorts.close();
        locks.close();
      },
    };
  });
  container
    .bind(ports.controllerAccess)
    .toConstantValue(
      (southbound, databaseSocket, address) =>
        new SouthboundListener(southbound, unixServer(databaseSocket, 'Open vSwitch'), address),
    );
  container
    .bind(ports.runningBridges)
    .toConstantValue((databaseSocket) => new OfctlRunningBridges(new ExecaPrograms(), dirname(databaseSocket)));
  container.bind(ports.nodeLock).toDynamicValue(() => new AbstractSocketLock());
  return container;
}
