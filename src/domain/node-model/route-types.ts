import type { Route } from '../snapshot/node-snapshot.ts';

/** Types of routes that refuse packets, and have no next hops (rtnetlink(7)). */
const REFUSING_TYPES = ['blackhole', 'prohibit', 'throw', 'unreachable'];

/** Whether packets that take a route are refused. */
export function isRefusing({ type }: Pick<Route, 'type'>): boolean {
  return REFUSING_TYPES.includes(type);
}
