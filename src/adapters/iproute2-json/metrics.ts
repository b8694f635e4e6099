import { byName } from '../../domain/ordering.ts';
import type { Route } from '../../domain/snapshot/node-snapshot.ts';

/** What is known of a route's metrics, and the names of what is not. */
interface RouteMetrics {
  readonly metrics?: NonNullable<Route['metrics']>;
  readonly unknown: readonly string[];
}

/** Metrics that are times; ip prints milliseconds, and takes a number without unit for the kernel's own unit. */
const TIMES: ReadonlySet<string> = new Set(['rtt', 'rttvar', 'rto_min']);

/**
 * One metric in the words that ip-route(8) takes, which are not always those that it prints in JSON.
 *
 * @returns absent for what it would not take
 */
function metricOf(name: string, value: unknown): readonly [string, number | string] | undefined {
  if (name === 'ecn') return ['features', 'ecn'];
  // All features as one number, printed where there are others than ECN.
  if (name === 'features') return undefined;
  if (typeof value === 'number') return [name, TIMES.has(name) ? `${value}ms` : value];
  if (typeof value === 'string') return [name === 'congestion' ? 'congctl' : name, value];
  return undefined;
}

/**
 * The metrics of a route of what ip prints: a list of one object.
 *
 * Which of them are locked (ip-route(8), `mtu lock`), ip does not say in JSON.
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
