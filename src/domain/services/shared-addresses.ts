/**
 * Which Services of a network have one address? Kubernetes gives each its own, but two may have the same after a database was restored. None of them is served there: which one clients mean
 * cannot be told, and none is better than the others (docs/design/services.md, "Load balancers").
 */
import type { Service } from '../api/service.ts';
import { byName } from '../basics/names/ordering.ts';
import { addTo, removeFrom } from '../basics/names/pairs.ts';
import { judgedClusterIps } from './load-balancers.ts';
import type { NamespaceNetwork } from './namespace-network.ts';
import { serviceScope } from './service-scope.ts';

/** Keys of other Services that have an address of a Service too, in order, by that address. */
export type SharedWith = ReadonlyMap<string, readonly string[]>;

/** An address in a network, as text. */
type Place = string;

/** The addresses at which a Service is served, if no other one has them. */
function placesOf(service: Service, found: NamespaceNetwork): ReadonlyMap<Place, string> {
  const scope = serviceScope(service, found);
  if (scope.kind !== 'served') return new Map();
  const { network } = scope;
  const addresses = judgedClusterIps(service, network).filter(({ refusal }) => refusal === undefined);
  return new Map(addresses.map(({ address }) => [`${network.key} ${address}`, address]));
}

/** The addresses of Services in their networks. */
export class SharedAddresses {
  readonly #places = new Map<string, ReadonlyMap<Place, string>>();
  readonly #services = new Map<Place, Set<string>>();

  /**
   * Takes a Service over.
   *
   * @param key its key; @param service undefined where it has gone; @param found the network of its namespace
   * @returns the keys of the other Services with an address that it has got or lost
   */
  set(key: string, service: Service | undefined, found: NamespaceNetwork | undefined): ReadonlySet<string> {
    const before = this.#places.get(key) ?? new Map<Place, string>();
    const after = service && found ? placesOf(service, found) : new Map<Place, string>();
    for (const place of before.keys()) removeFrom(this.#services, place, key);
    const changed = [...before.keys(), ...after.keys()].filter((place) => before.has(place) !== after.has(place));
    const others = new Set(changed.flatMap((place) => [...(this.#services.get(place) ?? [])]));
    for (const place of after.keys()) addTo(this.#services, place, key);
    if (after.size === 0) this.#places.delete(key);
    else this.#places.set(key, after);
    return others;
  }

  /** The other Services that have the addresses of a Service; empty for most. */
  with(key: string): SharedWith {
    return new Map(
      [...(this.#places.get(key) ?? [])].flatMap(([place, address]) => {
        const others = [...(this.#services.get(place) ?? [])].filter((other) => other !== key);
        return others.length === 0 ? [] : [[address, others.sort(byName)] as const];
      }),
    );
  }
}
