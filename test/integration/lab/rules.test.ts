/**
 * Rules with the selectors and actions of ip-rule(8): the kernel routes packets as the domain says that it does.
 */
import { expect } from 'chai';
import type { NodeSnapshot, Route } from '../../../src/domain/index.ts';
import { addRoute } from '../../../src/domain/node-model/route.ts';
import type { RuledPacket } from '../../../src/domain/node-model/rules/rule-match.ts';
import { hostRoute } from '../../../src/domain/explanation/trace/host-routes.ts';
import { ip } from './commands.ts';
import type { ArgumentVector, LabNode } from './node.ts';
import { prepare } from './prepare.ts';
import { sharedMachine } from './shared-machine.ts';

const addresses = {
  4: {
    own: ['192.0.2.6', '198.51.100.6'],
    gateways: ['192.0.2.1', '198.51.100.1'],
    far: '203.0.113.9',
    farNet: '203.0.113.0/24',
  },
  6: {
    own: ['2001:db8:1::6', '2001:db8:2::6'],
    gateways: ['2001:db8:1::1', '2001:db8:2::1'],
    far: '2001:db8:9::9',
    farNet: '2001:db8:9::/64',
  },
} as const;

/** Two uplinks: main has the first one's default route, table 20 the second one's and nothing for some destinations. */
const administratorConfig: readonly ArgumentVector[] = [
  ...['one', 'two'].map((name) => ip`link add ${name} up type dummy`),
  ip`link set two group 7`,
  ip`link add blue up type vrf table 30`,
  ip`link add three up master blue type dummy`,
  ip`-4 route add default dev three table 30`,
  ip`-6 route add default dev three table 30`,
  ...([4, 6] as const).flatMap((family) => {
    const { own, gateways } = addresses[family];
    const length = family === 4 ? 24 : 64;
    return [
      ...['one', 'two'].map(
        (name, index) =>
          ip`address add ${own[index]!}/${length} dev ${name} ${family === 6 ? 'nodad' : 'noprefixroute'}`,
      ),
      ...['one', 'two'].map((name, index) => ip`-${family} route replace ${gateways[index]!} dev ${name}`),
      ip`-${family} route add default via ${gateways[0]} dev one`,
      ip`-${family} route add default via ${gateways[1]} dev two table 20`,
      ip`-${family} route add throw default table 21`,
      ip`-${family} route add unreachable default table 22`,
    ];
  }),
];

type Family = keyof typeof addresses;

/** A packet to a destination far away, apart from that. */
type Packet = Partial<Omit<RuledPacket, 'userId'>> & { readonly userId?: number };

const tcp = { protocol: 'tcp', ports: { source: 1000, destination: 443 } };

/** Rules, each in words of ip(8) after `ip rule add`, and packets. */
const cases: readonly (readonly [
  rules: (family: Family) => readonly string[],
  packets: (family: Family) => readonly Packet[],
])[] = [
  [
    () => ['pref 9 fwmark 0x200/0xf00 lookup 20'],
    () => [{ mark: 0 }, { mark: 0x200 }, { mark: 0x1258 }, { mark: 0x1358 }],
  ],
  [() => ['pref 9 fwmark 0/0xf lookup 20'], () => [{ mark: 0 }, { mark: 0x10 }, { mark: 1 }]],
  [() => ['pref 9 not fwmark 0x1bd00 lookup 20'], () => [{ mark: 0 }, { mark: 0x1bd00 }]],
  [
    () => ['pref 8 lookup main suppress_prefixlength 0', 'pref 9 lookup 20'],
    (family) => [{}, { destination: addresses[family].gateways[0] }],
  ],
  [() => ['pref 8 lookup 20 suppress_ifgroup 7'], () => [{}]],
  [() => ['pref 8 lookup main suppress_ifgroup default', 'pref 9 lookup 20'], () => [{}]],
  [() => ['pref 8 lookup 22 suppress_prefixlength 0', 'pref 9 lookup 20'], () => [{}]],
  [() => ['pref 8 lookup 21', 'pref 9 lookup 20'], () => [{}]],
  [() => ['pref 8 goto 10', 'pref 9 unreachable', 'pref 10 lookup 20'], () => [{}]],
  [() => ['pref 8 goto 10', 'pref 9 lookup 20'], () => [{}]],
  [
    () => ['pref 8 goto 10 fwmark 1', 'pref 9 lookup 20', 'pref 10 fwmark 2 lookup 20'],
    () => [{ mark: 1 }, { mark: 2 }],
  ],
  [() => ['pref 8 nop', 'pref 9 lookup 20'], () => [{}]],
  [() => ['pref 8 prohibit fwmark 1', 'pref 9 blackhole fwmark 2'], () => [{ mark: 1 }, { mark: 2 }, {}]],
  [
    (family) => [`pref 8 from ${addresses[family].own[1]} lookup 20`],
    (family) => addresses[family].own.map((source) => ({ source })),
  ],
  [
    (family) => [`pref 8 not from ${addresses[family].own[1]} fwmark 1 lookup 20`],
    (family) => addresses[family].own.flatMap((source) => [{ source }, { source, mark: 1 }]),
  ],
  [
    (family) => [
      `pref 8 to ${addresses[family].farNet} lookup 20`,
      `pref 7 not to ${addresses[family].farNet} lookup 22`,
    ],
    (family) => [{}, { destination: addresses[family].gateways[1] }],
  ],
  [() => ['pref 8 iif lo lookup 20'], () => [{}]],
  [() => ['pref 8 not iif lo lookup 20'], () => [{}]],
  [() => ['pref 8 iif gone lookup 20'], () => [{}]],
  [() => ['pref 8 not iif gone lookup 20'], () => [{}]],
  [() => ['pref 8 oif two lookup 22'], () => [{}, { outputDevice: 'one' }]],
  [() => ['pref 8 ipproto tcp lookup 20'], () => [{}, tcp, { ...tcp, protocol: 'udp' }]],
  [() => ['pref 8 ipproto tcp dport 443 lookup 20'], () => [tcp, { ...tcp, ports: { source: 1, destination: 2 } }]],
  [() => ['pref 8 sport 900-1000 lookup 20'], () => [{}, tcp, { ...tcp, ports: { source: 1001, destination: 443 } }]],
  [() => ['pref 8 not dport 400-500 lookup 20'], () => [tcp, { ...tcp, ports: { source: 1, destination: 2 } }]],
  [() => ['pref 8 uidrange 5-10 lookup 20'], () => [{ userId: 4 }, { userId: 5 }, { userId: 10 }, { userId: 11 }]],
  [() => ['pref 8 tos 0x10 lookup 20'], () => [{}]],
  [() => ['pref 8 not tos 0x10 lookup 20'], () => [{}]],
  [() => ['pref 8 tun_id 9 lookup 20'], () => [{}]],
  [() => ['pref 8 lookup 20 realms 4/5'], () => [{}]],
  [() => ['pref 999 lookup 20'], () => [{}, { vrf: { name: 'blue', table: 30 } }]],
  [() => ['pref 999 not l3mdev'], () => [{}, { vrf: { name: 'blue', table: 30 } }]],
];

/** Rules that refuse what they match. */
const nextHopRules = [
  'iif lo lookup 22',
  'not iif lo lookup 22',
  'uidrange 0-0 lookup 22',
  'not uidrange 0-0 lookup 22',
  'not fwmark 1 lookup 22',
  'ipproto tcp lookup 22',
  'not ipproto tcp lookup 22',
  'not dport 80 lookup 22',
  'not from all lookup 22',
  'lookup 22 suppress_prefixlength 0',
  'lookup 21',
];

describe('rules of the kernel', () => {
  let node: LabNode;

  before(async () => {
    node = await (await sharedMachine()).node('rules');
    await prepare(node, administratorConfig);
  });
  after(() => node.end());

  const added: ArgumentVector[] = [];
  afterEach(() => node.does(...added.splice(0).map((words) => words.with(3, 'delete'))));

  for (const family of [4, 6] as const) {
    for (const [rulesOf, packetsOf] of cases) {
      const rules = rulesOf(family);
      it(`of IPv${family}: ${rules.join('; ')}`, async () => {
        added.push(...rules.map((rule) => [...ip`-${family} rule add`, ...rule.split(' ')]));
        await node.does(...added);
        const snapshot = await node.snapshot();
        for (const packet of packetsOf(family)) {
          const asked = {
            family,
            destination: addresses[family].far,
            mark: 0,
            inputDevice: 'lo',
            userId: 0,
            ...packet,
          };
          const { exitCode, stdout, stderr } = await node.run(routeGet(asked));
          const device = exitCode === 0 ? (JSON.parse(stdout) as { dev: string }[])[0]?.dev : 'none';
          expect(deviceBy(snapshot, asked), `${JSON.stringify(packet)} ${stdout} ${stderr}`).to.equal(device);
        }
      });
    }
  }

  for (const family of [4, 6] as const) {
    for (const rule of nextHopRules) {
      it(`decide about a new next hop of IPv${family}: ${rule}`, async () => {
        added.push([...ip`-${family} rule add`, 'pref', '8', ...rule.split(' ')]);
        await node.does(...added);
        const snapshot = await node.snapshot();
        const [gateway] = addresses[family].gateways;
        const { exitCode } = await node.run(
          ip`-${family} route add ${addresses[family].farNet} via ${gateway} table 77`,
        );
        if (exitCode === 0) await node.does(ip`-${family} route flush table 77`);
        const route: Route = {
          ...{ family, table: 77, destination: addresses[family].farNet, metric: 0 },
          ...{ type: 'unicast', protocol: 'static', nextHops: [{ gateway }] },
        };
        expect(addRoute(snapshot, route).done).to.equal(exitCode === 0);
      });
    }
  }

  function deviceBy(snapshot: NodeSnapshot, packet: RuledPacket): string | undefined {
    const { route, undecided } = hostRoute(snapshot, packet);
    expect(undecided).to.deep.equal([]);
    return route.kind === 'route' ? route.hop.device : 'none';
  }

  function routeGet({
    family,
    destination,
    mark,
    source,
    protocol,
    ports,
    userId,
    outputDevice,
    vrf,
  }: RuledPacket): ArgumentVector {
    return [
      ...ip`-json -${family} route get ${destination} mark ${mark} uid ${userId}`,
      ...(source === undefined ? [] : ['from', source]),
      ...(protocol === undefined ? [] : ['ipproto', protocol]),
      ...(ports === undefined ? [] : ['sport', `${ports.source}`, 'dport', `${ports.destination}`]),
      ...(outputDevice === undefined ? [] : ['oif', outputDevice]),
      ...(vrf === undefined ? [] : ['vrf', vrf.name]),
    ];
  }
});
