/** Tells apart what nft monitor prints of own changes from that of other programs. */
import type { NftTable } from '../../domain/datapath/nftables/table.ts';

/** Ends what nft monitor prints of a transaction. */
const GENERATION = '# new generation ';

/** Begins the name of a set that is a part of a rule (nftables, src/evaluate.c). */
const ANONYMOUS = '__';

const textOf = (names: readonly string[]): string => [...new Set(names)].toSorted().join(' ');

/**
 * Own transactions that nft monitor has not printed yet. It names the process of each, but by its number in the first PID namespace, which a process in a
 * container does not know. So one is recognised by its chains: each one that is put or removed is printed. If another program changes the same chains
 * meanwhile, there is one transaction more than expected.
 */
export class OwnChanges {
  readonly #table: string;
  readonly #isForeign: () => void;
  readonly #expected: { readonly text: string; readonly names: ReadonlySet<string> }[] = [];
  /** The chains of the transaction that is being printed. */
  #printed: string[] = [];
  #isPrinted = false;
  #wasForeign = false;

  /** @param isForeign called once for each transaction of another program */
  constructor({ family, name }: NftTable, isForeign: () => void) {
    this.#table = ` ${family} ${name}`;
    this.#isForeign = isForeign;
  }

  /** Expects a transaction with some chains. @returns a function that expects it no more, as after a failure */
  expect(names: readonly string[]): () => void {
    const expected = { text: textOf(names), names: new Set(names) };
    this.#expected.push(expected);
    return () => {
      const place = this.#expected.indexOf(expected);
      if (place !== -1) this.#expected.splice(place, 1);
    };
  }

  /** Expects nothing any more: lines may have been missed. */
  forget(): void {
    this.#expected.length = 0;
    this.#begin();
  }

  /** Takes a line of nft monitor. */
  onLine(line: string): void {
    if (line.startsWith(GENERATION)) this.#end();
    else if (line.includes(this.#table)) this.#take(line);
  }

  #take(line: string): void {
    this.#isPrinted = true;
    const [, name] = line.split(`${this.#table} `);
    const chain = name?.split(' ', 1)[0] ?? '';
    if (this.#expected.some(({ names }) => names.has(chain))) this.#printed.push(chain);
    // The table is created with its first chain, and the set of a rule is deleted with that.
    else if (line !== `add table${this.#table}` && !chain.startsWith(ANONYMOUS)) this.#foreign();
  }

  #end(): void {
    if (this.#isPrinted) {
      const text = textOf(this.#printed);
      const place = this.#wasForeign ? -1 : this.#expected.findIndex((each) => each.text === text);
      if (place === -1) this.#foreign();
      else this.#expected.splice(place, 1);
    }
    this.#begin();
  }

  #begin(): void {
    [this.#printed, this.#isPrinted, this.#wasForeign] = [[], false, false];
  }

  #foreign(): void {
    if (!this.#wasForeign) this.#isForeign();
    this.#wasForeign = true;
  }
}
