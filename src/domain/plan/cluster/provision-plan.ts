/** Everything that the networks that ovn-uplinks provides need in the cluster: ids, NetworkAttachmentDefinitions, finalizers, conditions. */
import type { ClaimsChange } from '../../network/allocation/id-claim.ts';
import type { DesiredAttachmentDefinition } from '../../network/provision/attachment-definition.ts';
import type { Warning } from '../view/warning.ts';
import type { ProvidedNetworkPlan } from './provided-network-plan.ts';
import type { ServicesPlan } from './services-plan.ts';

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
  readonly services: ServicesPlan;
  /** About ids, chassis and addresses of tunnels that two nodes have, and namespaces that two networks select, and names of mirrors that others have. */
  readonly warnings: readonly Warning[];
  /** The change of the claims of ids, if there is one. Ids can be used once it is stored. */
  readonly claims?: ClaimsChange;
}
