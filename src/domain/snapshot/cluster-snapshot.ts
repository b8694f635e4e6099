import { type KindKey, kinds, type ObjectOf } from '../api/kinds.ts';
import type { ServedNetwork } from './served-network.ts';

/** An object that the cluster has, and of which no more than its name is known: it breaks the schema of this version. */
export interface UnreadableObject {
  readonly kind: KindKey;
  /** Absent for a kind without namespaces. */
  readonly namespace?: string;
  readonly name: string;
}

/** Where the last pod of a namespace ran until a short time ago. */
export interface FormerActivity {
  readonly namespace: string;
  readonly node: string;
}

/**
 * The objects of a cluster at one moment: one list for each kind that is read, in any order, without duplicates.
 *
 * A ConfigMap may be newer than the nodes, whose reports decide which claims of ids in it end: before it is changed both are read again (`ClaimsChange`).
 *
 * For the plan of one node, the lists need only contain that node, its pods, and everything that is not about another node; where ovn-uplinks provides
 * networks, also all other nodes, and with Dynamic UDN all pods.
 */
export type ClusterSnapshot = ReadableObjects & {
  /** Objects that are in none of the lists though they exist. What they may be about is left as it is. Absent where there are none. */
  readonly unreadable?: readonly UnreadableObject[];
  /** With Dynamic UDN: where networks of a namespace stay active though its pods have ended, until a grace period is over. Absent where there are none. */
  readonly formerActivity?: readonly FormerActivity[];
  /** How the Services of networks are served on the node that is planned: a network that is not in it is as it was reported. Absent for none. */
  readonly servedNetworks?: readonly ServedNetwork[];
  /** The addresses of the API server that the objects are read from. Absent where it has a name, or they are read from files. */
  readonly apiServers?: readonly string[];
};

/** The lists of a cluster's objects. */
export type ReadableObjects = { readonly [Key in KindKey]: readonly ObjectOf<Key>[] };

/** A cluster without objects. */
export const emptyCluster = Object.fromEntries(
  Object.keys(kinds).map((key) => [key, []]),
) as unknown as ReadableObjects;
