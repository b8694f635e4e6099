/** Scopes of IPv4 routes: the higher, the nearer (rtnetlink.h, rt_scope_t). */
const NUMBERS: ReadonlyMap<string, number> = new Map([
  ['global', 0],
  ['site', 200],
  ['link', 253],
  ['host', 254],
  ['nowhere', 255],
]);

export const LINK_SCOPE = 253;
export const HOST_SCOPE = 254;

/** The number of a scope by its name, or as text; global where there is none. */
export function scopeNumber(scope = 'global'): number {
  return NUMBERS.get(scope) ?? Number(scope);
}
