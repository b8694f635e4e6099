/**
 * Can a network be programmed on this node, and if not, why? (docs/design/api-decisions.md, "networks[]")
 */
import type { NetworkKey } from '../network/key.ts';
import type { Network } from '../network/network.ts';
import type { DiscoveryFailure } from '../discovery/discovery.ts';
import type { UnknownDatapath } from '../dataplane/network-datapath.ts';
import type { NetworkDataplane } from '../dataplane/network-dataplane.ts';
import type { LogicalNetworkFailure } from '../dataplane/logical-network/logical-network-failure.ts';
import type { EntityConflict } from '../entities/conflict.ts';
import type { UsedTwice } from '../network/provision/used-subnets.ts';
import type { DisplacedEntity } from '../snapshot/ledger.ts';
import type { NodeView } from '../snapshot/node-view.ts';
import type { Conflict } from '../routing-domain/conflict.ts';
import type { VrfDecision } from '../routing-domain/network-vrf.ts';
import type { SubnetOverlap } from '../routing-domain/subnet-overlap.ts';
import type { VrfFailure } from '../routing-domain/vrf-failure.ts';
import type { UnclearSelector } from '../selection/node-config.ts';
import type { LastWayOut } from './last-way-out.ts';

/** Why an uplink is not ready on a node: `UplinkNotReadyForNode`. */
type UplinkNotReady =
  | { readonly cause: 'unclear-selector'; readonly problem: UnclearSelector }
  | { readonly cause: 'unknown-type'; readonly type: string }
  /** The Uplink breaks the schema of this version. */
  | { readonly cause: 'unreadable' }
  | { readonly cause: 'discovery'; readonly failure: DiscoveryFailure };

/** Why an uplink cannot be used on a node now: it is not ready, or its Uplink selects several interfaces there. */
export type UplinkUnusable =
  { readonly cause: 'overlap'; readonly hostInterfaceNames: readonly string[] } | UplinkNotReady;

/** A network that ovn-uplinks provides. */
interface ProvidedLogicalNetwork {
  /** Why it is not programmed on the node; absent where it is. */
  readonly failure?: LogicalNetworkFailure;
}

/** The input of the checks: one network on one of its uplinks, on one node. */
export interface NetworkCheckInput {
  readonly network: Network;
  /** The network's id; absent until it is allocated. */
  readonly networkId: number | undefined;
  /** The logical network; absent if another program provides it. */
  readonly logicalNetwork?: ProvidedLogicalNetwork;
  readonly vrf: VrfDecision;
  readonly conflicts: readonly Conflict[];
  /** Subnets of the network that overlap with each other or with those of its uplink on the node; undefined for none. */
  readonly usedTwice: UsedTwice | undefined;
  /** Its overlaps with other advertised networks. */
  readonly overlaps: readonly SubnetOverlap[];
  readonly uplinkUnusable: UplinkUnusable | undefined;
  /** Addresses of the uplink (CIDR), as far as discovered. */
  readonly ipAddresses: readonly string[];
  /** The desired state for the network; absent if unknown. */
  readonly dataplane: NetworkDataplane | undefined;
  /** The object that may decide its routing domain and cannot be read, as `Kind/name` or `Kind/namespace/name`; absent if there is none. */
  readonly unreadable: string | undefined;
  /** Why its datapath is unknown; absent if it is known, or not programmed. */
  readonly unknownDatapath: UnknownDatapath | undefined;
  /** InternalIP addresses of the Node object. */
  readonly internalIps: readonly string[];
  /** The node with everything displaced restored. */
  readonly node: NodeView;
}

/** A part that has to be there before the network can be programmed: OVN-Kubernetes creates it, or people do. */
export type Prerequisite =
  | { readonly kind: 'device'; readonly device: string }
  | { readonly kind: 'node-id'; readonly node: string }
  | { readonly kind: 'pod-subnets'; readonly node: string; readonly networkName: string }
  /** A row of OVN's Northbound database. */
  | { readonly kind: 'row'; readonly table: string; readonly name: string }
  /** The logical network, which ovn-uplinks provides. */
  | { readonly kind: 'logical-network'; readonly failure: LogicalNetworkFailure }
  /** An object that exists, cannot be read, and may decide the routing domain: as `Kind/name` or `Kind/namespace/name`. */
  | { readonly kind: 'unreadable'; readonly object: string };

/** The reasons of a network whose entities for an uplink cannot be programmed: another program has some at their places, or an operation has failed. */
export type UplinkFailureReason = 'UplinkVRFAttachmentFailed' | 'UplinkBridgeMappingFailed' | 'GatewayRouterFailed';

/** An entity of another program is at the place of one that the network needs. */
interface ForeignEntity<Reason extends UplinkFailureReason> extends EntityConflict {
  readonly reason: Reason;
}

/** Why a network cannot be programmed, as facts. `status/network-entry.ts` writes the messages. */
export type NetworkFailure =
  /** @param isProvided whether ovn-uplinks allocates it */
  | { readonly reason: 'NetworkNotAllocated'; readonly isProvided?: true }
  | { readonly reason: 'PrerequisiteMissing'; readonly missing: Prerequisite }
  | { readonly reason: 'UplinkConfigurationConflict'; readonly conflicts: readonly Conflict[] }
  | { readonly reason: 'UplinkOverlapOnNode'; readonly hostInterfaceNames: readonly string[] }
  | { readonly reason: 'UplinkNotReadyForNode'; readonly unusable: UplinkNotReady }
  | VrfFailure
  | {
      readonly reason: 'UplinkVRFAttachmentFailed';
      readonly cause: 'other-master';
      readonly device: string;
      readonly master: string;
      /** The VRF that it should be in; absent where it should be in none. */
      readonly vrf?: string;
      /** The network that is held there; absent where ovn-uplinks did not set the master. */
      readonly heldNetwork?: NetworkKey;
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
      /** Tunnels of the node end at an address of the interface. */
      readonly cause: 'cuts-tunnels';
      readonly device: string;
      readonly vrf: string;
      readonly address: string;
    }
  | {
      readonly reason: 'UplinkVRFAttachmentFailed';
      /** The kernel would drop something that cannot be restored. */
      readonly cause: 'cannot-be-put-back';
      readonly device: string;
      readonly entity: DisplacedEntity;
      /** Unknown attributes; the kernel's refusal to add it again; or a source that would leave as well. */
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
  /** @param noIpv6 true if IPv6 is missing, and the kernel has none */
  | { readonly reason: 'AddressFamilyMissing'; readonly families: readonly (4 | 6)[]; readonly noIpv6?: true }
  | { readonly reason: 'SubnetsOverlap'; readonly cause: 'used-twice'; readonly usedTwice: UsedTwice }
  | { readonly reason: 'SubnetsOverlap'; readonly cause: 'advertised'; readonly overlaps: readonly SubnetOverlap[] }
  | ForeignEntity<'UplinkVRFAttachmentFailed'>
  | ForeignEntity<'UplinkBridgeMappingFailed'>
  | ForeignEntity<'GatewayRouterFailed'>;

/** The failure of a network whose entities conflict with others. */
export function conflictFailure(reason: UplinkFailureReason, conflict: EntityConflict): NetworkFailure {
  // The compiler does not compare as many combinations as there are of reasons and kinds.
  return { reason, ...conflict } as NetworkFailure;
}

/** A check; undefined if it passes. */
export type NetworkCheck = (input: NetworkCheckInput) => NetworkFailure | undefined;
