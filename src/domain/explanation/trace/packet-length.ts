import type { TraceVerdict } from './hop.ts';

/**
 * The end of a packet that is longer than an MTU; undefined for one that fits.
 *
 * @param length in bytes; undefined for a packet that always fits
 */
export function tooLong(where: string, mtu: number, length: number | undefined): TraceVerdict | undefined {
  if (length === undefined || length <= mtu) return undefined;
  return { kind: 'dropped', where, why: `${String(length)} bytes exceed the MTU of ${String(mtu)} bytes` };
}
