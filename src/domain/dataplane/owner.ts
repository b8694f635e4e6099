import type { NetworkKey } from '../network/key.ts';
import { lazyByText } from '../basics/incremental/lazy.ts';
import { type NetworkOwner, ownerOfPartKey, type PartKey, partKey, uplinkPart } from '../network/part.ts';

/** The owner of an entity: a part of a network, or the networks with a datapath on a bridge or an uplink together. */
export type Owner =
  ({ readonly kind: 'network' } & NetworkOwner) | { readonly kind: 'bridge' | 'uplink'; readonly name: string };

/** A text that is the same for the same owner. */
export function ownerKey(owner: Owner): string {
  return owner.kind === 'network' ? partKey(owner) : `${owner.kind} ${owner.name}`;
}

/** The owners that parts of networks are: the same object for the same part. */
const ownerOf = lazyByText((key): Owner => ({ kind: 'network', ...ownerOfPartKey(key as PartKey) }));

/** A network itself, as ovn-uplinks provides it. */
export function networkOwner(network: NetworkKey): Owner {
  return ownerOf(partKey({ network, part: 'network' }));
}

/** The part of a network that is for its uplink. */
export function uplinkOwner(network: NetworkKey): Owner {
  return ownerOf(uplinkPart(network));
}
