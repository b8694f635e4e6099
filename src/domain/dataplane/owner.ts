/** The owner of an entity: a network, by its uplink or as a whole (`zone`, by its name in OVN), or the networks with a datapath on a bridge or an uplink together. */
export interface Owner {
  readonly kind: 'network' | 'zone' | 'bridge' | 'uplink';
  readonly name: string;
}

/** A text that is the same for the same owner. */
export function ownerKey({ kind, name }: Owner): string {
  return `${kind} ${name}`;
}
