/**
 * The order of operations, from what each has to do with others.
 *
 * What makes a key comes before what needs it; what uses a key comes before what ends it; what ends a key comes before
 * what makes it again. What these rules leave open stays as it was given.
 *
 * Half of an interface's routes may need what each of the other half makes: millions of pairs, and one thing. So each operation is looked at
 * together with its things, never with the others.
 */
import type { DependencyKey } from '../entities/dependencies.ts';
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
  readonly #positions: number[] = [];
  #next = 0;

  /** @param position greater than all before. */
  add(position: number): void {
    this.#positions.push(position);
  }

  /** The first one not seen. A position is seen once for all callers: all calls together cost as much as there are positions. */
  firstUnseen(seen: ReadonlySet<number>): number {
    for (; ; this.#next += 1) {
      const position = this.#positions[this.#next];
      if (position === undefined) return Number.POSITIVE_INFINITY;
      if (!seen.has(position)) return position;
    }
  }
}

/** For each operation, by position, those that come before it: for each of its things a list, which it shares with all who come after that. */
function positionsBefore(operations: readonly Operation[]): readonly (readonly Positions[])[] {
  const dependencies = operations.map((operation) => meaningOf(operation).dependencies(operation));
  const byThing = precedence.map(([, earlier]) => {
    const all = new Map<DependencyKey, Positions>();
    for (const [position, { [earlier]: things = [] }] of dependencies.entries()) {
      for (const thing of things) {
        const known = all.get(thing) ?? new Positions();
        known.add(position);
        all.set(thing, known);
      }
    }
    return all;
  });
  return dependencies.map((own) =>
    precedence.flatMap(([later], index) => (own[later] ?? []).flatMap((thing) => byThing[index]?.get(thing) ?? [])),
  );
}

/** The operations in an order in which each can be done. */
export function inOrder<Some extends Operation>(operations: readonly Some[]): readonly Some[] {
  const before = positionsBefore(operations);
  const ordered: Some[] = [];
  const seen = new Set<number>();
  // Depth first, with a stack of its own: a chain may be longer than calls can nest.
  for (const start of operations.keys()) {
    const stack = seen.has(start) ? [] : [start];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      seen.add(top);
      const required = Math.min(...(before[top] ?? []).map((positions) => positions.firstUnseen(seen)));
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
