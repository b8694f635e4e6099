/** Everything that is decided about a tenant: by the cluster manager, and on nodes. */
import { keyOfNetwork, networkNameOfKey } from '../../../domain/network/key.ts';
import type { NodeSnapshot } from '../../../domain/snapshot/node-snapshot.ts';
import type { Case } from '../../case.ts';
import type { Engine } from '../../engine.ts';
import { decidedAsAWhole } from '../isolated.ts';
import { BalancedNode, servedObjects } from './balanced-node.ts';
import { isOf, type Namespaced, ownOf, type Tenant } from './tenants.ts';

/** Decisions of the cluster manager. What is allocated to networks is compared with them: claims are stored. */
function decidedInCluster(engine: Engine, tenant: Tenant, { cluster, settings }: Case) {
  const { networks, provision, warnings } = engine.planCluster(cluster, settings);
  const own = <T extends { readonly namespace?: string }>(list: readonly T[] = []) =>
    list.filter(({ namespace }) => isOf(tenant, namespace));
  const ownWrites = <T extends Namespaced>(list: readonly T[] = []) => ownOf(list, tenant);
  const isOwn = ({ namespace, name }: { readonly namespace?: string; readonly name: string }) => {
    const kind = namespace === undefined ? 'ClusterUserDefinedNetwork' : 'UserDefinedNetwork';
    return keyOfNetwork({ kind, metadata: { name, ...(namespace !== undefined && { namespace }) } }) === tenant.network;
  };
  const services = provision?.services;
  return {
    networks: [...networks.filter(isOwn), ...(provision?.networks.filter(isOwn) ?? [])],
    definitions: ownWrites(provision?.definitions),
    obsoleteDefinitions: own(provision?.obsoleteDefinitions),
    warningsOfNetwork: [...warnings, ...(provision?.warnings ?? [])].filter(({ object }) => object === tenant.network),
    unlabelled: own(services?.unlabelled),
    mirrors: ownWrites(services?.mirrors),
    obsoleteMirrors: own(services?.obsoleteMirrors),
    names: ownWrites(services?.names),
    obsoleteNames: own(services?.obsoleteNames),
    warnings: own(services?.warnings),
  };
}

/** Load balancers of the Services of a tenant, on a node. */
function loadBalancersOf(engine: Engine, tenant: Tenant, subject: Case) {
  const node = new BalancedNode(engine, subject);
  node.update(servedObjects(engine, subject));
  return node.stored.list
    .filter(({ owner }) => isOf(tenant, owner.split('/')[0]))
    .map(({ uuid: _, ...balancer }) => balancer);
}

/** Decisions about the network of a tenant on a node, and about its pods there. What nodes report of all networks together is left out. */
function decidedOnNode(engine: Engine, tenant: Tenant, { cluster, settings }: Case, node: NodeSnapshot) {
  const plan = engine.planNode(cluster, node, settings);
  const zone = plan.zones?.find(({ object }) => object === tenant.network);
  return {
    isProgrammed: zone !== undefined && zone.failure === undefined,
    uplinks: plan.networks.filter(({ key }) => key === tenant.network),
    network: decidedAsAWhole(engine, plan, node).get(networkNameOfKey(tenant.network)),
    warnings: plan.warnings.filter(({ object }) => object === tenant.network),
    pods: ownOf(cluster.pods, tenant).map(({ metadata: { namespace = 'default', name, uid = '' } }) =>
      engine.podOnNode({ namespace, name, uid }, node.nodeName, cluster, settings),
    ),
  };
}

/** Everything that is decided about a tenant. */
export function decidedAbout(engine: Engine, tenant: Tenant, subject: Case) {
  return {
    ...decidedInCluster(engine, tenant, subject),
    loadBalancers: loadBalancersOf(engine, tenant, subject),
    nodes: subject.nodes.map((node) => decidedOnNode(engine, tenant, subject, node)),
  };
}
