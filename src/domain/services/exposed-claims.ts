/**
 * Which Service has a port outside that several ask for? The oldest: where an administrator gives one address to several Services, or a tenant asks for one that another tenant has, those that
 * are reached there go on (docs/design/services.md, "Addresses outside").
 */
import type { Service } from '../api/service.ts';
import { least } from '../basics/names/ordering.ts';
import { addTo, removeFrom } from '../basics/names/pairs.ts';
import type { OutsidePort } from './exposed-ports.ts';

/** A port that a Service asks for, on a link. */
interface Claim {
  readonly key: string;
  /** Sorts before those of younger Services. */
  readonly age: string;
}

/** A port on a link, as text. */
type Place = string;

function placeOf(link: string, { address, protocol, port }: OutsidePort): Place {
  return `${link} ${address} ${protocol} ${String(port)}`;
}

function ageOf({ metadata: { creationTimestamp = '', uid = '' } }: Service): string {
  // One without a time is of a file, and was there before.
  return `${creationTimestamp} ${uid}`;
}

/** The ports that Services ask for. */
export class ExposedClaims {
  readonly #places = new Map<string, ReadonlySet<Place>>();
  readonly #claims = new Map<Place, Set<Claim>>();
  readonly #claimOf = new Map<string, Claim>();

  /**
   * Takes over which ports a Service asks for.
   *
   * @param key its key; @param link those whose ports on one link are the same cannot both have them
   * @returns the keys of the other Services that ask for a port which it has got or lost
   */
  set(key: string, service: Service | undefined, link: string, ports: readonly OutsidePort[]): ReadonlySet<string> {
    const before = this.#places.get(key) ?? new Set<Place>();
    const after = new Set(ports.map((port) => placeOf(link, port)));
    const [former, claim] = [this.#claimOf.get(key), service && { key, age: ageOf(service) }];
    if (former !== undefined) for (const place of before) removeFrom(this.#claims, place, former);
    const isOther = former?.age !== claim?.age;
    const changed = [...before, ...after].filter((place) => isOther || before.has(place) !== after.has(place));
    const others = new Set(changed.flatMap((place) => [...(this.#claims.get(place) ?? [])].map((each) => each.key)));
    if (claim === undefined || after.size === 0) {
      this.#places.delete(key);
      this.#claimOf.delete(key);
      return others;
    }
    for (const place of after) addTo(this.#claims, place, claim);
    this.#places.set(key, after);
    this.#claimOf.set(key, claim);
    return others;
  }

  /** The key of the Service that has a port; undefined where none asks for it. */
  holder(link: string, port: OutsidePort): string | undefined {
    const claims = [...(this.#claims.get(placeOf(link, port)) ?? [])];
    return least(claims, (one, other) => compare(one.age, other.age) || compare(one.key, other.key))?.key;
  }
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
