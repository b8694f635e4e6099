/**
 * Which pods are in which slice of a Service and a family? All pods of a slice have the same ports, and there are no more than a hundred.
 *
 * A pod stays in the slice in which it is stored; another one goes to the fullest slice with room, as kube-controller-manager fills them. So a pod that comes or goes changes one slice.
 * It follows from the pods and the stored slices alone, whatever came first.
 */
import { sameIfEqual } from '../basics/incremental/same-if-equal.ts';
import { byName } from '../basics/names/ordering.ts';
import { addTo, removeFrom } from '../basics/names/pairs.ts';
import type { NamedPod } from './names.ts';

/** Most pods of a slice (kube-controller-manager, --max-endpoints-per-slice). */
const MOST_PODS = 100;

/** A pod, with its ports as text. */
interface Wanted {
  readonly pod: NamedPod;
  readonly ports: string;
}

/** The pods that stay in a slice. */
interface Kept {
  readonly ports: string;
  readonly names: ReadonlySet<string>;
}

/** A slice that is being filled. */
interface Filled {
  readonly number: number;
  readonly ports: string;
  size: number;
}

const none: readonly string[] = [];

/** The most frequent of some texts, and of those the first one. */
function mostFrequent(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const [first] = [...counts].sort(([left, few], [right, many]) => many - few || byName(left, right));
  return first?.[0];
}

/** The slice of some ports with the least room, and of those the first one. */
function fullest(slices: readonly Filled[], ports: string): Filled | undefined {
  let found: Filled | undefined;
  for (const slice of slices) {
    if (slice.ports !== ports || slice.size >= MOST_PODS) continue;
    const isBetter =
      found === undefined || slice.size > found.size || (slice.size === found.size && slice.number < found.number);
    if (isBetter) found = slice;
  }
  return found;
}

/** The slices of a Service and a family, by number. */
export class SliceChain {
  readonly #wanted = new Map<string, Wanted>();
  readonly #stored = new Map<number, ReadonlySet<string>>();
  /** Numbers that cannot be used: others have the names of these slices. */
  readonly #taken = new Set<number>();
  /** The numbers of the slices in which pods are stored. */
  readonly #numbersOf = new Map<string, Set<number>>();
  readonly #kept = new Map<number, Kept>();
  readonly #unplaced = new Set<string>();
  #added: ReadonlyMap<number, readonly string[]> = new Map();
  /** Changes since the last time that it was settled. */
  readonly #changed = { numbers: new Set<number>(), names: new Set<string>() };

  /** Takes a pod over; undefined where no name leads to it. */
  setPod(name: string, pod: NamedPod | undefined): void {
    const before = this.#wanted.get(name);
    if (pod !== undefined && before !== undefined && sameIfEqual(before.pod, pod) === before.pod) return;
    if (pod === undefined && before === undefined) return;
    if (pod === undefined) this.#wanted.delete(name);
    else this.#wanted.set(name, { pod, ports: JSON.stringify(pod.ports) });
    this.#changed.names.add(name);
    const home = this.#home(name);
    if (home !== undefined) this.#changed.numbers.add(home);
  }

  /** Takes a stored slice over. @param names of the pods in it; `taken` where it is not one of ours; undefined where there is none */
  setSlice(number: number, names: readonly string[] | 'taken' | undefined): void {
    const { numbers } = this.#changed;
    numbers.add(number);
    for (const name of this.#stored.get(number) ?? none) {
      this.#touch(name);
      removeFrom(this.#numbersOf, name, number);
    }
    if (names === 'taken') this.#taken.add(number);
    else this.#taken.delete(number);
    if (names === undefined || names === 'taken') {
      this.#stored.delete(number);
      return;
    }
    this.#stored.set(number, new Set(names));
    for (const name of names) {
      addTo(this.#numbersOf, name, number);
      this.#touch(name);
    }
  }

  /** Places all pods. @returns the numbers of the slices that may have another content, or may be stored with another one */
  settle(): ReadonlySet<number> {
    const { numbers, names } = this.#changed;
    const judged = new Set(numbers);
    for (const number of numbers) this.#keep(number);
    for (const number of numbers) for (const name of this.#stored.get(number) ?? none) this.#sort(name);
    for (const name of names) this.#sort(name);
    const before = this.#added;
    this.#added = this.#place();
    for (const number of new Set([...before.keys(), ...this.#added.keys()])) {
      const [former = none, added = none] = [before.get(number), this.#added.get(number)];
      const isSame = former.length === added.length && former.every((name, at) => name === added[at]);
      if (!isSame || added.some((name) => names.has(name))) judged.add(number);
    }
    numbers.clear();
    names.clear();
    return judged;
  }

  /** The pods of a slice, by name. */
  podsOf(number: number): readonly NamedPod[] {
    return [...(this.#kept.get(number)?.names ?? none), ...(this.#added.get(number) ?? none)]
      .sort(byName)
      .flatMap((name) => this.#wanted.get(name)?.pod ?? []);
  }

  /** The slice in which a pod stays if it can. */
  #home(name: string): number | undefined {
    const numbers = this.#numbersOf.get(name);
    return numbers && Math.min(...numbers);
  }

  /** Marks all slices in which a pod is stored: it may stay in another one now. */
  #touch(name: string): void {
    this.#changed.names.add(name);
    for (const number of this.#numbersOf.get(name) ?? []) this.#changed.numbers.add(number);
  }

  /** Decides which pods stay in a slice: those with the ports that most of them have. */
  #keep(number: number): void {
    const members = [...(this.#stored.get(number) ?? none)].flatMap((name) => {
      const wanted = this.#wanted.get(name);
      return wanted !== undefined && this.#home(name) === number ? [{ name, ports: wanted.ports }] : [];
    });
    const ports = mostFrequent(members.map((member) => member.ports));
    if (ports === undefined) {
      this.#kept.delete(number);
      return;
    }
    const names = members.filter((member) => member.ports === ports).map(({ name }) => name);
    this.#kept.set(number, { ports, names: new Set(names.sort(byName).slice(0, MOST_PODS)) });
  }

  /** Decides whether a pod has no slice yet. */
  #sort(name: string): void {
    const home = this.#home(name);
    const isKept = home !== undefined && this.#kept.get(home)?.names.has(name) === true;
    if (this.#wanted.has(name) && !isKept) this.#unplaced.add(name);
    else this.#unplaced.delete(name);
  }

  /** Finds slices for the pods that have none. Slices that are left empty are used again. */
  #place(): ReadonlyMap<number, readonly string[]> {
    const added = new Map<number, string[]>();
    if (this.#unplaced.size === 0) return added;
    const slices = [...this.#kept].map(([number, { ports, names }]): Filled => ({ number, ports, size: names.size }));
    const isFree = (number: number) => !this.#stored.has(number) && !this.#taken.has(number);
    const empty = [...this.#stored.keys()].filter((number) => !this.#kept.has(number)).sort((one, two) => one - two);
    let last = 0;
    const nextNumber = () => {
      do last += 1;
      while (!isFree(last));
      return last;
    };
    for (const name of [...this.#unplaced].sort(byName)) {
      const { ports = '' } = this.#wanted.get(name) ?? {};
      let slice = fullest(slices, ports);
      if (slice === undefined) {
        slice = { number: empty.shift() ?? nextNumber(), ports, size: 0 };
        slices.push(slice);
      }
      slice.size += 1;
      const names = added.get(slice.number);
      if (names === undefined) added.set(slice.number, [name]);
      else names.push(name);
    }
    return added;
  }
}
