/**
 * Writes for the networks that ovn-uplinks provides, besides their statuses.
 */
import type { ClusterUserDefinedNetwork } from '../../domain/api/cluster-user-defined-network.ts';
import { ID_CLAIMS_NAME, NETWORK_ID_ANNOTATION } from '../../domain/basics/conventions.ts';
import type { ClaimsChange } from '../../domain/plan/view/network-ids.ts';
import type { NodeId, ObsoleteDefinition, ProvisionPlan } from '../../domain/plan/cluster/plan-provision.ts';
import type { ProvidedNetworkPlan } from '../../domain/plan/cluster/provided-network-plan.ts';
import type { DesiredAttachmentDefinition } from '../../domain/network/provision/attachment-definition.ts';
import type { ClusterSnapshot } from '../../domain/snapshot/cluster-snapshot.ts';
import { finalizerDifference } from '../../domain/status/differences.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import type { ProvidedMetadata, ProvisionStore } from '../../ports/provision-store.ts';
import { objectOf } from './named-object.ts';

/** A write of one object. */
export type ProvisionWrite =
  | { readonly do: 'store-claims'; readonly change: ClaimsChange }
  | { readonly do: 'write-node-id'; readonly nodeId: NodeId }
  | { readonly do: 'write-metadata'; readonly network: ProvidedMetadata }
  | { readonly do: 'write-definition'; readonly definition: DesiredAttachmentDefinition }
  | { readonly do: 'delete-definition'; readonly definition: ObsoleteDefinition };

/** The object that is written. */
export function writtenObject(write: ProvisionWrite): string {
  switch (write.do) {
    case 'store-claims':
      return objectOf({ kind: 'ConfigMap', namespace: write.change.namespace, name: ID_CLAIMS_NAME });
    case 'write-node-id':
      return objectOf({ kind: 'Node', name: write.nodeId.node });
    case 'write-metadata':
      return objectOf(write.network);
    case 'write-definition':
      return objectOf({ kind: 'NetworkAttachmentDefinition', ...write.definition.metadata });
    case 'delete-definition':
      return objectOf({ kind: 'NetworkAttachmentDefinition', ...write.definition });
  }
}

/** The networks that a NetworkAttachmentDefinition is of, by object. */
export function ownersOf({ metadata: { namespace, ownerReferences } }: DesiredAttachmentDefinition): readonly string[] {
  return ownerReferences.map(({ kind, name }) =>
    objectOf({ kind, ...(kind === 'UserDefinedNetwork' && { namespace }), name }),
  );
}

/** Whether a write is not to be done once some objects were refused: a network without its finalizer could be deleted under its pods. */
export function isBlocked(write: ProvisionWrite, refused: ReadonlyMap<string, string>): boolean {
  return write.do === 'write-definition' && ownersOf(write.definition).some((owner) => refused.has(owner));
}

/** Does a write. Never rejects. */
export function runWrite(write: ProvisionWrite, store: ProvisionStore): Promise<ApplyResult> {
  switch (write.do) {
    case 'store-claims':
      return store.storeClaims(write.change);
    case 'write-node-id':
      return store.writeNodeId(write.nodeId);
    case 'write-metadata':
      return store.writeMetadata(write.network);
    case 'write-definition':
      return store.writeDefinition(write.definition);
    case 'delete-definition':
      return store.deleteDefinition(write.definition);
  }
}

/** A network as it is stored. */
type StoredNetwork = Pick<ClusterUserDefinedNetwork, 'metadata' | 'status'>;

/** All networks of a cluster, by object. */
export function networksIn({ clusterUserDefinedNetworks, userDefinedNetworks }: ClusterSnapshot) {
  const named = (kind: string) => (network: StoredNetwork) =>
    [objectOf({ kind, ...network.metadata }), network] as const;
  return new Map<string, StoredNetwork>([
    ...clusterUserDefinedNetworks.map(named('ClusterUserDefinedNetwork')),
    ...userDefinedNetworks.map(named('UserDefinedNetwork')),
  ]);
}

/** The metadata of a network, if it differs from the stored one. */
function changedMetadata(
  { kind, namespace, name, uid, networkId, finalizers }: ProvidedNetworkPlan,
  stored: ReadonlyMap<string, StoredNetwork>,
): readonly ProvisionWrite[] {
  const id = networkId === undefined ? undefined : String(networkId);
  const { metadata } = stored.get(objectOf({ kind, namespace, name })) ?? {};
  const { added, removed } = finalizerDifference(finalizers, metadata?.finalizers ?? []);
  const hasId = id === undefined || metadata?.annotations?.[NETWORK_ID_ANNOTATION] === id;
  if (hasId && added.length + removed.length === 0) return [];
  const annotations = id === undefined ? {} : { [NETWORK_ID_ANNOTATION]: id };
  const named = { kind, name, ...(namespace !== undefined && { namespace }), ...(uid !== undefined && { uid }) };
  return [{ do: 'write-metadata', network: { ...named, annotations, finalizers } }];
}

/**
 * The writes that bring the objects of provided networks in line with a plan, in their order: claims of ids first, and the finalizer of a network before
 * its NetworkAttachmentDefinitions.
 */
export function provisionWrites(plan: ProvisionPlan | undefined, cluster: ClusterSnapshot): readonly ProvisionWrite[] {
  if (plan === undefined) return [];
  const { claims, nodeIds, networks, definitions, obsoleteDefinitions } = plan;
  const stored = networksIn(cluster);
  return [
    ...(claims === undefined ? [] : [{ do: 'store-claims' as const, change: claims }]),
    ...nodeIds.map((nodeId) => ({ do: 'write-node-id' as const, nodeId })),
    ...networks.flatMap((network) => changedMetadata(network, stored)),
    ...definitions.map((definition) => ({ do: 'write-definition' as const, definition })),
    ...obsoleteDefinitions.map((definition) => ({ do: 'delete-definition' as const, definition })),
  ];
}
