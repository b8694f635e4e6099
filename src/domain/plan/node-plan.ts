/** The plan of one node: plain data that survives JSON, and is the same for the same input. */
import type { NetworkKey } from '../network/key.ts';
import type { UnsupportedUplinks } from '../network/unsupported.ts';
import type { UplinkFacts } from '../discovery/discovery.ts';
import type { NetworkFailure, UplinkUnusable } from '../network-readiness/network-check.ts';
import type { RoutingDomainDecision } from '../routing-domain/routing-domain.ts';
import type { NodeDataplane } from './node-dataplane.ts';
import type { PlannedRegistration } from './registration/node-registration.ts';
import type { Warning } from './view/warning.ts';
import type { LogicalNetworkOnNode } from './parts/part.ts';

/** One uplink that selects the node. */
export interface UplinkOnNode {
  /** Name of the Uplink. */
  readonly uplink: string;
  /** The Uplink's uid, which its states refer to; absent where it came from a file without one. */
  readonly uid?: string;
  /** The interface that the uplink selects; absent if it selects several, or its selector or type is unknown. */
  readonly hostInterfaceName?: string;
  /** Facts of discovery, up to the check that failed; absent if nothing was checked. */
  readonly facts?: UplinkFacts;
  /** Why it cannot be used now; absent where it can. */
  readonly unusable?: UplinkUnusable;
  /** Whether another identity has the name of its UplinkState, which is then not written. */
  readonly stateNameTaken: boolean;
}

/** Why no uplink carries a network on the node. */
export type NotCarried =
  UnsupportedUplinks | { readonly reason: 'UplinkNotFound' } | { readonly reason: 'UplinkNotFoundForNode' };

/** One network that is active on the node, on one of its uplinks. */
export interface NetworkOnNode {
  readonly key: NetworkKey;
  /** Its name for people, with its namespace if it has one; `dataplane` and conflicts have keys. */
  readonly network: string;
  /** Name of the Uplink that it refers to. */
  readonly uplink: string;
  /** The bridge of the uplink; while discovery fails, that of the managed mapping entry; absent without either. */
  readonly bridge?: string;
  /** Access VLAN of the interface on the bridge; absent where it has none. */
  readonly vlan?: number;
  readonly routingDomain: RoutingDomainDecision;
  /** The VRF that it is in; absent in the default routing domain, or if none can be named. */
  readonly vrf?: string;
  /** Whether it is left exactly as it is. */
  readonly held: boolean;
  /** Why it cannot be programmed; absent where it can. */
  readonly failure?: NetworkFailure | NotCarried;
}

/** Everything that was decided for one node. */
export interface NodePlan {
  readonly nodeName: string;
  /** By uplink name. */
  readonly uplinks: readonly UplinkOnNode[];
  /** By network name, then uplink name. */
  readonly networks: readonly NetworkOnNode[];
  /** The networks that ovn-uplinks provides, by their names in OVN; absent if it provides none. */
  readonly zones?: readonly LogicalNetworkOnNode[];
  /** The registration that the node writes before it uses more ids, or others use its tunnels; absent if there is nothing. */
  readonly registration?: PlannedRegistration;
  readonly dataplane: NodeDataplane;
  readonly warnings: readonly Warning[];
}
