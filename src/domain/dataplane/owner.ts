/** What needs an entity: a network, or the networks of a bridge or of an uplink together. */
export interface Owner {
  readonly kind: 'network' | 'bridge' | 'uplink';
  readonly name: string;
}

/** A text that is the same for the same owner. */
export function ownerKey({ kind, name }: Owner): string {
  return `${kind} ${name}`;
}
