import type { TenantNetwork } from './tenant-network.ts';

/** A property of a network that this version does not support. */
export type UnsupportedPart =
  | { readonly part: 'topology'; readonly found: string }
  | { readonly part: 'role'; readonly found: string }
  | { readonly part: 'transport'; readonly found: string };

/** Why this version does not provide a network; undefined if it does: primary Layer3 networks by Geneve. */
export function unsupportedPart({ topology, role, transport }: TenantNetwork): UnsupportedPart | undefined {
  if (topology !== 'Layer3') return { part: 'topology', found: topology };
  if (role !== 'Primary') return { part: 'role', found: role ?? 'unset' };
  if (transport !== undefined && transport !== 'Geneve') return { part: 'transport', found: transport };
  return undefined;
}
