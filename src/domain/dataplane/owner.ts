/** What needs an entity: a network, the networks of a bridge or of an uplink together, or every network on the node. */
export type Owner =
  { readonly kind: 'network' | 'bridge' | 'uplink'; readonly name: string } | { readonly kind: 'node' };

/** A text that is the same for the same owner. */
export function ownerKey(owner: Owner): string {
  return owner.kind === 'node' ? owner.kind : `${owner.kind} ${owner.name}`;
}
