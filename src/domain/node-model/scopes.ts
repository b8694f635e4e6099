/** Names of the scopes of addresses and IPv4 routes, by number: the higher, the nearer (rtnetlink.h, rt_scope_t). */
export const SCOPES = { 0: 'global', 200: 'site', 253: 'link', 254: 'host', 255: 'nowhere' } as const;

const NUMBERS: ReadonlyMap<string, number> = new Map(
  Object.entries(SCOPES).map(([number, name]) => [name, Number(number)]),
);

export const LINK_SCOPE = 253;
export const HOST_SCOPE = 254;

/** The number of a scope by its name, or as text; global where there is none. */
export function scopeNumber(scope = 'global'): number {
  return NUMBERS.get(scope) ?? Number(scope);
}
