/** Examples of every kind of operation, each applied to a node after others. */
import { clusterNetworkKey } from '../../../src/domain/network/key.ts';
import { vrfSignature } from '../../../src/domain/network/names/vrf-signature.ts';
import type { Address, EntityOperation, NextHop, Operation, PutBack, Route, Rule } from '../../../src/domain/index.ts';
import { bridge } from './bridge.ts';
import { ip, ovsVsctl, sysctl } from './commands.ts';
import type { ArgumentVector } from './node.ts';

/** An operation of a kind, and the operations before it. */
export interface Example<Some extends Operation = Operation> {
  /** Distinguishes several examples of a kind. */
  readonly what?: string;
  readonly first: readonly Operation[];
  /** Commands of an administrator after those operations. */
  readonly commands?: readonly ArgumentVector[];
  readonly operation: Some;
  /** The kernel's error if the command is repeated; absent if that succeeds. */
  readonly again?: string;
  /** Whether there is no inverse. */
  readonly oneWay?: true;
  /** Text of the only line in which the node may differ after the inverse. */
  readonly remainder?: string;
}

/** The initial configuration of each node: on the interface an entity of each kind that the kernel displaces. */
export const administratorConfig: readonly ArgumentVector[] = [
  ...bridge('br-blue', { addresses: ['192.0.2.6/24', '2001:db8:b::6/64'], physicalPort: 'eth1' }),
  ip`link add eth2 up type dummy`,
  ip`address add 203.0.113.6/26 dev eth2`,
  ip`neighbour add 192.0.2.77 lladdr 02:00:00:00:77:77 dev br-blue nud permanent`,
  // Until a MAC address is confirmed that nobody answers for, the kernel has it.
  ...[4, 6].map((family) => sysctl`-q -w net.ipv${family}.neigh.br-blue.delay_first_probe_time=600`),
  ip`nexthop add id 5 via 192.0.2.1 dev br-blue proto static`,
  ip`nexthop add id 7 via 203.0.113.2 dev eth2 proto static`,
  ip`nexthop add id 11 group 5,3/7 proto static`,
  ip`route add 198.51.99.0/24 via 192.0.2.1 dev br-blue proto static`,
  // The rules that come with the first VRF of a node stay.
  ip`link add corp type vrf table 500`,
  ovsVsctl`set Open_vSwitch . ${'external_ids:ovn-bridge-mappings=physnet:br-ex'}`,
];

const networks = [clusterNetworkKey('blue')];
const networkName = 'cluster_udn_blue';
const setting = 'net.ipv4.conf.br-blue.rp_filter';
/** Of an interface whose only IPv6 address is made by the kernel. */
const disabledIpv6 = (value: '0' | '1'): EntityOperation => ({
  ...{ verb: 'add', networks },
  entity: { kind: 'sysctl', device: 'eth2', name: 'net.ipv6.conf.eth2.disable_ipv6', value },
});
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

const add = {
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

const signedVrf = [add.vrf, add.signature];
const enslaved = [...signedVrf, add.membership];

const droppedAddress = putBack({
  kind: 'address',
  device: 'br-blue',
  address: { address: '2001:db8:b::6', prefixLength: 64, scope: 'global', flags: [] },
});
const droppedObject = putBack({
  kind: 'next-hop-object',
  object: { id: 5, family: 4, device: 'br-blue', gateway: '192.0.2.1', protocol: 'static' },
});

/** The group of next hops without the one on the interface. */
const shrunkGroup = { kind: 'next-hop-object', object: { id: 11, protocol: 'static', group: [members[1]] } } as const;

/** Operations that put back displaced entities. */
const putBacks: readonly PutBackExample[] = [
  {
    what: 'a route',
    first: enslaved,
    operation: putBack(
      { kind: 'route', route: { ...staticRoute, table: 1012 } },
      { kind: 'route', route: staticRoute },
    ),
    again: 'File exists',
  },
  {
    what: 'an IPv6 route',
    first: [...enslaved, droppedAddress],
    operation: putBack({ kind: 'route', route: { ...staticRoute6, table: 1012 } }),
    again: 'File exists',
  },
  { what: 'an address', first: enslaved, operation: droppedAddress },
  {
    what: 'an address with a lifetime',
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
    what: 'a neighbour',
    first: enslaved,
    operation: putBack({
      kind: 'neighbour',
      neighbour: {
        ...{ device: 'br-blue', address: '192.0.2.77', macAddress: '02:00:00:00:77:77', states: ['permanent'] },
      },
    }),
  },
  ...['192.0.2.78', '2001:db8:b::78'].map((address) => ({
    what: `an ${familyText(address)} neighbour that the kernel keeps resolved`,
    first: enslaved,
    operation: putBack({
      kind: 'neighbour',
      neighbour: { device: 'br-blue', address, macAddress: '02:00:00:00:77:77', states: ['reachable', 'managed'] },
    }),
  })),
  ...['192.0.2.79', '2001:db8:b::79'].map((address) => ({
    what: `an ${familyText(address)} proxy entry`,
    first: enslaved,
    operation: putBack({ kind: 'neighbour-proxy', proxy: { device: 'br-blue', address } }),
  })),
  { what: 'a next hop object', first: enslaved, operation: droppedObject },
  {
    what: 'a group of next hops that still has a member',
    first: [...enslaved, droppedObject],
    operation: putBack({ kind: 'next-hop-object', object: { id: 11, protocol: 'static', group: members } }),
  },
];

const missingErrors = {
  route: 'No such process',
  address: 'Cannot assign requested address',
  neighbour: 'No such file or directory',
  'neighbour-proxy': 'No such file or directory',
  'next-hop-object': 'No such file or directory',
} as const;

/** The take-back of an entity that was put back. */
function takeBack({ what = '', first, operation }: PutBackExample): Example {
  const { entity } = operation;
  const leaving = entity.kind === 'next-hop-object' && entity.object.group !== undefined ? shrunkGroup : undefined;
  return {
    what,
    first: [...first, operation],
    operation: { ...operation, verb: 'take-back', ...(leaving && { leaving }) },
    ...(leaving === undefined && { again: missingErrors[entity.kind] }),
  };
}

/** A route that replaces another one. */
function replacement(what: string, earlier: Route, later: Route): Example {
  return { what, first: [addRoute(earlier)], operation: replaceRoute(later) };
}

const [onePath6, twoPaths6] = [ownRoute6(via(gateways6[0])), ownRoute6(via(gateways6[0], gateways6[1]))];
const refusing6 = ownRoute6([], { type: 'unreachable' });
const weighted6 = (weight: number) =>
  ownRoute6([{ device: 'br-blue', gateway: gateways6[0], weight }, ...via(gateways6[1])]);

/** Examples by operation name. */
export const examples: Readonly<Record<string, readonly Example[]>> = {
  'add-vrf': [{ first: [], operation: add.vrf, again: 'File exists' }],
  'set-vrf': [
    { what: 'not signed', first: [add.vrf], operation: add.signature, oneWay: true },
    {
      what: 'down',
      first: signedVrf,
      commands: [ip`link set blue down`],
      operation: add.signature,
      oneWay: true,
    },
  ],
  'delete-vrf': [{ first: signedVrf, operation: removal(add.vrf), again: 'Cannot find device' }],
  enslave: [{ first: signedVrf, operation: add.membership }],
  release: [{ first: enslaved, operation: removal(add.membership) }],
  'put-back': putBacks,
  'take-back': putBacks.map(takeBack),
  'add-address': [
    { what: 'IPv4', first: signedVrf, operation: add.address, again: 'File exists' },
    { what: 'IPv6', first: signedVrf, operation: add.address6, again: 'File exists' },
  ],
  'delete-address': [add.address, add.address6].map((added) => ({
    what: familyText(added.entity.address.address),
    first: [...signedVrf, added],
    operation: removal(added),
    again: 'Cannot assign requested address',
  })),
  'add-route': [
    { what: 'IPv4', first: [], operation: add.route, again: 'File exists' },
    { what: 'IPv6', first: [], operation: addRoute(onePath6), again: 'File exists' },
  ],
  'replace-route': [
    replacement('IPv4, by one with several next hops', add.route.entity.route, ownRoute(via('192.0.2.2', '192.0.2.3'))),
    replacement('IPv6, by one with another gateway', onePath6, ownRoute6(via(gateways6[1]))),
    replacement('IPv6, by one with several next hops', onePath6, twoPaths6),
    replacement(
      'IPv6 with several next hops, by one with others',
      twoPaths6,
      ownRoute6(via(gateways6[1], gateways6[2])),
    ),
    replacement('IPv6 with several next hops, by one with one', twoPaths6, onePath6),
    replacement('IPv6, by one with only a device', onePath6, ownRoute6([{ device: 'br-blue' }])),
    replacement('IPv6, by an unreachable one', onePath6, refusing6),
    replacement('unreachable IPv6, by one with several next hops', refusing6, twoPaths6),
    replacement('IPv6, by one with other weights', weighted6(3), weighted6(2)),
    replacement('IPv6, by one with an MTU', onePath6, { ...onePath6, metrics: { mtu: 1400 } }),
  ],
  'delete-route': [add.route.entity.route, onePath6, twoPaths6].map((route) => ({
    what: `IPv${route.family} with ${route.nextHops.length === 1 ? 'one next hop' : 'several next hops'}`,
    first: [addRoute(route)],
    operation: { verb: 'remove', networks, entity: { kind: 'route', route } },
    again: 'No such process',
  })),
  'add-rule': [add.rule, add.rule6].map((operation) => ({
    what: `IPv${operation.entity.rule.family}`,
    first: [],
    operation,
    again: 'File exists',
  })),
  'delete-rule': [add.rule, add.rule6].map((added) => ({
    what: `IPv${added.entity.rule.family}`,
    first: [added],
    operation: removal(added),
    again: 'No such file or directory',
  })),
  'set-sysctl': [
    {
      first: [],
      operation: { verb: 'add', networks, entity: { kind: 'sysctl', device: 'br-blue', name: setting, value: '1' } },
    },
    {
      what: 'IPv6 enabled',
      first: [disabledIpv6('1')],
      operation: disabledIpv6('0'),
    },
  ],
  'add-neighbour': [add.neighbour, add.neighbour6].map((operation) => ({
    what: familyText(operation.entity.neighbour.address),
    first: [],
    operation,
  })),
  'delete-neighbour': [add.neighbour, add.neighbour6].map((added) => ({
    what: familyText(added.entity.neighbour.address),
    first: [added],
    operation: removal(added),
    again: 'No such file or directory',
  })),
  'add-bridge-mapping': [{ first: [], operation: add.mapping, again: 'timed out' }],
  'remove-bridge-mapping': [
    {
      first: [add.mapping],
      operation: removal(add.mapping),
      again: 'timed out',
    },
  ],
};
