/**
 * Configuration that an administrator may have made on a node, as the commands that make it. The pools are small, so that things meet, and begin with
 * the plainest. A command may fail, as a route does whose gateway an address more would reach: the node then stays as it is.
 */
import fc from 'fast-check';
import { ip, ovsVsctl, sysctl } from '../commands.ts';
import type { ArgumentVector } from '../node.ts';

/** Interfaces that uplinks may select: the local port of each bridge, and an internal port of the first one. */
export const hostInterfaces = ['br-one', 'one0', 'br-two'] as const;

/** Networks, in the order of their ids. */
export const networks = ['blue', 'red', 'green'] as const;

const bridgePorts: readonly ArgumentVector[] = ['br-one', 'br-two', 'br-ex'].flatMap((name, index) => [
  ovsVsctl`-- add-br ${name} -- add-port ${name} eth${index + 1}`.slice(1),
]);

function skeleton(tag: number | undefined): readonly ArgumentVector[] {
  const internal = ovsVsctl`-- add-port br-one one0 -- set Interface one0 type=internal`.slice(1);
  const access = tag === undefined ? [] : ovsVsctl`-- set Port one0 tag=${tag}`.slice(1);
  const cards = ['eth1', 'eth2', 'eth3'].map((name) => ip`link add ${name} up type dummy`);
  return [
    // The table of a network's VRF comes from the number of its management port.
    ...networks.map((_name, place) => ip`link add ovn-k8s-mp${place + 1} up index ${11 + place} type dummy`),
    ...cards,
    ['ovs-vsctl', ...bridgePorts.flat(), ...internal, ...access],
    ovsVsctl`set Open_vSwitch . ${'external_ids:ovn-bridge-mappings=physnet:br-ex'}`,
    ...['br-ex', ...hostInterfaces].map((name) => ip`link set ${name} up`),
    ip`address add 198.51.100.10/24 dev br-ex`,
    ip`address add 169.254.0.2/17 dev br-ex`,
    ip`address add fd69::2/112 dev br-ex nodad`,
    ip`route add default via 198.51.100.1 dev br-ex metric 48`,
  ];
}

/** Bytes by which the addresses of an interface are told from another's. */
const bytes = { 'br-one': 1, one0: 2, 'br-two': 3 } as const;

/** Name of such an interface. */
export type HostInterface = (typeof hostInterfaces)[number];

function otherThan(device: HostInterface): HostInterface {
  return device === 'br-two' ? 'br-one' : 'br-two';
}

/** Addresses that an interface may have besides its first. */
function addressesOf(device: HostInterface): readonly ArgumentVector[] {
  const byte = bytes[device];
  return [
    ip`address add 192.0.${byte}.101/24 dev ${device}`,
    ip`address add 2001:db8:5::${byte}/64 dev ${device} valid_lft 3000 preferred_lft 2000`,
    ip`address add 192.0.${byte}.102/24 dev ${device} valid_lft 3000 preferred_lft 2000`,
    ip`address add fe80::1/64 dev ${device}`,
    ip`address add 203.0.113.${byte} peer 203.0.113.99 dev ${device}`,
    ip`address add 2001:db8:6::${byte} peer 2001:db8:6::99 dev ${device}`,
    ip`address add 192.0.${byte}.103/28 broadcast + dev ${device} label ${device}:x metric 7`,
    ip`address add 2001:db8:8::${byte}/64 dev ${device} noprefixroute`,
    ip`address add 198.18.${byte}.1/32 dev ${device} scope link`,
    ip`address add 2001:db8:9::${byte}/128 dev ${device} metric 300 preferred_lft 0`,
  ];
}

/** Next hop objects by their numbers, a group with its members. */
function objectsOf(
  device: HostInterface,
): Readonly<Record<5 | 6 | 7 | 8 | 9 | 10 | 11 | 12, readonly ArgumentVector[]>> {
  const byte = bytes[device];
  const other = otherThan(device);
  const [plain, elsewhere] = [
    [ip`nexthop add id 5 via 192.0.${byte}.254 dev ${device}`],
    [ip`nexthop add id 8 via 192.0.${bytes[other]}.254 dev ${other}`],
  ];
  const onLink = [ip`nexthop add id 9 via 198.18.0.8 dev ${device} onlink proto static`];
  return {
    5: plain,
    6: [ip`nexthop add id 6 via 2001:db8:${byte}::fe dev ${device}`],
    7: [ip`nexthop add id 7 dev ${device}`],
    8: elsewhere,
    9: onLink,
    10: [...plain, ...elsewhere, ip`nexthop add id 10 group 5,3/8`],
    11: [...plain, ...onLink, ip`nexthop add id 11 group 5/9`],
    12: [ip`nexthop add id 12 blackhole`],
  };
}

/** Routes that may lead out of an interface, each with the next hop objects that it takes. */
function routesOf(device: HostInterface): readonly (readonly ArgumentVector[])[] {
  const byte = bytes[device];
  const other = otherThan(device);
  const objects = objectsOf(device);
  const near = `192.0.${byte}.254`;
  const near6 = `2001:db8:${byte}::fe`;
  const far = `192.0.${bytes[other]}.253`;
  const plain = [
    ip`route add default via ${near} dev ${device} metric 100`,
    ip`route add ::/0 via ${near6} dev ${device}`,
    ip`route add 198.51.99.0/24 via ${near} dev ${device} proto static`,
    ip`route add 198.51.101.0/24 dev ${device}`,
    ip`route add 198.51.115.0/24 dev ${device} proto kernel scope link src 192.0.${byte}.1 metric 100`,
    ip`route add 198.51.102.0/24 via ${near} dev ${device} table 77`,
    ip`route add 198.51.102.0/24 via ${near} dev ${device} table 1012`,
    ip`route add 198.51.103.0/24 nexthop via ${near} dev ${device} nexthop via 192.0.${byte}.253 dev ${device} weight 3`,
    ip`route add 198.51.104.0/24 nexthop via ${near} dev ${device} nexthop via ${far} dev ${other}`,
    ip`route add 198.51.107.0/24 via ${near} dev ${device} proto bgp metric 20`,
    ip`route add 198.51.108.0/24 tos 0x10 via ${near} dev ${device} mtu 1300 advmss 1200`,
    ip`route add local 203.0.113.9/32 dev ${device} table local`,
    ip`route add 2001:db8:11::/48 via fe80::99 dev ${device} pref high`,
    ip`route add 2001:db8:12::/48 via ${near6} dev ${device} table 77`,
    ip`route add 2001:db8:13::/48 dev ${device} expires 600`,
    ip`route add 2001:db8:14::/48 nexthop via ${near6} dev ${device} nexthop via fe80::98 dev ${device}`,
    ip`route add 198.51.109.0/24 via 198.18.0.9 dev ${device} onlink src 192.0.${byte}.1`,
    ip`route add 198.51.110.0/24 via inet6 fe80::97 dev ${device}`,
    ip`route add unreachable 198.51.112.0/24 metric 9`,
    ip`route add 2001:db8:16::/48 from 2001:db8:17::/48 via ${near6} dev ${device}`,
    ip`route add default via ${near} dev ${device} table 1011 metric 5`,
    ip`route append 198.51.99.0/24 via ${near} dev ${device} metric 5`,
    ip`route add 192.0.${byte}.0/24 dev ${device} metric 50`,
    ip`route add 2001:db8:${byte}::/64 dev ${device} metric 50`,
    ip`route add 2001:db8:18::/48 via ${near6} dev ${device} mtu 1400 src 2001:db8:${byte}::1`,
  ];
  return [
    ...plain.map((route) => [route]),
    [...objects[5], ip`route add 198.51.105.0/24 nhid 5`],
    [...objects[6], ip`route add 2001:db8:15::/48 nhid 6`],
    [...objects[7], ip`route add 198.51.111.0/24 nhid 7`],
    [...objects[10], ip`route add 198.51.106.0/24 nhid 10`],
    [...objects[11], ip`route add 198.51.113.0/24 nhid 11 table 77`],
    [...objects[12], ip`route add 198.51.114.0/24 nhid 12`],
    ...distantSources(device),
  ];
}

/** IPv6 routes whose source is an address of another device: one that is not moved: and one that may have moved already. */
function distantSources(device: HostInterface): readonly (readonly ArgumentVector[])[] {
  const [near6, other] = [`2001:db8:${bytes[device]}::fe`, otherThan(device)];
  return [
    [
      ip`address add 2001:db8:21::1/128 dev lo`,
      ip`route add 2001:db8:22::/48 via ${near6} dev ${device} src 2001:db8:21::1`,
    ],
    [
      ip`address add 2001:db8:23::1/64 dev br-ex`,
      ip`route add 2001:db8:24::/48 via ${near6} dev ${device} src 2001:db8:23::1`,
    ],
    [ip`route add 2001:db8:25::/48 via ${near6} dev ${device} src 2001:db8:${bytes[other]}::1`],
  ];
}

/**
 * Commands that an administrator may have run in the end, after which the kernel has things that it would not take again, or no longer has others: the
 * address is gone by which a gateway was reached, or the interface was down.
 */
function laterCommands(device: HostInterface): readonly (readonly ArgumentVector[])[] {
  const byte = bytes[device];
  return [
    [
      ip`address add 198.51.130.1/24 dev ${device}`,
      ip`route add 198.51.131.0/24 via 198.51.130.254 dev ${device}`,
      ip`address delete 198.51.130.1/24 dev ${device}`,
    ],
    [
      ip`address add 2001:db8:26::1/64 dev ${device}`,
      ip`route add 2001:db8:27::/48 via 2001:db8:26::fe dev ${device}`,
      ip`address delete 2001:db8:26::1/64 dev ${device}`,
    ],
    [
      ip`address add 198.51.132.1/24 dev ${device}`,
      ip`nexthop add id 13 via 198.51.132.254 dev ${device}`,
      ip`route add 198.51.133.0/24 nhid 13`,
      ip`address delete 198.51.132.1/24 dev ${device}`,
    ],
    [ip`address delete 192.0.${byte}.101/24 dev ${device}`],
    [ip`address delete 203.0.113.${byte} peer 203.0.113.99 dev ${device}`],
    [ip`address delete 2001:db8:6::${byte} peer 2001:db8:6::99 dev ${device}`],
    [ip`link set ${device} down`, ip`link set ${device} up`],
    [ip`link set ${otherThan(device)} down`, ip`link set ${otherThan(device)} up`],
  ];
}

/** A VLAN device that is stacked on an interface, and what may be on it. */
function stackedOn(device: HostInterface): fc.Arbitrary<readonly ArgumentVector[]> {
  const vlan = `${device}.5`;
  const things = [
    ip`link set ${vlan} up`,
    ip`address add 198.51.120.1/24 dev ${vlan}`,
    ip`address add 2001:db8:7::1/64 dev ${vlan}`,
    ip`route add 198.51.121.0/24 via 198.51.120.254 dev ${vlan}`,
    ip`route add 2001:db8:19::/48 via 2001:db8:7::fe dev ${vlan}`,
    ip`neighbour add 198.51.120.77 lladdr 02:00:00:00:77:78 dev ${vlan} nud permanent`,
    ip`address add 2001:db8:20::1/64 dev ${vlan} valid_lft 3000 preferred_lft 2000`,
  ];
  const stacked = fc
    .subarray(things, { minLength: 4 })
    .map((some) => [ip`link add link ${device} name ${vlan} type vlan id 5`, ...some]);
  return fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: stacked });
}

/** Further configuration that may be there: neighbours, settings, names, VRFs and rules. */
function otherConfig(device: HostInterface): readonly ArgumentVector[] {
  return [
    ip`link add corp up type vrf table 500`,
    ip`neighbour add 192.0.${bytes[device]}.77 lladdr 02:00:00:00:77:77 dev ${device} nud permanent`,
    ip`neighbour add fe80::77 lladdr 02:00:00:00:77:77 dev ${device} nud permanent router`,
    ip`neighbour add 192.0.${bytes[device]}.78 lladdr 02:00:00:00:77:79 dev ${device} nud noarp`,
    ip`neighbour add proxy 192.0.${bytes[device]}.79 dev ${device}`,
    ip`neighbour add proxy 2001:db8:${bytes[device]}::79 dev ${device} router`,
    ip`link set ${device} addrgenmode none`,
    ip`link property add dev br-ex altname green`,
    sysctl`-qw net.ipv6.conf.all.keep_addr_on_down=1`,
    sysctl`-qw net.ipv6.conf.${device}.keep_addr_on_down=1`,
    sysctl`-qw net.ipv6.conf.all.forwarding=0`,
    sysctl`-qw net.ipv4.conf.all.rp_filter=1`,
    sysctl`-qw net.ipv4.conf.${device}.rp_filter=1`,
    ip`link add blue up type vrf table 1011`,
    ip`rule add fwmark 0x77 lookup 77 pref 1500`,
    ip`link set ${device} mtu 1450`,
  ];
}

/** A device's administratorConfig: some of each pool. */
function administratorConfig(device: HostInterface): fc.Arbitrary<readonly ArgumentVector[]> {
  return fc
    .record({
      addresses: fc.subarray([...addressesOf(device)], { maxLength: 5 }),
      routes: fc.subarray([...routesOf(device)], { maxLength: 8 }),
      stacked: stackedOn(device),
      others: fc.subarray([...otherConfig(device)], { maxLength: 6 }),
      // Seldom: an interface that was down has little left that can be compared.
      last: fc.oneof(
        { weight: 3, arbitrary: fc.constant<(readonly ArgumentVector[])[]>([]) },
        { weight: 1, arbitrary: fc.subarray([...laterCommands(device)], { maxLength: 2 }) },
      ),
    })
    .map(({ addresses, routes, stacked, others, last }) => [
      ...[...others, ...addresses, ...stacked],
      ...[...routes.flat(), ...last.flat()],
    ]);
}

/** An administrator's node: three bridges, of which one is the default one. Most of it is on one interface, so that things meet. */
export function administratorsNodes(furnished: HostInterface): fc.Arbitrary<readonly ArgumentVector[]> {
  // Every interface has an address, so that every uplink is usable.
  const plain = hostInterfaces.flatMap((device) => [
    ip`address add 192.0.${bytes[device]}.1/24 dev ${device}`,
    ip`address add 2001:db8:${bytes[device]}::1/64 dev ${device}`,
  ]);
  return fc
    .record({ tag: fc.constantFrom(undefined, 100), things: administratorConfig(furnished) })
    .map(({ tag, things }) => [...skeleton(tag), ...plain, ...things]);
}
