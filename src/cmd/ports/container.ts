/**
 * Ports of commands: to the machine they run on, and to clusters. Nothing is loaded here: machine-container.ts has the adapters.
 */
import type { PodDatabases } from '../../control/pods/pod-ports.ts';
import type { ServiceIdentifier } from 'inversify';
import type { StartedWithReading } from '../../adapters/kubernetes/cluster-settings.ts';
import type { KubernetesScope } from '../../adapters/kubernetes/kubernetes-scope.ts';
import type { DefaultServiceSettings } from '../../domain/pods/default-services.ts';
import type { ManifestObject } from '../../adapters/manifests/manifest-object.ts';
import type { Verdict } from '../../adapters/manifests/validate-manifests.ts';
import type { DatabaseServer } from '../../adapters/ovsdb/server.ts';
import type { NodePorts } from '../../control/node/ports.ts';
import type { ControllerAccess } from '../../ports/cluster/controller-access.ts';
import type { ClusterServices } from '../../ports/cluster/cluster-services.ts';
import type { ClusterReport } from '../../ports/cluster/cluster-report.ts';
import type { ClusterSource } from '../../ports/cluster/cluster-source.ts';
import type { Reading } from '../../ports/input-problem.ts';
import type { Leadership } from '../../ports/cluster/leadership.ts';
import type { NodeLock } from '../../ports/node/node-lock.ts';
import type { NodeSource } from '../../ports/node/node-source.ts';
import type { ObjectWarnings } from '../../ports/cluster/object-warnings.ts';
import type { PodAnnotations } from '../../ports/cluster/pod-annotations.ts';
import type { Programs } from '../../ports/node/programs.ts';
import type { LoadBalancers } from '../../ports/node/load-balancers.ts';
import type { ServiceConnections } from '../../ports/node/service-connections.ts';
import type { ResourceStore } from '../../ports/cluster/resource-store.ts';
import type { ServedObjectsSource } from '../../ports/cluster/served-objects.ts';
import type { RunningBridges } from '../../ports/node/running-bridges.ts';
import type { SwitchDatabase } from '../../ports/node/switch-database.ts';
import type { OvnServers } from './ovn-servers.ts';

/** Which kubeconfig files are used, as one, and which context of them; the service account of the pod where they are absent. */
export interface KubeconfigChoice {
  readonly files?: readonly string[];
  readonly context?: string;
  /** Milliseconds without an answer after which a request fails; 0 for none. Absent for what agents use. */
  readonly requestTimeout?: number;
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

/** Access of an agent to the API of a cluster. */
export type AgentStore = ResourceStore & {
  /** URL of the API server; absent where a folder of files is the API. */
  readonly url?: string;
  /** Writer of the annotations of pods; absent there too. */
  readonly podAnnotations?: PodAnnotations;
  /** Watches the Services that pods reach by the default network; absent there too. */
  readonly clusterServices?: (settings: DefaultServiceSettings) => ClusterServices;
  /** Watches the Services that ovn-uplinks serves; absent there too. */
  readonly servedObjects?: () => ServedObjectsSource;
  /** Has people see warnings with objects; absent there too. @param node the name of this node */
  readonly objectWarnings?: (node: string) => ObjectWarnings;
};

/** Creates a store of cluster objects from an API server, or returns why there is none: it need not answer. */
export type KubernetesStoreFactory = (choice: KubeconfigChoice, scope: KubernetesScope) => Promise<Reading<AgentStore>>;

/** Validates an object by a dry run on an API server. */
export type ServerCheck = (object: ManifestObject) => Promise<Verdict>;

/** Creates a ServerCheck, or returns why the API server cannot be reached. */
export type ServerCheckFactory = (choice: KubeconfigChoice) => Promise<Reading<ServerCheck>>;

/**
 * Reads the settings that the agents of a cluster were started with.
 *
 * @param namespace of ovn-uplinks
 */
export type StartedWithFactory = (choice: KubeconfigChoice, namespace: string) => Promise<StartedWithReading>;

/** Needs of the cluster manager in a cluster. */
export interface ClusterApi {
  readonly store: ResourceStore;
  readonly leadership: Leadership;
  /** Has people see a report with the object that it is about. */
  record(report: ClusterReport): void;
  /** Releases all resources. Never rejects. */
  close(): Promise<void>;
}

/** Creates a ClusterApi for an API server, or returns why the API server cannot be reached. */
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

/** Creates the ports to the databases with ports of pods, with the socket of Open vSwitch's database. */
export type PodDatabasesFactory = (databaseSocket: string, northbound: DatabaseServer) => PodDatabases;

/** Creates the port to the load balancers of Services. */
export type LoadBalancersFactory = (northbound: DatabaseServer) => LoadBalancers;

/** Creates the port to the connections of pods to Services, with the socket of Open vSwitch's database. */
export type ServiceConnectionsFactory = (
  databaseSocket: string,
  database: Pick<SwitchDatabase, 'read'>,
) => ServiceConnections;

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
  startedWith: Symbol('StartedWith') as ServiceIdentifier<StartedWithFactory>,
  clusterApi: Symbol('ClusterApi') as ServiceIdentifier<ClusterApiFactory>,
  kubernetesStore: Symbol('KubernetesStore') as ServiceIdentifier<KubernetesStoreFactory>,
  liveNode: Symbol('LiveNode') as ServiceIdentifier<LiveNodeFactory>,
  podDatabases: Symbol('PodDatabases') as ServiceIdentifier<PodDatabasesFactory>,
  serviceConnections: Symbol('ServiceConnections') as ServiceIdentifier<ServiceConnectionsFactory>,
  loadBalancers: Symbol('LoadBalancers') as ServiceIdentifier<LoadBalancersFactory>,
  nodeLock: Symbol('NodeLock') as ServiceIdentifier<NodeLock>,
  clusterSource: Symbol('ClusterSource') as ServiceIdentifier<ClusterSourceFactory>,
  nodeSource: Symbol('NodeSource') as ServiceIdentifier<NodeSourceFactory>,
  runningBridges: Symbol('RunningBridges') as ServiceIdentifier<RunningBridgesFactory>,
  programs: Symbol('Programs') as ServiceIdentifier<Programs>,
};
