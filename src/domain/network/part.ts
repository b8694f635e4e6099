import type { NetworkKey } from './key.ts';

/** A part of a network that owns entities: the network itself, as ovn-uplinks provides it, or what it needs for its uplink. Each is held, and fails, for itself. */
export type NetworkPart = 'network' | 'uplink';

/** A part of a network, as the owner of entities on a node. */
export interface NetworkOwner {
  readonly network: NetworkKey;
  readonly part: NetworkPart;
}

/** A text that is the same for the same part of the same network. */
export type PartKey = `${NetworkKey} ${NetworkPart}`;

/** The text of a part of a network. */
export function partKey({ network, part }: NetworkOwner): PartKey {
  return `${network} ${part}`;
}

/** The text of the part of a network that is for its uplink. */
export function uplinkPart(network: NetworkKey): PartKey {
  return partKey({ network, part: 'uplink' });
}

/** The part of a network with a text. */
export function ownerOfPartKey(key: PartKey): NetworkOwner {
  const end = key.lastIndexOf(' ');
  return { network: key.slice(0, end) as NetworkKey, part: key.slice(end + 1) as NetworkPart };
}
