/**
 * Routes of every kind that an administrator may have on the interfaces of a node, and the next hop objects that some of them share.
 */
import type { NextHopObject, Route } from '../../domain/snapshot/node-snapshot.ts';

/** A route of an administrator's, without what is as usual. */
type AdministratorRoute = Pick<Route, 'destination' | 'nextHops'> & Partial<Route>;

/** The router of every generated interface with an IPv4 address. */
export const gateway4 = '192.0.2.254';
const gateway6 = '2001:db8::fe';

/** The route with what is usual for those that an administrator makes. */
export function administratorRoute(route: AdministratorRoute): Route {
  return {
    family: route.destination.includes(':') ? 6 : 4,
    type: 'unicast',
    table: 254,
    protocol: 'static',
    metric: 0,
    ...route,
  };
}

function routesOf(device: string, other: string): readonly AdministratorRoute[] {
  const near = { device, gateway: gateway4 };
  return [
    { destination: '0.0.0.0/0', nextHops: [near], protocol: 'static', metric: 100 },
    { destination: '::/0', nextHops: [{ device, gateway: gateway6 }], metric: 1024 },
    { destination: '198.51.99.0/24', nextHops: [near] },
    { destination: '198.51.101.0/24', nextHops: [{ device }], scope: 'link' },
    // As NetworkManager makes them, with protocol kernel.
    { destination: '198.51.112.0/24', nextHops: [{ device }], protocol: 'kernel', scope: 'link', metric: 100 },
    { destination: '198.51.102.0/24', nextHops: [near], table: 77 },
    { destination: '198.51.102.0/24', nextHops: [near], table: 1012 },
    { destination: '198.51.103.0/24', nextHops: [near, { device, gateway: '192.0.2.253', weight: 3 }] },
    { destination: '198.51.104.0/24', nextHops: [near, { device: other, gateway: '192.0.2.253' }] },
    { destination: '198.51.105.0/24', nextHops: [near], nextHopObject: 5 },
    { destination: '198.51.106.0/24', nextHops: [near, { device: other, gateway: gateway4 }], nextHopObject: 10 },
    { destination: '198.51.107.0/24', nextHops: [near], protocol: 'bgp', metric: 20 },
    { destination: '198.51.108.0/24', nextHops: [near], metrics: { mtu: 1300, advmss: 1200 }, typeOfService: '0x10' },
    { destination: '203.0.113.9/32', nextHops: [{ device }], type: 'local', table: 255, scope: 'host' },
    { destination: '2001:db8:1::/48', nextHops: [{ device, gateway: 'fe80::99' }], metric: 1024, preference: 'high' },
    { destination: '2001:db8:2::/48', nextHops: [{ device, gateway: gateway6 }], metric: 1024, table: 77 },
    { destination: '2001:db8:3::/48', nextHops: [{ device }], metric: 1024, expiresSeconds: 600 },
    // As the kernel makes it of a router's advertisement (RFC 4191, section 2.3), or a daemon that reads it instead.
    {
      destination: '2001:db8:5::/48',
      nextHops: [{ device, gateway: 'fe80::99' }],
      protocol: 'ra',
      metric: 512,
      expiresSeconds: 900,
    },
  ];
}

/** Routes that may lead out of a device, some of them out of another one too, the plainest first. */
export function administratorRoutes(device: string, other: string): readonly Route[] {
  return routesOf(device, other).map(administratorRoute);
}

/** How many of these routes there are, whatever the devices. */
export const administratorRouteCount = routesOf('', '').length;

/** The next hop objects that such routes name. */
export const administratorNextHopObjects = (device: string, other: string): readonly NextHopObject[] => [
  { id: 5, family: 4, device, gateway: gateway4, protocol: 'static' },
  { id: 6, family: 4, device: other, gateway: gateway4, protocol: 'static' },
  {
    id: 10,
    group: [
      { id: 5, weight: 1 },
      { id: 6, weight: 1 },
    ],
    protocol: 'static',
  },
];
