/** The size of a parsed value. */
export interface ValueSize {
  /** The number of fields of all mappings in the value, including null ones. */
  readonly fields: number;
  /** The maximum nesting of mappings and lists; 0 for a scalar. */
  readonly depth: number;
}

/**
 * Maximum nesting of mappings and lists. No object of the API comes near it; with the limit of Kubernetes (10,000) a recursive function
 * would exhaust the stack.
 */
export const MAX_DEPTH = 300;

/** Measures a value of any depth. */
export function sizeOfValue(root: unknown): ValueSize {
  // Not recursive, since a malicious value may be deeper than the call stack.
  const pending: Collection[] = isCollection(root) ? [{ value: root, depth: 1 }] : [];
  let fields = 0;
  let deepest = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, depth } = next;
    deepest = Math.max(deepest, depth);
    const children: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
    if (!Array.isArray(value)) fields += children.length;
    for (const child of children) {
      if (isCollection(child)) pending.push({ value: child, depth: depth + 1 });
    }
  }
  return { fields, depth: deepest };
}

interface Collection {
  readonly value: object;
  readonly depth: number;
}

function isCollection(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
