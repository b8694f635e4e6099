import type { ClaimsChange } from '../domain/plan/view/network-ids.ts';
import type { NodeId, ObsoleteDefinition } from '../domain/plan/cluster/plan-provision.ts';
import type { DesiredAttachmentDefinition } from '../domain/network/provision/attachment-definition.ts';
import type { TimedCondition } from '../domain/status/transition-times.ts';
import type { ApplyResult } from './apply-result.ts';

/** A ClusterUserDefinedNetwork or UserDefinedNetwork that ovn-uplinks provides. */
export interface ProvidedNetwork {
  readonly kind: 'ClusterUserDefinedNetwork' | 'UserDefinedNetwork';
  /** Absent for a ClusterUserDefinedNetwork. */
  readonly namespace?: string;
  readonly name: string;
  readonly uid?: string;
}

/** Writes to the metadata of a network. */
export interface ProvidedMetadata extends ProvidedNetwork {
  /** Our annotations; those of others are kept. */
  readonly annotations: Readonly<Record<string, string>>;
  /** All finalizers, including those of others. */
  readonly finalizers: readonly string[];
}

/** Writes to the status of a network. */
export interface ProvidedStatus extends ProvidedNetwork {
  /** All our conditions; those of others are kept. */
  readonly conditions: readonly TimedCondition[];
  /** Names of the namespaces that have it. */
  readonly activeNamespaces: readonly string[];
  /** Number of pods that have addresses in it. */
  readonly attachedPods: number;
}

/**
 * Writes of the cluster manager for the networks that ovn-uplinks provides. Nothing rejects. A write fails if its object was deleted meanwhile, or deleted
 * and created again: it is for the object with the given uid.
 */
export interface ProvisionStore {
  /** Stores claims of ids. Fails if the stored ones, or the reports of nodes that let claims end, are not those that the change was decided on. */
  storeClaims(change: ClaimsChange): Promise<ApplyResult>;
  /** Writes the id of a node that has none. */
  writeNodeId(nodeId: NodeId): Promise<ApplyResult>;
  writeMetadata(network: ProvidedMetadata): Promise<ApplyResult>;
  writeProvidedStatus(status: ProvidedStatus): Promise<ApplyResult>;
  /** Creates a NetworkAttachmentDefinition, or restores the one with its uid. Fails if another program has created one of the name. */
  writeDefinition(definition: DesiredAttachmentDefinition): Promise<ApplyResult>;
  /** Deletes a NetworkAttachmentDefinition and its finalizer; those of others stay. */
  deleteDefinition(definition: ObsoleteDefinition): Promise<ApplyResult>;
}
