/**
 * Examples of every kind of operation, each done to a node once others are done.
 */
import { vrfSignature } from '../../../src/domain/entities/vrf-signature.ts';
import type { Address, EntityOperation, NextHop, Operation, PutBack, Route, Rule } from '../../../src/domain/index.ts';
import { bridge } from './bridge.ts';
import { ip, ovsVsctl } from './commands.ts';
import type { ArgumentVector } from './node.ts';

/** One operation of a kind, done to a node once others are done. */
export interface Example<Some extends Operation = Operation> {
  /** Of what it is, where the kind has several examples. */
  readonly of?: string;
  readonly first: readonly Operation[];
  /** What somebody else does then. */
  readonly commands?: readonly ArgumentVector[];
  readonly operation: Some;
  /** What the kernel says to the same command again: nothing where it is done twice. */
  readonly again?: string;
  /** Whether the inverse, if there is one, is not meant to lead back. */
  readonly oneWay?: true;
  /** What the kernel keeps after the inverse, as each line has it in which the node differs from before. */
  readonly remainder?: string;
}

/** What the node of every example has before: on the interface each thing that a membership change makes the kernel drop. */
export const administratorConfig: readonly ArgumentVector[] = [
  ...bridge('br-blue', { addresses: ['192.0.2.6/24', '2001:db8:b::6/64'], physicalPort: 'eth1' }),
  ip`link add eth2 up type dummy`,
  ip`address add 203.0.113.6/26 dev eth2`,
  ip`neighbour add 192.0.2.77 lladdr 02:00:00:00:77:77 dev br-blue nud permanent`,
  ip`nexthop add id 5 via 192.0.2.1 dev br-blue proto static`,
  ip`nexthop add id 7 via 203.0.113.2 dev eth2 proto static`,
  ip`nexthop add id 11 group 5,3/7 proto static`,
  ip`route add 198.51.99.0/24 via 192.0.2.1 dev br-blue proto static`,
  // The first VRF of a node brings rules that never go.
  ip`link add corp type vrf table 500`,
  ovsVsctl`set Open_vSwitch . ${'external_ids:ovn-bridge-mappings=physnet:br-ex'}`,
];

const networks = ['blue'];
const networkName = 'cluster_udn_blue';
const setting = 'net.ipv4.conf.br-blue.rp_filter';
const familyText = (text: string) => (text.includes(':') ? 'IPv6' : 'IPv4');
const via = (...gateways: readonly string[]): readonly NextHop[] =>
  gateways.map((gateway) => ({ device: 'br-blue', gateway }));

function ownRoute(nextHops: readonly NextHop[], more: Partial<Route> = {}): Route {
  const key = { family: 4, destination: '0.0.0.0/0', table: 1012, metric: 0 } as const;
  return { ...key, type: 'unicast', protocol: '94', nextHops, ...more };
}

const ownRoute6 = (nextHops: readonly NextHop[], more: Partial<Route> = {}): Route =>
  ownRoute(nextHops, { family: 6, destination: '::/0', metric: 50, ...more });
const gateways6 = ['2001:db8:b::1', '2001:db8:b::2', '2001:db8:b::3'] as const;
const staticRoute = ownRoute(via('192.0.2.1'), { destination: '198.51.99.0/24', table: 254, protocol: 'static' });
const staticRoute6 = ownRoute6(via(gateways6[0]), { destination: '2001:db8:1::/48', table: 254 });
const address: Address = { address: '169.254.0.2', prefixLength: 32, scope: 'global', flags: [] };
const address6: Address = { address: 'fd69::2', prefixLength: 128, scope: 'global', flags: ['nodad'] };
const rule: Rule = { family: 4, priority: 1999, mark: 0x1007, table: 1012, protocol: '94', others: {} };
const neighbour = {
  device: 'br-blue',
  address: '169.254.0.4',
  macAddress: '0a:58:a9:fe:00:04',
  states: ['permanent'],
  protocol: '94',
};
const members = [
  { id: 5, weight: 3 },
  { id: 7, weight: 1 },
] as const;

type PutBackExample = Example<PutBack>;
type Displaced = PutBack['entity'];

const putBack = (entity: Displaced, origin?: Displaced): PutBack => ({
  ...{ verb: 'put-back', networks, device: 'br-blue', entity, ...(origin && { origin }) },
});

/** Removes what an operation added. */
function removal(added: EntityOperation): EntityOperation {
  return { ...added, verb: 'remove' };
}

const addRoute = (route: Route) => ({ verb: 'add', networks, entity: { kind: 'route', route } }) as const;
const replaceRoute = (route: Route) => ({ verb: 'replace', networks, entity: { kind: 'route', route } }) as const;

const make = {
  vrf: {
    verb: 'add',
    networks,
    entity: { kind: 'vrf', name: 'blue', table: 1012, alias: vrfSignature(networkName), up: true },
  },
  signature: {
    verb: 'replace',
    networks,
    entity: { kind: 'vrf', name: 'blue', alias: `ovn-uplinks:${networkName}`, table: 1012, up: true },
  },
  membership: {
    verb: 'add',
    networks,
    entity: { kind: 'membership', device: 'br-blue', vrf: 'blue', table: 1012, network: networkName },
  },
  address: { verb: 'add', networks, entity: { kind: 'address', device: 'blue', address } },
  address6: { verb: 'add', networks, entity: { kind: 'address', device: 'blue', address: address6 } },
  route: addRoute(ownRoute(via('192.0.2.1'), { metrics: { mtu: 1400 } })),
  rule: { verb: 'add', networks, entity: { kind: 'rule', rule } },
  rule6: { verb: 'add', networks, entity: { kind: 'rule', rule: { ...rule, family: 6 } } },
  neighbour: { verb: 'add', networks, entity: { kind: 'neighbour', neighbour } },
  neighbour6: {
    verb: 'add',
    networks,
    entity: { kind: 'neighbour', neighbour: { ...neighbour, address: 'fe80::858:a9ff:fefe:4' } },
  },
  mapping: { verb: 'add', networks, entity: { kind: 'bridge-mapping', networkName, bridge: 'br-blue' } },
} as const satisfies Readonly<Record<string, Operation>>;

const signedVrf = [make.vrf, make.signature];
const enslaved = [...signedVrf, make.membership];

const droppedAddress = putBack({
  kind: 'address',
  device: 'br-blue',
  address: { address: '2001:db8:b::6', prefixLength: 64, scope: 'global', flags: [] },
});
const droppedObject = putBack({
  kind: 'next-hop-object',
  object: { id: 5, family: 4, device: 'br-blue', gateway: '192.0.2.1', protocol: 'static' },
});

/** What is left of the group of next hops while the interface's is gone. */
const shrunkGroup = { kind: 'next-hop-object', object: { id: 11, protocol: 'static', group: [members[1]] } } as const;

/** Puts back what a membership change made the kernel drop, each with what comes before it and what the kernel says to the second time. */
const putBacks: readonly PutBackExample[] = [
  {
    of: 'a route',
    first: enslaved,
    operation: putBack(
      { kind: 'route', route: { ...staticRoute, table: 1012 } },
      { kind: 'route', route: staticRoute },
    ),
    again: 'File exists',
  },
  {
    of: 'an IPv6 route',
    first: [...enslaved, droppedAddress],
    operation: putBack({ kind: 'route', route: { ...staticRoute6, table: 1012 } }),
    again: 'File exists',
  },
  { of: 'an address', first: enslaved, operation: droppedAddress },
  {
    of: 'an address with a lifetime',
    first: enslaved,
    // The route to its subnet ends with its own lifetime, or when the device goes down.
    remainder: '"destination":"2001:db8:5::/64"',
    operation: putBack({
      kind: 'address',
      device: 'br-blue',
      address: {
        ...{ address: '2001:db8:5::6', prefixLength: 64, scope: 'global', flags: ['dynamic'] },
        ...{ validSeconds: 3000, preferredSeconds: 2000 },
      },
    }),
  },
  {
    of: 'a neighbour',
    first: enslaved,
    operation: putBack({
      kind: 'neighbour',
      neighbour: {
        ...{ device: 'br-blue', address: '192.0.2.77', macAddress: '02:00:00:00:77:77', states: ['permanent'] },
      },
    }),
  },
  ...['192.0.2.79', '2001:db8:b::79'].map((address) => ({
    of: `an ${familyText(address)} proxy entry`,
    first: enslaved,
    operation: putBack({ kind: 'neighbour-proxy', proxy: { device: 'br-blue', address } }),
  })),
  { of: 'a next hop object', first: enslaved, operation: droppedObject },
  {
    of: 'a group of next hops, of which some were left',
    first: [...enslaved, droppedObject],
    operation: putBack({ kind: 'next-hop-object', object: { id: 11, protocol: 'static', group: members } }),
  },
];

const notThere = {
  route: 'No such process',
  address: 'Cannot assign requested address',
  neighbour: 'No such file or directory',
  'neighbour-proxy': 'No such file or directory',
  'next-hop-object': 'No such file or directory',
} as const;

/** Takes back what was put back. */
function takeBack({ of = '', first, operation }: PutBackExample): Example {
  const { entity } = operation;
  const leaving = entity.kind === 'next-hop-object' && entity.object.group !== undefined ? shrunkGroup : undefined;
  return {
    of,
    first: [...first, operation],
    operation: { ...operation, verb: 'take-back', ...(leaving && { leaving }) },
    ...(leaving === undefined && { again: notThere[entity.kind] }),
  };
}

/** A route that takes the place of another one. */
function replacement(of: string, earlier: Route, later: Route): Example {
  return { of, first: [addRoute(earlier)], operation: replaceRoute(later) };
}

const [onePath6, twoPaths6] = [ownRoute6(via(gateways6[0])), ownRoute6(via(gateways6[0], gateways6[1]))];
const refusing6 = ownRoute6([], { type: 'unreachable' });
const weighted6 = (weight: number) =>
  ownRoute6([{ device: 'br-blue', gateway: gateways6[0], weight }, ...via(gateways6[1])]);

/** Examples by the name of the operation. */
export const examples: Readonly<Record<string, readonly Example[]>> = {
  'add-vrf': [{ first: [], operation: make.vrf, again: 'File exists' }],
  'set-vrf': [
    { of: 'not signed', first: [make.vrf], operation: make.signature, oneWay: true },
    {
      of: 'down',
      first: signedVrf,
      commands: [ip`link set blue down`],
      operation: make.signature,
      oneWay: true,
    },
  ],
  'delete-vrf': [{ first: signedVrf, operation: removal(make.vrf), again: 'Cannot find device' }],
  enslave: [{ first: signedVrf, operation: make.membership }],
  release: [{ first: enslaved, operation: removal(make.membership) }],
  'put-back': putBacks,
  'take-back': putBacks.map(takeBack),
  'add-address': [
    { of: 'IPv4', first: signedVrf, operation: make.address, again: 'File exists' },
    { of: 'IPv6', first: signedVrf, operation: make.address6, again: 'File exists' },
  ],
  'delete-address': [make.address, make.address6].map((added) => ({
    of: familyText(added.entity.address.address),
    first: [...signedVrf, added],
    operation: removal(added),
    again: 'Cannot assign requested address',
  })),
  'add-route': [
    { of: 'IPv4', first: [], operation: make.route, again: 'File exists' },
    { of: 'IPv6', first: [], operation: addRoute(onePath6), again: 'File exists' },
  ],
  'replace-route': [
    replacement('IPv4, by one of several next hops', make.route.entity.route, ownRoute(via('192.0.2.2', '192.0.2.3'))),
    replacement('IPv6, by one of another gateway', onePath6, ownRoute6(via(gateways6[1]))),
    replacement('IPv6, by one of several next hops', onePath6, twoPaths6),
    replacement('IPv6 of several next hops, by one of others', twoPaths6, ownRoute6(via(gateways6[1], gateways6[2]))),
    replacement('IPv6 of several next hops, by one of one', twoPaths6, onePath6),
    replacement('IPv6, by one of a device alone', onePath6, ownRoute6([{ device: 'br-blue' }])),
    replacement('IPv6, by one that refuses', onePath6, refusing6),
    replacement('IPv6 that refuses, by one of several next hops', refusing6, twoPaths6),
    replacement('IPv6, by one of other weights', weighted6(3), weighted6(2)),
    replacement('IPv6, by one with an MTU', onePath6, { ...onePath6, metrics: { mtu: 1400 } }),
  ],
  'delete-route': [make.route.entity.route, onePath6, twoPaths6].map((route) => ({
    of: `IPv${route.family} with ${route.nextHops.length === 1 ? 'one next hop' : 'several next hops'}`,
    first: [addRoute(route)],
    operation: { verb: 'remove', networks, entity: { kind: 'route', route } },
    again: 'No such process',
  })),
  'add-rule': [make.rule, make.rule6].map((operation) => ({
    of: `IPv${operation.entity.rule.family}`,
    first: [],
    operation,
    again: 'File exists',
  })),
  'delete-rule': [make.rule, make.rule6].map((added) => ({
    of: `IPv${added.entity.rule.family}`,
    first: [added],
    operation: removal(added),
    again: 'No such file or directory',
  })),
  'set-sysctl': [
    {
      first: [],
      operation: { verb: 'add', networks, entity: { kind: 'sysctl', device: 'br-blue', name: setting, value: '1' } },
    },
  ],
  'add-neighbour': [make.neighbour, make.neighbour6].map((operation) => ({
    of: familyText(operation.entity.neighbour.address),
    first: [],
    operation,
  })),
  'delete-neighbour': [make.neighbour, make.neighbour6].map((added) => ({
    of: familyText(added.entity.neighbour.address),
    first: [added],
    operation: removal(added),
    again: 'No such file or directory',
  })),
  'add-bridge-mapping': [{ first: [], operation: make.mapping, again: 'timed out' }],
  'remove-bridge-mapping': [
    {
      first: [make.mapping],
      operation: removal(make.mapping),
      again: 'timed out',
    },
  ],
};
