/**
 * The order of operations, from what each has to do with others.
 *
 * What makes a key comes before what needs it; what uses a key comes before what ends it; what ends a key comes before
 * what makes it again. What these rules leave open stays as it was given.
 *
 * Half of an interface's routes may need what each of the other half makes: millions of pairs, and one thing. So each operation is looked at
 * together with its things, never with the others.
 */
import type { Dependencies, DependencyKey } from '../entities/dependencies.ts';
import type { Operation } from '../operations/operation.ts';
import { meaningOf } from '../operations/operation-meaning.ts';

/** What an operation has to do with a thing, and what those have to do with it that come before. */
const precedence = [
  ['needs', 'makes'],
  ['ends', 'uses'],
  ['makes', 'ends'],
] as const;

/** Where the operations are that have one thing in common. */
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

/** Where the operations are that have to do with each thing: a list, which it shares with all who come after that. */
function positionsByThing(
  dependencies: readonly Dependencies[],
  relation: Relation,
): ReadonlyMap<DependencyKey, Positions> {
  const all = new Map<DependencyKey, Positions>();
  for (const [position, { [relation]: things = [] }] of dependencies.entries()) {
    for (const thing of things) {
      const known = all.get(thing);
      if (known === undefined) all.set(thing, new Positions(position));
      else known.add(position);
    }
  }
  return all;
}

/** The operations in an order in which each can be done. */
export function inOrder<Some extends Operation>(operations: readonly Some[]): readonly Some[] {
  const dependencies = operations.map((operation) => meaningOf(operation).dependencies(operation));
  const before = precedence.map(([later, earlier]) => [later, positionsByThing(dependencies, earlier)] as const);
  const ordered: Some[] = [];
  const seen = operations.map(() => false);
  const firstUnseenBefore = (position: number): number => {
    let first = Number.POSITIVE_INFINITY;
    for (const [later, positions] of before) {
      for (const thing of dependencies[position]?.[later] ?? []) {
        first = Math.min(first, positions.get(thing)?.firstUnseen(seen) ?? first);
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
  readonly #things = {
    makes: new Set<DependencyKey>(),
    uses: new Set<DependencyKey>(),
    ends: new Set<DependencyKey>(),
  };

  add(operation: Operation): void {
    const dependencies = meaningOf(operation).dependencies(operation);
    for (const [, earlier] of precedence) {
      for (const thing of dependencies[earlier] ?? []) this.#things[earlier].add(thing);
    }
  }

  /** Whether any of them has to come before an operation. The answer costs the same however many they are. */
  comeBefore(operation: Operation): boolean {
    const dependencies = meaningOf(operation).dependencies(operation);
    return precedence.some(([later, earlier]) =>
      (dependencies[later] ?? []).some((thing) => this.#things[earlier].has(thing)),
    );
  }
}
