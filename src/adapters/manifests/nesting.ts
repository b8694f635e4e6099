/** How large a parsed value is. */
export interface ValueSize {
  /** Fields of all mappings in the value, null-valued ones included. */
  readonly fields: number;
  /** Mappings and lists in one another, at most; 0 for a scalar. */
  readonly depth: number;
}

/**
 * Deepest nesting that is read, in mappings and lists. No object of the API comes near it; Kubernetes' own limit (10,000) would
 * exhaust the stack of a recursive walk.
 */
export const MAX_DEPTH = 300;

/** Measures a value of any depth. */
export function sizeOfValue(root: unknown): ValueSize {
  // A stack of its own, since a hostile value is deeper than the call stack.
  const pending: Container[] = isContainer(root) ? [{ value: root, depth: 1 }] : [];
  let fields = 0;
  let deepest = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, depth } = next;
    deepest = Math.max(deepest, depth);
    const children: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
    if (!Array.isArray(value)) fields += children.length;
    for (const child of children) {
      if (isContainer(child)) pending.push({ value: child, depth: depth + 1 });
    }
  }
  return { fields, depth: deepest };
}

interface Container {
  readonly value: object;
  readonly depth: number;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
