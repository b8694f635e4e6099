/**
 * What an administrator may have on the interfaces of a node: routes of every kind, addresses with lifetimes, nexthop objects, VLAN
 * devices, neighbours, and now and then something that stands in the way.
 */
import fc from 'fast-check';
import { linkLocalAddressOf } from '../../domain/ip-address.ts';
import type { Link, Neighbour, NextHopObject, NodeSnapshot, Route, Rule } from '../../domain/snapshot/node-snapshot.ts';
import { withKernelRoutes } from '../kernel-routes.ts';

type BriefRoute = Pick<Route, 'destination' | 'nextHops'> & Partial<Route>;

const gateway4 = '192.0.2.254';
const gateway6 = '2001:db8::fe';

/** Routes that may lead out of a device, the plainest first. */
function routesOf(device: string, other: string): readonly BriefRoute[] {
  const near = { device, gateway: gateway4 };
  return [
    { destination: '0.0.0.0/0', nextHops: [near], protocol: 'static', metric: 100 },
    { destination: '::/0', nextHops: [{ device, gateway: gateway6 }], metric: 1024 },
    { destination: '198.51.99.0/24', nextHops: [near] },
    { destination: '198.51.101.0/24', nextHops: [{ device }], scope: 'link' },
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
  ];
}

const objects = (device: string, other: string): readonly NextHopObject[] => [
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

/** What may stand in the way of a network. */
const obstacleKinds = [
  'rule',
  'route',
  'neighbour',
  'mapping',
  'unknown attribute',
  'service route',
  'rival of a route',
  'source in another table',
] as const;

/** What comes to an interface besides what every interface has. */
export interface Furnishing {
  readonly device: string;
  readonly routes: readonly number[];
  readonly lifetime: boolean;
  readonly handMade: boolean;
  readonly vlan: 'none' | 'up' | 'down';
  readonly neighbour: boolean;
  readonly keepsAddresses: string;
  readonly strictness: readonly [all: string, device: string];
  readonly inTheWay: 'nothing' | 'default routes of both' | (typeof obstacleKinds)[number];
}

const routeCount = routesOf('', '').length;
const numbers = (length: number) => Array.from({ length }, (_item, index) => index);

/** Furnishings of one of some devices. */
export function furnishings(devices: readonly string[]): fc.Arbitrary<Furnishing> {
  return fc.record({
    device: fc.constantFrom(...devices),
    routes: fc.subarray(numbers(routeCount), { maxLength: 6 }),
    lifetime: fc.boolean(),
    handMade: fc.boolean(),
    vlan: fc.constantFrom('none', 'none', 'none', 'up', 'up', 'up', 'up', 'down'),
    neighbour: fc.boolean(),
    keepsAddresses: fc.constantFrom('0', '0', '1', '-1'),
    strictness: fc.tuple(fc.constantFrom('0', '1', '2'), fc.constantFrom('0', '1', '2')),
    inTheWay: fc.oneof(
      { withCrossShrink: true },
      { weight: 7, arbitrary: fc.constant('nothing' as const) },
      { weight: 2, arbitrary: fc.constant('default routes of both' as const) },
      {
        weight: 3,
        arbitrary: fc.constantFrom(...obstacleKinds),
      },
    ),
  });
}

function complete(route: BriefRoute): Route {
  return {
    family: route.destination.includes(':') ? 6 : 4,
    type: 'unicast',
    table: 254,
    protocol: 'static',
    metric: 0,
    ...route,
  };
}

function furnishedLink(link: Link, { device, lifetime, handMade }: Furnishing): Link {
  const made = linkLocalAddressOf(link.macAddress ?? '');
  const hasIpv6 = link.addresses.some(({ address }) => address.includes(':'));
  const own = made !== undefined && hasIpv6 ? [{ address: made, prefixLength: 64, scope: 'link', flags: [] }] : [];
  if (link.name !== device) return { ...link, addresses: [...link.addresses, ...own] };
  return {
    ...link,
    addresses: [
      ...link.addresses,
      ...own,
      ...(lifetime
        ? [
            {
              address: '2001:db8:5::7',
              prefixLength: 64,
              scope: 'global',
              flags: ['dynamic'],
              validSeconds: 3000,
              preferredSeconds: 2000,
            },
          ]
        : []),
      ...(handMade ? [{ address: 'fe80::1', prefixLength: 64, scope: 'link', flags: [] }] : []),
    ],
  };
}

function vlanOn(lower: Link, index: number, state: 'up' | 'down'): Link {
  const up = lower.up && state === 'up';
  return {
    index,
    name: `${lower.name.slice(0, 11)}.5`,
    kind: 'vlan',
    lowerDevice: lower.name,
    up,
    operationalState: up ? 'up' : 'down',
    mtu: lower.mtu,
    type: 'ether',
    macAddress: lower.macAddress ?? '',
    addresses: [
      { address: '198.51.120.1', prefixLength: 24, scope: 'global', flags: [] },
      { address: '2001:db8:7::1', prefixLength: 64, scope: 'global', flags: [] },
    ],
  };
}

function sysctlsOf(links: readonly Link[], { device, keepsAddresses, strictness }: Furnishing): Record<string, string> {
  const names = ['all', 'default', ...links.map(({ name }) => name)];
  const values = names.flatMap((name) => {
    const key = name.replaceAll('.', '/');
    const strict = name === 'all' ? strictness[0] : name === device ? strictness[1] : '0';
    return [
      [`net.ipv4.conf.${key}.rp_filter`, strict],
      [`net.ipv4.conf.${key}.forwarding`, '1'],
      [`net.ipv6.conf.${key}.keep_addr_on_down`, name === 'all' ? keepsAddresses : '0'],
      [`net.ipv6.conf.${key}.forwarding`, '1'],
      [`net.ipv6.conf.${key}.disable_ipv6`, '0'],
    ] as const;
  });
  return { ...Object.fromEntries(values), 'net.ipv4.tcp_l3mdev_accept': '0' };
}

/** The default bridge's own device with the host's masquerade addresses, as OVN-Kubernetes keeps it. */
function defaultBridge(index: number): Link {
  const address = (text: string, prefixLength: number) => ({
    address: text,
    prefixLength,
    scope: 'global',
    flags: text.includes(':') ? ['nodad'] : [],
  });
  return {
    index,
    name: 'br-ex',
    up: true,
    operationalState: 'unknown',
    mtu: 1500,
    type: 'ether',
    macAddress: '02:00:00:00:02:01',
    addresses: [address('198.51.100.10', 24), address('169.254.0.2', 17), address('fd69::2', 112)],
  };
}

function obstacles(
  { device, inTheWay }: Furnishing,
  other: string,
  source: string | undefined,
): {
  readonly routes?: readonly Route[];
  readonly rules?: readonly Rule[];
  readonly neighbours?: readonly Neighbour[];
  readonly mapping?: string;
} {
  switch (inTheWay) {
    case 'rule':
      return { rules: [{ family: 4, priority: 2000, table: 77, protocol: 'boot', mark: 0x1001, others: {} }] };
    case 'route':
      return {
        routes: [complete({ destination: '10.96.0.0/16', nextHops: [{ device, gateway: gateway4 }], table: 1012 })],
      };
    case 'service route':
      return { routes: [complete({ destination: '10.96.0.0/16', nextHops: [{ device, gateway: gateway4 }] })] };
    case 'neighbour':
      return {
        neighbours: [{ device, address: '169.254.0.4', macAddress: '02:00:00:00:99:99', states: ['permanent'] }],
      };
    case 'mapping':
      return { mapping: 'cluster_udn_blue:br-other' };
    case 'unknown attribute':
      return {
        routes: [
          complete({
            destination: '198.51.109.0/24',
            nextHops: [{ device, gateway: gateway4 }],
            unknownAttributes: ['encap'],
          }),
        ],
      };
    case 'rival of a route':
      return {
        routes: [
          complete({ destination: '198.51.99.0/24', nextHops: [], type: 'blackhole', table: 1012 }),
          complete({ destination: '198.51.99.0/24', nextHops: [{ device, gateway: '192.0.2.253' }] }),
        ],
      };
    case 'source in another table':
      return {
        routes: [
          complete({
            destination: '198.51.110.0/24',
            nextHops: [{ device, gateway: gateway4 }],
            table: 77,
            ...(source !== undefined && { preferredSource: source }),
          }),
        ],
      };
    case 'default routes of both':
      return {
        routes: [device, other].map((name, position) =>
          complete({
            destination: '0.0.0.0/0',
            nextHops: [{ device: name, gateway: gateway4 }],
            metric: 200 + position,
          }),
        ),
      };
    case 'nothing':
      return {};
  }
}

/** The rules that the kernel adds with the first VRF device. */
function vrfRules(links: readonly Link[]): readonly Rule[] {
  if (links.every(({ kind }) => kind !== 'vrf')) return [];
  return ([4, 6] as const).map((family) => ({
    family,
    priority: 1000,
    protocol: 'kernel',
    others: { l3mdev: 'null' },
  }));
}

/** The device without a master that is not there. */
function withoutLostMaster({ master, ...link }: Link, links: readonly Link[]): Link {
  return links.some(({ name }) => name === master) ? { ...link, ...(master !== undefined && { master }) } : link;
}

/** The node with furniture on one of its interfaces. Where the interface is down or has no address nothing leads out of it. */
export function furnished(bare: NodeSnapshot, furnishing: Furnishing): NodeSnapshot {
  const node = { ...bare, links: bare.links.map((link) => withoutLostMaster(link, bare.links)) };
  const { device } = furnishing;
  const lower = node.links.find(({ name }) => name === device);
  const other = device === 'br-two' ? 'br-one' : 'br-two';
  const source = lower?.addresses.find(({ address }) => !address.includes(':'))?.address;
  const inTheWay = obstacles(furnishing, other, source);
  const mapping = inTheWay.mapping;
  const isUsable = (name: string) =>
    node.links.some((link) => link.name === name && link.up && link.addresses.length > 0 && link.master === undefined);
  const usable = isUsable(device) && isUsable(other);
  const vlans =
    lower !== undefined && furnishing.vlan !== 'none' ? [vlanOn(lower, node.links.length + 1, furnishing.vlan)] : [];
  const links = [
    ...node.links.map((link) => furnishedLink(link, furnishing)),
    ...vlans,
    defaultBridge(node.links.length + vlans.length + 1),
  ];
  const hasIpv6 = lower?.addresses.some(({ address }) => address.includes(':')) === true;
  const pool = routesOf(device, other).map(complete);
  const chosen = furnishing.routes
    .flatMap((index) => pool[index] ?? [])
    .filter(({ family }) => family === 4 || hasIpv6);
  return withKernelRoutes({
    ...node,
    links,
    routes: usable ? [...node.routes, ...chosen, ...(inTheWay.routes ?? [])] : node.routes,
    nextHopObjects: usable ? objects(device, other) : [],
    rules: [...node.rules, ...vrfRules(links), ...(inTheWay.rules ?? [])],
    neighbours: [
      ...(furnishing.neighbour && lower !== undefined
        ? [{ device, address: '192.0.2.77', macAddress: '02:00:00:00:77:77', states: ['permanent'] }]
        : []),
      ...(inTheWay.neighbours ?? []),
    ],
    switchExternalIds: {
      ...node.switchExternalIds,
      'ovn-bridge-mappings': [node.switchExternalIds['ovn-bridge-mappings'], 'physnet:br-ex', mapping]
        .filter((text) => text !== undefined)
        .join(','),
    },
    sysctls: sysctlsOf(links, furnishing),
    uptimeSeconds: 1000,
  });
}
