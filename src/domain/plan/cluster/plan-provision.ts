/**
 * Plans what the networks that ovn-uplinks provides need in the cluster: ids, NetworkAttachmentDefinitions, finalizers, conditions.
 */
import { keyOfNetwork } from '../../network/key.ts';
import type { Network } from '../../network/network.ts';
import type { NetworkAttachmentDefinition } from '../../api/network-attachment-definition.ts';
import { NETWORK_FINALIZER } from '../../basics/conventions.ts';
import { groupBy } from '../../basics/names/grouping.ts';
import { by } from '../../basics/names/ordering.ts';
import type { ClaimsChange } from '../../network/allocation/id-claim.ts';
import type { DesiredAttachmentDefinition } from '../../network/provision/attachment-definition.ts';
import { isOf, isOwn } from '../../network/provision/namespace-attachment.ts';
import { nodeIdOf } from '../../selection/node-network.ts';
import type { ClusterSettings } from '../../snapshot/settings.ts';
import { clusterSubnets, uplinkSubnets } from '../view/cluster-subnets.ts';
import type { ClusterView } from '../view/cluster-view.ts';
import { clusterIds } from '../view/network-ids.ts';
import { type ProvidedNetworkPlan, planProvidedNetwork, type Provision } from './provided-network-plan.ts';
import { disputeWarnings, nodeIdDisputes } from '../view/node-id-disputes.ts';
import { namespacesFor, podsIn, networksIn } from '../view/provided-networks.ts';
import { sharedNamespacesWarnings } from '../view/shared-namespaces.ts';
import { endpointWarnings } from '../view/tunnel-endpoints.ts';
import type { Warning } from '../view/warning.ts';

/** A NetworkAttachmentDefinition to delete. */
export interface ObsoleteDefinition {
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string;
}

/** The id of a node that has none. */
export interface NodeId {
  readonly node: string;
  readonly uid?: string;
  readonly id: number;
}

/** Everything that was decided for the networks that ovn-uplinks provides. */
export interface ProvisionPlan {
  /** By object. */
  readonly networks: readonly ProvidedNetworkPlan[];
  /** The NetworkAttachmentDefinitions to create or to change, by namespace and name. */
  readonly definitions: readonly DesiredAttachmentDefinition[];
  /** Those to delete, by namespace and name. */
  readonly obsoleteDefinitions: readonly ObsoleteDefinition[];
  /** The ids to write to Nodes, by name. */
  readonly nodeIds: readonly NodeId[];
  /** About ids, chassis and addresses of tunnels that two nodes have, and namespaces that two networks select. */
  readonly warnings: readonly Warning[];
  /** The change of the claims of ids, if there is one. Ids can be used once it is stored. */
  readonly claims?: ClaimsChange;
}

const keyOf = ({ namespace = '', name }: { readonly namespace?: string | undefined; readonly name: string }) =>
  `${namespace}/${name}`;

/** Managed NetworkAttachmentDefinitions whose network no longer exists, and which nothing uses. */
function orphans({ snapshot }: ClusterView, networks: readonly Network[]): readonly NetworkAttachmentDefinition[] {
  const uids = new Set(networks.map(({ metadata }) => metadata.uid ?? ''));
  return snapshot.networkAttachmentDefinitions.filter(
    (definition) =>
      isOwn(definition) &&
      definition.metadata.finalizers?.includes(NETWORK_FINALIZER) === true &&
      (definition.metadata.ownerReferences ?? []).every(({ uid }) => !uids.has(uid)) &&
      !networks.some((network) => isOf(network, definition)) &&
      podsIn(definition.metadata.namespace ?? 'default', snapshot).length === 0,
  );
}

/** Plans the networks that ovn-uplinks provides; undefined if it provides none. */
export function planProvision(view: ClusterView, settings: ClusterSettings): ProvisionPlan | undefined {
  const { snapshot } = view;
  if (settings.providedNetworks === 'none') return undefined;
  const all = networksIn(snapshot, settings);
  const networks = all.filter((network) => network.providedBy === 'us');
  const ids = clusterIds(view);
  const pairs = networks.flatMap((network) =>
    namespacesFor(network, snapshot).map(({ metadata: { name } }) => ({ name, network })),
  );
  const provision: Provision = {
    view,
    ids,
    byNamespace: new Map(
      [...groupBy(pairs, ({ name }) => name)].map(([name, found]) => [name, found.map(({ network }) => network)]),
    ),
    used: clusterSubnets(snapshot.nodes, settings),
    usedByUplinks: uplinkSubnets(snapshot),
  };
  const planned = networks.map((network) => planProvidedNetwork(network, provision));
  // While a network cannot be read, the owner of its NetworkAttachmentDefinitions is unknown.
  const isKnown =
    view.unreadable('clusterUserDefinedNetworks').size + view.unreadable('userDefinedNetworks').size === 0;
  const obsolete = [...planned.flatMap((each) => each.obsolete), ...(isKnown ? orphans(view, all) : [])];
  return {
    networks: planned.map(({ plan }) => plan).sort(by((plan) => keyOfNetwork({ ...plan, metadata: plan }))),
    definitions: planned.flatMap((each) => each.definitions).sort(by(({ metadata }) => keyOf(metadata))),
    obsoleteDefinitions: obsolete
      .map(({ metadata: { namespace = 'default', name, uid } }) => ({
        namespace,
        name,
        ...(uid !== undefined && { uid }),
      }))
      .sort(by(keyOf)),
    nodeIds: [...ids.nodes]
      .flatMap(([name, decision]): readonly NodeId[] => {
        const node = view.nodes.byName.get(name);
        if (decision.kind !== 'claimed' || node === undefined || nodeIdOf(node) !== undefined) return [];
        const { uid } = node.metadata;
        return [{ node: name, ...(uid !== undefined && { uid }), id: decision.id }];
      })
      .sort(by(({ node }) => node)),
    warnings: [
      ...nodeIdDisputes(snapshot.nodes, ids.nodes).flatMap(disputeWarnings),
      ...endpointWarnings(view),
      ...sharedNamespacesWarnings(snapshot, settings),
    ],
    ...(ids.claims && { claims: ids.claims }),
  };
}
