import { byName } from '../../domain/basics/names/ordering.ts';
import type { Route } from '../../domain/snapshot/node-snapshot.ts';

/** The metrics of a route, and the names of unknown ones. */
interface RouteMetrics {
  readonly metrics?: NonNullable<Route['metrics']>;
  readonly unknown: readonly string[];
}

/** Metrics that are times: ip prints milliseconds, but reads a number without unit in the kernel's own unit. */
const TIMES: ReadonlySet<string> = new Set(['rtt', 'rttvar', 'rto_min']);

/**
 * A metric in the syntax of ip-route(8), which differs from its JSON.
 *
 * @returns absent if ip would not accept it
 */
function metricOf(name: string, value: unknown): readonly [string, number | string] | undefined {
  if (name === 'ecn') return ['features', 'ecn'];
  // A bit mask, printed if there are features other than ECN.
  if (name === 'features') return undefined;
  if (typeof value === 'number') return [name, TIMES.has(name) ? `${value}ms` : value];
  if (typeof value === 'string') return [name === 'congestion' ? 'congctl' : name, value];
  return undefined;
}

/**
 * The metrics of a route, which ip prints as a list of one object.
 *
 * The JSON does not show which of them are locked (ip-route(8), `mtu lock`).
 */
export function routeMetrics(printed: readonly object[]): RouteMetrics {
  const entries = printed.flatMap((metrics): [string, unknown][] => Object.entries(metrics));
  const read = entries.map(([name, value]) => ({ name, metric: metricOf(name, value) }));
  const known = read.flatMap(({ metric }) => (metric === undefined ? [] : [metric]));
  return {
    ...(known.length > 0 && { metrics: Object.fromEntries(known.sort(([left], [right]) => byName(left, right))) }),
    unknown: read.flatMap(({ name, metric }) => (metric === undefined ? [`metrics.${name}`] : [])),
  };
}
