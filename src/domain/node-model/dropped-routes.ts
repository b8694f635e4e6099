import type { NodeSnapshot, Route } from '../snapshot/node-snapshot.ts';

/** Devices that fail, and how far. */
export interface FailedDevices {
  readonly devices: ReadonlySet<string>;
  /** The device among them of which not even the routes of local addresses stay. */
  readonly emptied?: string | undefined;
  /** Of both families where absent. */
  readonly family?: 4 | 6;
}

/**
 * The routes that are left after devices failed.
 *
 * A route with several next hops stays, with all of them, as long as one is alive (net/ipv4/fib_semantics.c, fib_sync_down_dev;
 * net/ipv6/route.c, fib6_ifdown). IPv4 routes of scope host, which local addresses have, outlive their device's link. Routes of next hop
 * objects follow these.
 */
export function routesLeft(node: NodeSnapshot, { devices, emptied, family }: FailedDevices): readonly Route[] {
  const down = new Set(node.links.filter(({ up }) => !up).map(({ name }) => name));
  const isAlive = (device = ''): boolean => !devices.has(device) && !down.has(device);
  return node.routes.filter((route) => {
    const { nextHops, scope } = route;
    if (route.nextHopObject !== undefined || (family !== undefined && route.family !== family)) return true;
    if (!nextHops.some(({ device = '' }) => devices.has(device))) return true;
    if (route.family === 4 && scope === 'host') return !nextHops.some(({ device }) => device === emptied);
    return nextHops.some(({ device }) => isAlive(device));
  });
}

/** The routes that are left after a device is gone: in IPv4 no route with a next hop out of it stays. */
export function routesWithout({ routes }: NodeSnapshot, device: string): readonly Route[] {
  return routes.flatMap((route) => {
    if (!route.nextHops.some((hop) => hop.device === device)) return [route];
    const nextHops = route.nextHops.filter((hop) => hop.device !== device);
    return route.family === 4 || nextHops.length === 0 ? [] : [{ ...route, nextHops }];
  });
}

/**
 * The routes that are left after addresses of a device are gone: IPv4 routes of a table that have one as their source are removed
 * (net/ipv4/fib_semantics.c, fib_sync_down_addr). Only the table of the device's routing domain counts.
 */
export function routesWithoutSources(
  { routes }: Pick<NodeSnapshot, 'routes'>,
  sources: ReadonlySet<string>,
  table: number,
): readonly Route[] {
  if (sources.size === 0) return routes;
  return routes.filter(
    (route) => route.family === 6 || route.table !== table || !sources.has(route.preferredSource ?? ''),
  );
}
