import type { EndpointSlice } from '../../../domain/api/endpoint-slice.ts';
import { keyOfNetwork, type NetworkKey } from '../../../domain/network/key.ts';
import type { ClusterSnapshot } from '../../../domain/snapshot/cluster-snapshot.ts';
import type { Case } from '../../case.ts';
import type { Engine } from '../../engine.ts';
import type { CaseLabels } from '../labels.ts';
import { assertSame } from '../violation.ts';
import { BalancedNode, servedObjects } from './balanced-node.ts';

const law = 'separate';

/** A tenant: a network, and the namespaces that it is in. */
interface Tenant {
  readonly network: NetworkKey;
  readonly namespaces: ReadonlySet<string>;
}

/** The tenants of a cluster. */
function tenantsOf(engine: Engine, { cluster, settings }: Case): readonly Tenant[] {
  const found = new Map<NetworkKey, Set<string>>();
  for (const { metadata } of cluster.namespaces) {
    const of = engine.networkOfServices(metadata.name, cluster, settings);
    if (of.kind === 'ours') found.set(of.network.key, (found.get(of.network.key) ?? new Set()).add(metadata.name));
  }
  return [...found].map(([network, namespaces]) => ({ network, namespaces }));
}

interface Namespaced {
  readonly metadata: { readonly namespace?: string };
}

const isOf = ({ namespaces }: Tenant, namespace = 'default') => namespaces.has(namespace);

/** Everything that is decided about a tenant. */
function decidedAbout(engine: Engine, tenant: Tenant, subject: Case) {
  const { networks, provision } = engine.planCluster(subject.cluster, subject.settings);
  const own = <T extends { readonly namespace?: string }>(list: readonly T[] = []) =>
    list.filter(({ namespace }) => isOf(tenant, namespace));
  const ownWrites = <T extends Namespaced>(list: readonly T[] = []) =>
    list.filter(({ metadata }) => isOf(tenant, metadata.namespace));
  const isOwn = ({ namespace, name }: { readonly namespace?: string; readonly name: string }) => {
    const kind = namespace === undefined ? 'ClusterUserDefinedNetwork' : 'UserDefinedNetwork';
    return keyOfNetwork({ kind, metadata: { name, ...(namespace !== undefined && { namespace }) } }) === tenant.network;
  };
  const services = provision?.services;
  const node = new BalancedNode(engine, subject);
  node.update(servedObjects(engine, subject));
  return {
    networks: [...networks.filter(isOwn), ...(provision?.networks.filter(isOwn) ?? [])],
    unlabelled: own(services?.unlabelled),
    mirrors: ownWrites(services?.mirrors),
    obsoleteMirrors: own(services?.obsoleteMirrors),
    names: ownWrites(services?.names),
    obsoleteNames: own(services?.obsoleteNames),
    warnings: own(services?.warnings),
    loadBalancers: node.stored.list
      .filter(({ owner }) => isOf(tenant, owner.split('/')[0]))
      .map(({ uuid: _, ...balancer }) => balancer),
  };
}

/** The copies of objects of a tenant in all other namespaces, which claim to be what these are. */
function copies<T extends Namespaced>(list: readonly T[], tenant: Tenant, others: readonly string[]): readonly T[] {
  const own = list.filter(({ metadata }) => isOf(tenant, metadata.namespace));
  return others.flatMap((namespace) => own.map((each) => ({ ...each, metadata: { ...each.metadata, namespace } })));
}

/** Clusters in which all objects of other tenants are others, by what these are. */
const changes: Readonly<
  Record<string, (cluster: ClusterSnapshot, tenant: Tenant, mirrors: readonly EndpointSlice[]) => ClusterSnapshot>
> = {
  'nobody else has anything': (cluster, tenant) => {
    const own = <T extends Namespaced>(list: readonly T[]) =>
      list.filter(({ metadata }) => isOf(tenant, metadata.namespace));
    const { pods, services, endpointSlices } = cluster;
    return { ...cluster, pods: own(pods), services: own(services), endpointSlices: own(endpointSlices) };
  },
  'others have copies of everything': (cluster, tenant, mirrors) => {
    const others = cluster.namespaces.map(({ metadata }) => metadata.name).filter((name) => !isOf(tenant, name));
    // In front of the originals: the first one of two must not win.
    const withCopies = <T extends Namespaced>(list: readonly T[], copied = list) => [
      ...copies(copied, tenant, others),
      ...list.filter(({ metadata }) => isOf(tenant, metadata.namespace)),
    ];
    const { pods, services, endpointSlices } = cluster;
    return {
      ...cluster,
      pods: withCopies(pods),
      services: withCopies(services),
      endpointSlices: withCopies(endpointSlices, [...endpointSlices, ...mirrors]),
    };
  },
};

/** Law: whatever Services, EndpointSlices and pods other tenants have, the same is decided about a tenant. */
export function checkSeparate(engine: Engine, subject: Case): CaseLabels {
  const { cluster, settings } = subject;
  if (cluster.services.length === 0) return [];
  const { slices } = servedObjects(engine, subject);
  return tenantsOf(engine, subject).flatMap((tenant): CaseLabels => {
    const decided = decidedAbout(engine, tenant, subject);
    for (const [what, change] of Object.entries(changes)) {
      const changed = { nodes: [], settings, cluster: change(cluster, tenant, slices) };
      const without = `decisions about tenant ${tenant.network}, and those where ${what},`;
      assertSame(law, without, decided, decidedAbout(engine, tenant, changed));
    }
    return [
      ...(decided.mirrors.length > 0 ? ['mirror'] : []),
      ...(decided.loadBalancers.length > 0 ? ['load balancer'] : []),
    ];
  });
}
