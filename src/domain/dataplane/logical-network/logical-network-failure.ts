import type { UnsupportedPart } from '../../network/unsupported.ts';
import type { EntityConflict } from '../../entities/conflict.ts';
import type { UsedTwice } from '../../network/provision/used-subnets.ts';
import type { VrfFailure } from '../../routing-domain/vrf-failure.ts';
import type { NoAddresses } from './node-addresses.ts';

/** An id in the annotation of a node that cannot be claimed for it. */
export interface DisputedId {
  readonly id: number;
  /** The node that it is claimed for; absent where no node can have it. */
  readonly holder?: string;
}

/** Why a network that ovn-uplinks provides is not programmed on a node, apart from its uplink. What is there of it stays as it is. */
export type LogicalNetworkFailure =
  /** This version does not provide it. */
  | { readonly cause: 'unsupported'; readonly unsupported: UnsupportedPart }
  /** No id is claimed for it. */
  | { readonly cause: 'no-network-id' }
  /** None is claimed for the node. @param annotated the id in its annotation, where it is the reason */
  | { readonly cause: 'no-node-id'; readonly node: string; readonly annotated?: DisputedId }
  /** The node has not reported its id, without which it must not use it. @param report its report, as `ConfigMap/namespace/name` */
  | { readonly cause: 'not-reported'; readonly networkId: number; readonly report: string }
  /** A subnet of it overlaps with one that its pods or nodes also use. */
  | { readonly cause: 'subnets-overlap'; readonly usedTwice: UsedTwice }
  | ({ readonly cause: 'exhausted'; readonly node: string } & NoAddresses)
  /** OVN gives entities of several networks the same names. @param networks their objects, as `Kind/name` or `Kind/namespace/name` */
  | { readonly cause: 'equal-names'; readonly networks: readonly string[]; readonly prefix: string }
  /** The node has no integration bridge for the management port. @param bridge its name */
  | { readonly cause: 'no-bridge'; readonly bridge: string }
  /** The network has IPv6 subnets, and the kernel of the node has no IPv6. */
  | { readonly cause: 'no-ipv6' }
  /** Another network has the same VRF. @param networks their objects, as `Kind/name` or `Kind/namespace/name` */
  | { readonly cause: 'equal-vrfs'; readonly networks: readonly string[]; readonly vrf: string }
  /** Its VRF is not possible. */
  | { readonly cause: 'vrf'; readonly failure: VrfFailure }
  /** An entity of another program is at the place of one that it needs in OVN or on the host. */
  | { readonly cause: 'in-the-way'; readonly conflict: EntityConflict };
