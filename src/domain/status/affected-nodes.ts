/**
 * Nodes that are affected, among many: how many, by which reasons, and the first ones by name. A condition needs no more of a thousand nodes, and a node more
 * or less costs no pass over the others.
 */
import { byName, least } from '../basics/names/ordering.ts';
import { type AffectedNode, MAX_SAMPLE } from './node-sample.ts';

/** The place of a name in a sorted list, or the one where it belongs. */
function placeOf(names: readonly string[], name: string): number {
  let [low, high] = [0, names.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (byName(names[middle] ?? '', name) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Affected nodes, with a reason for each. */
export class AffectedNodes {
  readonly #reasons = new Map<string, string>();
  /** Number of nodes by reason. */
  readonly #counts = new Map<string, number>();
  /** In order. */
  readonly #names: string[] = [];

  /** Number of affected nodes. */
  get count(): number {
    return this.#names.length;
  }

  /**
   * Sets the reason of a node.
   *
   * @param reason undefined where it is not affected
   * @returns whether it was another one before
   */
  set(node: string, reason: string | undefined): boolean {
    const before = this.#reasons.get(node);
    if (before === reason) return false;
    if (before === undefined) this.#names.splice(placeOf(this.#names, node), 0, node);
    else this.#count(before, -1);
    if (reason === undefined) {
      this.#names.splice(placeOf(this.#names, node), 1);
      this.#reasons.delete(node);
    } else {
      this.#count(reason, 1);
      this.#reasons.set(node, reason);
    }
    return true;
  }

  /** The first of the reasons by an order; undefined where no node is affected. */
  firstReason(order: (left: string, right: string) => number): string | undefined {
    return least([...this.#counts.keys()], order);
  }

  /** The first ones by name, enough for a message. */
  get first(): readonly AffectedNode[] {
    return this.#names.slice(0, MAX_SAMPLE).map((node) => ({ node, reason: this.#reasons.get(node) ?? '' }));
  }

  #count(reason: string, change: 1 | -1): void {
    const count = (this.#counts.get(reason) ?? 0) + change;
    if (count === 0) this.#counts.delete(reason);
    else this.#counts.set(reason, count);
  }
}
