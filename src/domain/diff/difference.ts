import type { NetworkDataplane } from '../dataplane/network-dataplane.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import type { Attribution } from './attribution.ts';
import type { KeptThings } from './kept-things.ts';

/** What a difference is made from. */
export interface Difference {
  /** The node as it is, its ledger settled. */
  readonly before: NodeSnapshot;
  readonly programmed: readonly NetworkDataplane[];
  readonly kept: KeptThings;
  readonly networksOf: Attribution;
}

/** A thing that one or more networks want. */
export interface Wanted<Thing> {
  readonly networks: readonly string[];
  readonly thing: Thing;
}

/** The things that networks want, each once, with all who want it; in the order in which they are first wanted. */
export function wantedThings<Thing>(
  programmed: readonly NetworkDataplane[],
  thingsOf: (network: NetworkDataplane) => readonly Thing[],
  keyOf: (thing: Thing) => string,
): ReadonlyMap<string, Wanted<Thing>> {
  const wanted = new Map<string, { readonly networks: string[]; readonly thing: Thing }>();
  for (const dataplane of programmed) {
    for (const thing of thingsOf(dataplane)) {
      const key = keyOf(thing);
      const known = wanted.get(key);
      if (known === undefined) wanted.set(key, { networks: [dataplane.network], thing });
      else if (!known.networks.includes(dataplane.network)) known.networks.push(dataplane.network);
    }
  }
  return wanted;
}
