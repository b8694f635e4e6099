/** A part of a network that owns entities: the network itself, as ovn-uplinks provides it, or what it needs for its uplink. Each is held for itself. */
export type NetworkPart = 'network' | 'uplink';

/** A part of a network, as the owner of entities on a node. */
export interface NetworkOwner {
  /** Name in OVN. */
  readonly networkName: string;
  readonly part: NetworkPart;
}
