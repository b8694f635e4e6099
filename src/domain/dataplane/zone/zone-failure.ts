import type { EntityConflict } from '../../entities/conflict.ts';
import type { NoAddresses } from './node-addresses.ts';

/** Why a network that ovn-uplinks provides is not programmed on a node, apart from its uplink. What is there of it stays as it is. */
export type ZoneFailure =
  /** No id is claimed for it. */
  | { readonly cause: 'no-network-id' }
  /** None is claimed for the node. */
  | { readonly cause: 'no-node-id'; readonly node: string }
  /** The node has not reported its id, without which it must not use it. @param report its report, as `ConfigMap/namespace/name` */
  | { readonly cause: 'not-reported'; readonly networkId: number; readonly report: string }
  | ({ readonly cause: 'exhausted'; readonly node: string } & NoAddresses)
  /** OVN gives entities of several networks the same names. @param networks their objects, as `Kind/name` or `Kind/namespace/name` */
  | { readonly cause: 'equal-names'; readonly networks: readonly string[]; readonly prefix: string }
  /** A row of another program has the name of one of its rows. */
  | { readonly cause: 'in-the-way'; readonly conflict: EntityConflict };
