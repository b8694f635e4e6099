/**
 * Whether a stored value has everything of another one, as after server-side apply: every field of objects, every item of lists in any order, perhaps
 * with more beside it.
 */
export function isPartOf(part: unknown, whole: unknown): boolean {
  if (typeof part !== 'object' || part === null) return part === whole;
  if (typeof whole !== 'object' || whole === null || Array.isArray(part) !== Array.isArray(whole)) return false;
  if (Array.isArray(part)) {
    return part.every((item) => Object.values(whole).some((other) => isPartOf(item, other)));
  }
  const present = new Map<string, unknown>(Object.entries(whole));
  return Object.entries(part).every(([key, value]) => present.has(key) && isPartOf(value, present.get(key)));
}
