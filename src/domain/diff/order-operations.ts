/**
 * The order of operations, by their dependencies.
 *
 * What makes a key comes before what needs it; what uses a key comes before what ends it; what ends a key comes before
 * what makes it again. Otherwise the given order is kept.
 *
 * Half of an interface's routes may need what each of the other half makes: millions of pairs, and one key. So operations are compared with
 * keys, never with each other.
 */
import type { Dependencies, DependencyKey } from '../entities/dependencies.ts';
import type { Operation } from '../entities/operations/operation.ts';
import { semanticsOf } from '../entities/operations/operation-semantics.ts';

/** The relation of an operation to a key, and that of the operations that come before it. */
const precedence = [
  ['needs', 'makes'],
  ['ends', 'uses'],
  ['makes', 'ends'],
] as const;

/** The positions of the operations with one key. */
class Positions {
  readonly #positions: number[];
  #next = 0;

  constructor(first: number) {
    this.#positions = [first];
  }

  /** @param position greater than all before. */
  add(position: number): void {
    this.#positions.push(position);
  }

  /** The first one not seen. A position is seen once for all callers: all calls together cost as much as there are positions. */
  firstUnseen(seen: readonly boolean[]): number {
    for (; ; this.#next += 1) {
      const position = this.#positions[this.#next];
      if (position === undefined) return Number.POSITIVE_INFINITY;
      if (seen[position] !== true) return position;
    }
  }
}

type Relation = (typeof precedence)[number][1];

/** The positions of the operations with each key: one list for all operations that come after them. */
function positionsByKey(
  dependencies: readonly Dependencies[],
  relation: Relation,
): ReadonlyMap<DependencyKey, Positions> {
  const all = new Map<DependencyKey, Positions>();
  for (const [position, { [relation]: keys = [] }] of dependencies.entries()) {
    for (const key of keys) {
      const known = all.get(key);
      if (known === undefined) all.set(key, new Positions(position));
      else known.add(position);
    }
  }
  return all;
}

/** The operations in an order in which each can be done. */
export function inOrder<Some extends Operation>(operations: readonly Some[]): readonly Some[] {
  const dependencies = operations.map((operation) => semanticsOf(operation).dependencies(operation));
  const before = precedence.map(([later, earlier]) => [later, positionsByKey(dependencies, earlier)] as const);
  const ordered: Some[] = [];
  const seen = operations.map(() => false);
  const firstUnseenBefore = (position: number): number => {
    let first = Number.POSITIVE_INFINITY;
    for (const [later, positions] of before) {
      for (const key of dependencies[position]?.[later] ?? []) {
        first = Math.min(first, positions.get(key)?.firstUnseen(seen) ?? first);
      }
    }
    return first;
  };
  // Depth first, with a stack of its own: a chain may be longer than calls can nest.
  for (const start of operations.keys()) {
    const stack = seen[start] === true ? [] : [start];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      seen[top] = true;
      const required = firstUnseenBefore(top);
      if (required < operations.length) {
        stack.push(required);
        continue;
      }
      const operation = operations[top];
      if (operation !== undefined) ordered.push(operation);
      stack.pop();
    }
  }
  return ordered;
}

/** Operations that others may have to come after. */
export class Predecessors {
  readonly #keys = {
    makes: new Set<DependencyKey>(),
    uses: new Set<DependencyKey>(),
    ends: new Set<DependencyKey>(),
  };

  add(operation: Operation): void {
    const dependencies = semanticsOf(operation).dependencies(operation);
    for (const [, earlier] of precedence) {
      for (const key of dependencies[earlier] ?? []) this.#keys[earlier].add(key);
    }
  }

  /** Whether any of them has to come before an operation. The answer costs the same however many they are. */
  comeBefore(operation: Operation): boolean {
    const dependencies = semanticsOf(operation).dependencies(operation);
    return precedence.some(([later, earlier]) =>
      (dependencies[later] ?? []).some((key) => this.#keys[earlier].has(key)),
    );
  }
}
