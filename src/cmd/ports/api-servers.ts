/**
 * The ports to clusters, by their API servers. Most of a start would go to loading this, so it is loaded where a command has an API server.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { ApiServer } from '../../adapters/kubernetes/api-server.ts';
import { accessInCluster, accessOfKubeconfig, type ClusterAccess } from '../../adapters/kubernetes/cluster-access.ts';
import { startedWith as startedWithOf } from '../../adapters/kubernetes/cluster-settings.ts';
import { verdictOfServer } from '../../adapters/kubernetes/dry-run.ts';
import { KubernetesApi } from '../../adapters/kubernetes/kubernetes-api.ts';
import { KubernetesEvents } from '../../adapters/kubernetes/kubernetes-events.ts';
import { LeaseLeadership } from '../../adapters/kubernetes/lease-leadership.ts';
import { describeProblem, type Reading } from '../../ports/input-problem.ts';
import { mapReading } from '../../ports/readings.ts';
import type {
  ClusterApi,
  ClusterApiFactory,
  KubeconfigChoice,
  KubernetesScope,
  KubernetesStoreFactory,
  ServerCheckFactory,
  StartedWithFactory,
} from './container.ts';

function accessOf({ files, context }: KubeconfigChoice): Promise<Reading<ClusterAccess>> {
  return files === undefined ? accessInCluster(process.env) : accessOfKubeconfig(files, context);
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

/** A store of cluster objects from an API server. */
export const kubernetesStore: KubernetesStoreFactory = async (choice, scope) =>
  mapReading(
    await accessOf(choice),
    (access) => new KubernetesApi(new ApiServer(access, choice.requestTimeout), scope),
  );

/** The settings that the agents of a cluster were started with. */
export const startedWith: StartedWithFactory = async (choice, namespace) => {
  const access = await accessOf(choice);
  if (!access.read) return { outcome: 'unusable', message: access.problems.map(describeProblem).join('; ') };
  const server = new ApiServer(access.value, choice.requestTimeout);
  const reading = await startedWithOf(server, namespace);
  server.close();
  return reading;
};

/** The validation of objects by dry runs on an API server. */
export const serverCheck: ServerCheckFactory = async (choice) =>
  mapReading(await accessOf(choice), (access) => {
    const server = new ApiServer(access, choice.requestTimeout);
    return ({ key, object }) => verdictOfServer(server, key, object);
  });

/** Needs of the cluster manager in a cluster with an API server. */
export const clusterApi: ClusterApiFactory = async (choice, scope) =>
  mapReading(await accessOf(choice), (access) => clusterApiOf(access, scope));
