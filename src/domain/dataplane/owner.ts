import type { NetworkKey } from '../network/key.ts';
import { type NetworkOwner, partKey } from '../network/part.ts';

/** The owner of an entity: a part of a network, or the networks with a datapath on a bridge or an uplink together. */
export type Owner =
  ({ readonly kind: 'network' } & NetworkOwner) | { readonly kind: 'bridge' | 'uplink'; readonly name: string };

/** A text that is the same for the same owner. */
export function ownerKey(owner: Owner): string {
  return owner.kind === 'network' ? partKey(owner) : `${owner.kind} ${owner.name}`;
}

/** The part of a network that is for its uplink. */
export function uplinkOwner(network: NetworkKey): Owner {
  return { kind: 'network', network, part: 'uplink' };
}
