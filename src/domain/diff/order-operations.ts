/**
 * The order of operations, from what each has to do with others.
 *
 * Whoever makes a thing comes before whoever needs it; whoever uses a thing comes before whoever ends it; whoever ends a thing comes before
 * whoever makes it anew. What these rules leave open stays as it was given.
 */
import { type Operation, meaningOf } from '../operations/operation-kinds.ts';

/** For each operation, by position, the positions of those that come before it. */
export function predecessors(operations: readonly Operation[]): readonly (readonly number[])[] {
  const dependencies = operations.map((operation) => meaningOf(operation).dependencies(operation));
  const positions = (part: 'makes' | 'uses' | 'ends') => {
    const byThing = new Map<string, number[]>();
    for (const [position, things] of dependencies.entries()) {
      for (const thing of things[part] ?? []) {
        const known = byThing.get(thing);
        if (known === undefined) byThing.set(thing, [position]);
        else known.push(position);
      }
    }
    return byThing;
  };
  const [makers, users, enders] = [positions('makes'), positions('uses'), positions('ends')];
  return dependencies.map(({ makes = [], needs = [], ends = [] }, own) => {
    const before = [
      ...needs.flatMap((thing) => makers.get(thing) ?? []),
      ...ends.flatMap((thing) => users.get(thing) ?? []),
      ...makes.flatMap((thing) => enders.get(thing) ?? []),
    ];
    return [...new Set(before)].filter((position) => position !== own).sort((left, right) => left - right);
  });
}

/** The operations in an order in which each can be done. */
export function inOrder(operations: readonly Operation[]): readonly Operation[] {
  const before = predecessors(operations);
  const ordered: Operation[] = [];
  const seen = new Set<number>();
  // Depth first, with a stack of its own: a chain may be longer than calls can nest.
  for (const start of operations.keys()) {
    const stack = [{ position: start, next: 0 }];
    while (stack.length > 0) {
      const top = stack[stack.length - 1];
      if (top === undefined) break;
      if (top.next === 0 && seen.has(top.position)) {
        stack.pop();
        continue;
      }
      seen.add(top.position);
      const required = (before[top.position] ?? []).slice(top.next).find((position) => !seen.has(position));
      if (required !== undefined) {
        top.next = (before[top.position] ?? []).indexOf(required) + 1;
        stack.push({ position: required, next: 0 });
        continue;
      }
      const operation = operations[top.position];
      if (operation !== undefined) ordered.push(operation);
      stack.pop();
    }
  }
  return ordered;
}
