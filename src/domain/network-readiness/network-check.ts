/**
 * Can a network be programmed on this node, or what stands in the way? (API decisions, networks[] reasons)
 */
import type { ClusterUserDefinedNetwork } from '../api/cluster-user-defined-network.ts';
import type { DiscoveryFailure } from '../discovery/discovery.ts';
import type { NodeView } from '../discovery/node-view.ts';
import type { Conflict } from '../routing-domain/conflict.ts';
import type { RoutingDomain } from '../routing-domain/routing-domain.ts';
import type { UnclearSelector } from '../selection/node-config.ts';

/** Why an uplink cannot be used on a node now. */
export type UplinkUnusable =
  | { readonly cause: 'overlap'; readonly hostInterfaceNames: readonly string[] }
  | { readonly cause: 'unclear-selector'; readonly problem: UnclearSelector }
  | { readonly cause: 'unknown-type'; readonly type: string }
  | { readonly cause: 'discovery'; readonly failure: DiscoveryFailure };

/** What the checks look at: one network on one of its uplinks, on one node. */
export interface NetworkCheckInput {
  readonly network: ClusterUserDefinedNetwork;
  /** The network's id; absent while OVN-Kubernetes has not given it one. */
  readonly networkId: number | undefined;
  /** Name of the network's own VRF; absent while it depends on the id. */
  readonly ownVrf: string | undefined;
  readonly domain: RoutingDomain;
  readonly conflicts: readonly Conflict[];
  readonly uplinkUnusable: UplinkUnusable | undefined;
  /** Addresses of the uplink (CIDR), as far as discovery came. */
  readonly ipAddresses: readonly string[];
  readonly node: NodeView;
}

/** What stands in a network's way, with the facts that a person needs. `status/network-entry.ts` puts it in words. */
export type NetworkFailure =
  | { readonly reason: 'NetworkNotAllocated' }
  | { readonly reason: 'PrerequisiteMissing'; readonly device: string }
  | { readonly reason: 'UplinkConfigurationConflict'; readonly conflicts: readonly Conflict[] }
  | { readonly reason: 'UplinkOverlapOnNode'; readonly hostInterfaceNames: readonly string[] }
  | { readonly reason: 'UplinkNotReadyForNode'; readonly unusable: Exclude<UplinkUnusable, { cause: 'overlap' }> }
  | { readonly reason: 'UplinkVRFAttachmentFailed'; readonly cause: 'name-refused' | 'missing'; readonly vrf: string }
  | {
      readonly reason: 'UplinkVRFAttachmentFailed';
      readonly cause: 'other-device';
      /** Whose VRF it would be: the network's own, which is made where it can be, or one that RouteAdvertisements name. */
      readonly wanted: 'own' | 'named';
      readonly vrf: string;
      /** Kind of the device that bears the name; absent for one of the machine's own. */
      readonly kind?: string;
    }
  | {
      readonly reason: 'UplinkVRFAttachmentFailed';
      readonly cause: 'other-table';
      readonly vrf: string;
      readonly table: number | undefined;
      readonly expected: number;
    }
  | { readonly reason: 'AddressFamilyMissing'; readonly families: readonly (4 | 6)[] };

/** One check: nothing where it passes. */
export type NetworkCheck = (input: NetworkCheckInput) => NetworkFailure | undefined;
