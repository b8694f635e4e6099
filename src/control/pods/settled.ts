import { isSameList } from '../../domain/basics/incremental/list-changes.ts';

/** Items that were found in order, each with what that followed from: as long as these are the same objects, it is in order. */
export class Settled {
  #parts: ReadonlyMap<string, readonly unknown[]> = new Map();

  has(key: string, parts: readonly unknown[]): boolean {
    const former = this.#parts.get(key);
    return former !== undefined && isSameList(former, parts);
  }

  /** Takes all that are in order, in place of the former ones. */
  replace(parts: ReadonlyMap<string, readonly unknown[]>): void {
    this.#parts = parts;
  }
}
