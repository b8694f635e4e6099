/**
 * Can a network be programmed on this node, and if not, why? (docs/design/api-decisions.md, "networks[]")
 */
import type { ClusterUserDefinedNetwork } from '../api/cluster-user-defined-network.ts';
import type { DiscoveryFailure } from '../discovery/discovery.ts';
import type { UnknownDatapath } from '../dataplane/network-datapath.ts';
import type { NetworkDataplane } from '../dataplane/network-dataplane.ts';
import type { NodeView } from '../snapshot/node-view.ts';
import type { Conflict } from '../routing-domain/conflict.ts';
import type { VrfDecision } from '../routing-domain/network-vrf.ts';
import type { UnclearSelector } from '../selection/node-config.ts';
import type { LastWayOut } from './last-way-out.ts';

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
  readonly vrf: VrfDecision;
  readonly conflicts: readonly Conflict[];
  readonly uplinkUnusable: UplinkUnusable | undefined;
  /** Addresses of the uplink (CIDR), as far as discovery came. */
  readonly ipAddresses: readonly string[];
  /** What the node must have for the network; absent if that is unknown. */
  readonly dataplane: NetworkDataplane | undefined;
  /** Why it is not known what its packets need; absent where it is, or where that is not programmed. */
  readonly unknownDatapath: UnknownDatapath | undefined;
  /** InternalIP addresses of the Node object. */
  readonly internalIps: readonly string[];
  /** The node as it will be once everything that was displaced is back. */
  readonly node: NodeView;
}

/** What whoever provides the network itself has to add on the node before its uplink can be programmed. */
export type Prerequisite =
  | { readonly kind: 'device'; readonly device: string }
  | { readonly kind: 'node-id'; readonly node: string }
  | { readonly kind: 'pod-subnets'; readonly node: string; readonly networkName: string }
  /** A row of OVN's Northbound database. */
  | { readonly kind: 'row'; readonly table: string; readonly name: string };

/** Why a network cannot be programmed, with the facts that a person needs. `status/network-entry.ts` puts it in words. */
export type NetworkFailure =
  | { readonly reason: 'NetworkNotAllocated' }
  | { readonly reason: 'PrerequisiteMissing'; readonly missing: Prerequisite }
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
      /** Kind of the device with the name; absent for one of the machine's own. */
      readonly kind?: string;
      /** The device's own name, if the name is one of its alternative names. */
      readonly alternativeNameOf?: string;
    }
  | {
      readonly reason: 'UplinkVRFAttachmentFailed';
      readonly cause: 'other-table';
      readonly vrf: string;
      readonly table: number | undefined;
      readonly expected: number;
    }
  | {
      readonly reason: 'UplinkVRFAttachmentFailed';
      /** Our own VRF has to be recreated with another table, and entities of other programs would go with it. */
      readonly cause: 'occupied';
      readonly vrf: string;
      /** What it is and where, as a clause: "br-two is in it". */
      readonly occupant: string;
      readonly expected: number;
    }
  | {
      readonly reason: 'UplinkVRFAttachmentFailed';
      /** Somebody else's VRF has the table that the network's own one needs. */
      readonly cause: 'table-taken';
      readonly vrf: string;
      readonly table: number;
      readonly other: string;
    }
  | {
      readonly reason: 'UplinkVRFAttachmentFailed';
      readonly cause: 'other-master';
      readonly device: string;
      readonly master: string;
      /** The VRF that it should be in; absent where it should be in none. */
      readonly vrf?: string;
      /** The network that is held there; absent where ovn-uplinks did not set the master. */
      readonly heldNetwork?: string;
    }
  | {
      readonly reason: 'UplinkVRFAttachmentFailed';
      readonly cause: 'cuts-node-off';
      readonly device: string;
      readonly vrf: string;
      /** The node's address on the interface or on a VLAN device on it, or the family whose last default route uses it. */
      readonly by: { readonly address: string; readonly vlan?: string } | LastWayOut;
    }
  | {
      readonly reason: 'UplinkVRFAttachmentFailed';
      /** The kernel would drop something that cannot be made again as it is. */
      readonly cause: 'cannot-be-put-back';
      readonly device: string;
      readonly thing: string;
      /** Attributes that this project does not know; the kernel's refusal to add it again; or a source that would leave as well. */
      readonly by:
        | { readonly attributes: readonly string[] }
        | { readonly refusal: string }
        | { readonly source: string; readonly bearer: string };
    }
  | {
      readonly reason: 'UplinkVRFAttachmentFailed';
      /** The kernel would set a VLAN device on the interface up that is administratively down. */
      readonly cause: 'takes-up';
      readonly device: string;
      readonly stacked: string;
    }
  | {
      readonly reason: 'UplinkVRFAttachmentFailed';
      /** Somebody else's route, rule or neighbour is where ours would be, and says something else. */
      readonly cause: 'in-the-way';
      readonly wanted: string;
      readonly found: string;
    }
  | { readonly reason: 'AddressFamilyMissing'; readonly families: readonly (4 | 6)[] }
  | {
      readonly reason: 'UplinkBridgeMappingFailed';
      readonly cause: 'mapped-elsewhere';
      readonly networkName: string;
      readonly wanted: string;
      readonly found: string;
    }
  | {
      readonly reason: 'UplinkBridgeMappingFailed';
      /** Somebody else's flow or FDB entry is where ours would be, and says something else. */
      readonly cause: 'in-the-way';
      readonly wanted: string;
      readonly found: string;
    }
  | { readonly reason: 'GatewayRouterFailed'; readonly cause: 'unsupported-topology'; readonly topology: string }
  | {
      readonly reason: 'GatewayRouterFailed';
      readonly cause: 'row-in-the-way';
      /** The row of another program that is where ours would be, and says something else. */
      readonly row: string;
      /** The network's name in OVN whose row it is; absent where it is not managed by ovn-uplinks. */
      readonly networkName?: string;
    };

/** One check: nothing where it passes. */
export type NetworkCheck = (input: NetworkCheckInput) => NetworkFailure | undefined;
