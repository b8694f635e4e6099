import type { KindKey } from '../../../domain/api/kinds.ts';
import type { ClusterSnapshot } from '../../../domain/snapshot/cluster-snapshot.ts';
import { isMirror } from '../../../domain/services/slices.ts';
import type { Case } from '../../case.ts';
import type { Engine } from '../../engine.ts';
import { StoredSlices, writesOfServices } from '../../stored-slices.ts';
import type { CaseLabels } from '../labels.ts';
import { assertSame } from '../violation.ts';
import { BalancedNode, keyOf, servedObjects } from './balanced-node.ts';

const law = 'fails static';

/** The lists that mirrors, and slices of names, follow from. */
const lists = [
  'clusterUserDefinedNetworks',
  'namespaces',
  'services',
  'pods',
  'endpointSlices',
] as const satisfies readonly KindKey[];

type UnreadKind = (typeof lists)[number] | 'networkAttachmentDefinitions';
type Listed = ClusterSnapshot[UnreadKind][number];

/** The cluster in which no object of a list can be read, but for mirrors. */
function unread(cluster: ClusterSnapshot, kind: UnreadKind): ClusterSnapshot {
  const isLeft = (object: Listed) => kind === 'endpointSlices' && isMirror(object);
  const objects: readonly Listed[] = cluster[kind];
  return {
    ...cluster,
    [kind]: objects.filter(isLeft),
    unreadable: objects
      .filter((object) => !isLeft(object))
      .map(({ metadata: { namespace, name } }) => ({ kind, ...(namespace !== undefined && { namespace }), name })),
  };
}

/** The cluster in which no network selects a namespace any more where one is: pods that are there stay in theirs. */
function unselected({ namespaces, ...cluster }: ClusterSnapshot): ClusterSnapshot {
  const there = new Set(cluster.networkAttachmentDefinitions.map(({ metadata }) => metadata.namespace));
  return {
    ...cluster,
    namespaces: namespaces.map((namespace) => {
      const { tenant: _tenant, ...labels } = namespace.metadata.labels ?? {};
      return there.has(namespace.metadata.name)
        ? { ...namespace, metadata: { ...namespace.metadata, labels } }
        : namespace;
    }),
  };
}

/** Clusters of which less can be read, or in which networks have no new pods, by what they are. */
const clustersOfNodes: Readonly<Record<string, (cluster: ClusterSnapshot) => ClusterSnapshot>> = {
  'networks cannot be read': (cluster) => unread(cluster, 'clusterUserDefinedNetworks'),
  'namespaces cannot be read': (cluster) => unread(cluster, 'namespaces'),
  'no network selects a namespace': unselected,
  'no network selects a namespace, and it cannot be read in which they are': (cluster) =>
    unread(unselected(cluster), 'networkAttachmentDefinitions'),
};

/** Checks that nothing takes load balancers away from a node. Returns whether one leads anywhere. */
function checkOnNode(engine: Engine, subject: Case): boolean {
  const node = new BalancedNode(engine, subject);
  const objects = servedObjects(engine, subject);
  node.update(objects);
  const assertNone = (where: string, ...update: Parameters<BalancedNode['update']>) => {
    assertSame(law, `changes of load balancers where ${where}, and none,`, node.update(...update).changes, []);
    assertSame(law, `changes after that, and none,`, node.update(objects).changes, []);
  };
  const [services, slices] = [objects.services.map(keyOf), objects.slices.map(keyOf)];
  assertNone('Services cannot be read', { ...objects, services: [], unreadable: { services, slices: [] } });
  assertNone('EndpointSlices cannot be read', { ...objects, slices: [], unreadable: { services: [], slices } });
  for (const [where, see] of Object.entries(clustersOfNodes))
    assertNone(where, objects, node.networksIn(see(subject.cluster)));
  return node.stored.list.some(({ vips }) => Object.values(vips).some((endpoints) => endpoints !== ''));
}

/**
 * Law: what cannot be read takes no endpoint away, neither from mirrors nor from load balancers; nor does a network that has pods only which are there already. Where
 * there is no list at all, there is no plan either.
 */
export function checkFailsStatic(engine: Engine, subject: Case): CaseLabels {
  const { cluster, settings } = subject;
  const writesFor = (snapshot: ClusterSnapshot) => {
    const { provision } = engine.planCluster(snapshot, { ...settings });
    return provision === undefined ? [] : writesOfServices(provision.services);
  };
  const slices = new StoredSlices(cluster.endpointSlices);
  for (const write of writesFor(cluster)) slices.write(write);
  const stored = { ...cluster, endpointSlices: slices.list };
  for (const kind of lists)
    assertSame(law, `writes for Services where ${kind} cannot be read, and none,`, writesFor(unread(stored, kind)), []);
  const hasEndpoint = slices.list.some((slice) => isMirror(slice) && (slice.endpoints ?? []).length > 0);
  return [...(hasEndpoint ? ['endpoint'] : []), ...(checkOnNode(engine, subject) ? ['load balancer'] : [])];
}
