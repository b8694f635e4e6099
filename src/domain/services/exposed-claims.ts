/**
 * Which Service has a port outside that several ask for? The oldest: where an administrator gives one address to several Services, or a tenant asks for one that another tenant has, those that
 * are reached there go on (docs/design/services.md, "Addresses outside").
 */
import type { Service } from '../api/service.ts';
import { byName, least } from '../basics/names/ordering.ts';
import { addTo, removeFrom } from '../basics/names/pairs.ts';
import type { OutsidePort } from './exposed-ports.ts';

/** Something that a Service asks for, and that only one can have. */
export interface Claim {
  /** Key of the Service. */
  readonly key: string;
  /** Its age, as {@link ageOf} has it. */
  readonly age: string;
}

/** An order of what Services ask for: the older one comes first, and of two that are equally old the one whose key does. */
export function byAge(one: Claim, other: Claim): number {
  return byName(one.age, other.age) || byName(one.key, other.key);
}

/** A port on a link, as text. */
type Place = string;

function placeOf(link: string, { address, protocol, port }: OutsidePort): Place {
  return `${link} ${address} ${protocol} ${String(port)}`;
}

/** The age of a Service, as a text that sorts before those of younger ones. */
export function ageOf({ metadata: { creationTimestamp = '', uid = '' } }: Service): string {
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
    return least(claims, byAge)?.key;
  }
}
