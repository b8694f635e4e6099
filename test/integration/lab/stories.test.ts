import { clusterNetworkKey } from '../../../src/domain/network/key.ts';
import { expect } from 'chai';
import { type NodeSnapshot, type Operation, recover } from '../../../src/domain/index.ts';
import { semanticsOf } from '../../../src/domain/entities/operations/operation-semantics.ts';
import { bridge } from './bridge.ts';
import { clusterOf } from './clusters.ts';
import { ip, sysctl } from './commands.ts';
import { isVrfRule } from './comparison.ts';
import type { ArgumentVector, LabNode } from './node.ts';
import { prepare } from './prepare.ts';
import { sharedMachine } from './shared-machine.ts';
import { clusterNode } from './story-node.ts';
import { commandOf, isRefused, ModelRefusal, NodeAndModel } from './node-and-model.ts';

const nodes: LabNode[] = [];
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.end()));
});

async function newNode(...commands: readonly ArgumentVector[]): Promise<NodeAndModel> {
  const node = await (await sharedMachine()).node('story');
  nodes.push(node);
  await prepare(node, [...clusterNode, ...commands]);
  return NodeAndModel.of(node);
}

const blueBridge = bridge('br-blue', { addresses: ['192.0.2.6/24', '2001:db8:b::6/64'], physicalPort: 'eth1' });
const redBridge = bridge('br-red', { addresses: ['203.0.113.6/26', '2001:db8:c::6/64'], physicalPort: 'eth2' });
const blue = { name: 'blue', device: 'br-blue', targetVRF: 'auto' };
const red = { name: 'red', device: 'br-red', targetVRF: 'auto' };

/** Routes of the administrator, as destinations with tables. */
function configuredRoutes({ routes }: NodeSnapshot): readonly string[] {
  return routes
    .filter(({ protocol }) => protocol === 'boot' || protocol === 'static')
    .map(({ destination, table }) => `${destination} in ${table}`)
    .sort();
}

describe('a network that is added and removed', () => {
  const administratorConfig = [
    ip`link add link br-blue name br-blue.5 up type vlan id 5`,
    ip`address add 198.51.120.1/24 dev br-blue.5`,
    ip`address add 2001:db8:7::1/64 dev br-blue.5`,
    ip`address add 192.0.2.66/24 dev br-blue valid_lft 3000 preferred_lft 2000`,
    ip`address add 2001:db8:5::6/64 dev br-blue valid_lft 3000 preferred_lft 2000`,
    ip`nexthop add id 5 via 192.0.2.1 dev br-blue`,
    ip`nexthop add id 6 via 192.0.2.2 dev br-blue`,
    ip`nexthop add id 10 group 5,3/6`,
    ip`route add default via 192.0.2.1 dev br-blue metric 100`,
    ip`route add default via 2001:db8:b::1 dev br-blue metric 100`,
    ip`route add 198.51.101.0/24 nexthop via 192.0.2.1 dev br-blue nexthop via 192.0.2.2 dev br-blue weight 3`,
    ip`route add 2001:db8:1::/48 nexthop via 2001:db8:b::1 dev br-blue nexthop via 2001:db8:b::2 dev br-blue`,
    ip`route add 198.51.102.0/24 nhid 5`,
    ip`route add 198.51.103.0/24 nhid 10`,
    ip`route add 198.51.104.0/24 via 192.0.2.1 dev br-blue table 77`,
    ip`route add 198.51.121.0/24 via 198.51.120.254 dev br-blue.5`,
    ip`route add 2001:db8:2::/48 via 2001:db8:7::fe dev br-blue.5`,
    ip`neighbour add 192.0.2.77 lladdr 02:00:00:00:77:77 dev br-blue nud permanent`,
  ];

  for (const [families, subnets] of [
    ['IPv4', ['10.20.0.0/16']],
    ['IPv6', ['fd20::/48']],
  ] as const) {
    it(`moves the administrator’s configuration into its VRF and restores it, with ${families}`, async () => {
      const both = await newNode(...blueBridge, ...administratorConfig);
      const start = both.model;
      const options = { devices: ['br-blue'], names: ['blue'] };
      const desired = clusterOf([{ ...blue, subnets }], options);

      await both.do(...(await both.plan(desired)));
      expect(await both.plan(desired)).to.deep.equal([]);
      expect(both.model.links.find(({ name }) => name === 'br-blue')?.master).to.equal('blue');
      expect(configuredRoutes(both.model)).to.deep.equal([
        '0.0.0.0/0 in 1011',
        '0.0.0.0/0 in 254',
        '198.51.101.0/24 in 1011',
        '198.51.102.0/24 in 1011',
        '198.51.103.0/24 in 1011',
        '198.51.104.0/24 in 77',
        '198.51.121.0/24 in 254',
        '2001:db8:1::/48 in 1011',
        '2001:db8:2::/48 in 254',
        '::/0 in 1011',
      ]);

      await both.do(...(await both.plan(clusterOf([], options))));
      expect(await both.plan(clusterOf([], options))).to.deep.equal([]);
      // Lifetimes are what remains of them.
      expect((await both.differences(start, isVrfRule)).filter((line) => !isVrfRule(line))).to.deep.equal([]);
    });
  }

  const routesOfOtherPrograms: Readonly<Record<string, readonly ArgumentVector[]>> = {
    'that NetworkManager added with protocol kernel': [
      ip`route add 192.0.2.0/24 dev br-blue proto kernel scope link src 192.0.2.6 metric 300`,
      ip`route add 2001:db8:b::/64 dev br-blue proto kernel metric 300`,
      ip`route add default via 192.0.2.1 dev br-blue proto static metric 300`,
      ip`route add ::/0 via 2001:db8:b::1 dev br-blue proto static metric 300`,
    ],
    'of a daemon that reads router advertisements': [
      sysctl`net.ipv6.conf.br-blue.accept_ra=0`,
      ip`route add 192.0.2.0/24 dev br-blue proto dhcp scope link src 192.0.2.6 metric 300`,
      ip`route add 2001:db8:b::/64 dev br-blue proto ra metric 300 expires 2000`,
      ip`route add default via 192.0.2.1 dev br-blue proto dhcp src 192.0.2.6 metric 300`,
      ip`route add ::/0 via fe80::1 dev br-blue proto ra metric 300 pref high expires 900`,
    ],
  };
  for (const [whose, commands] of Object.entries(routesOfOtherPrograms)) {
    it(`moves routes ${whose}`, async () => {
      const both = await newNode(
        ...bridge('br-blue', { addresses: [], physicalPort: 'eth1' }),
        ip`address add 192.0.2.6/24 dev br-blue noprefixroute`,
        ip`address add 2001:db8:b::6/64 dev br-blue noprefixroute`,
        ...commands,
      );
      const start = both.model;
      const options = { devices: ['br-blue'], names: ['blue'] };
      const subnets = ['10.20.0.0/16', 'fd20::/48'];
      for (const [desired, table] of [
        [clusterOf([{ ...blue, subnets }], options), 1011] as const,
        [clusterOf([], options), 254] as const,
      ]) {
        await both.do(...(await both.plan(desired)));
        expect(await both.plan(desired)).to.deep.equal([]);
        const moved = both.model.routes.filter(({ metric }) => metric === 300);
        expect(moved.map((route) => `${route.destination} in ${route.table}`).sort()).to.deep.equal(
          ['0.0.0.0/0', '192.0.2.0/24', '2001:db8:b::/64', '::/0'].map((destination) => `${destination} in ${table}`),
        );
      }
      expect((await both.differences(start, isVrfRule)).filter((line) => !isVrfRule(line))).to.deep.equal([]);
    });
  }

  it('moves default routes that other programs add to main while the interface is in the VRF', async () => {
    const both = await newNode(...blueBridge, sysctl`net.ipv6.conf.br-blue.accept_ra=0`);
    const options = { devices: ['br-blue'], names: ['blue'] };
    const desired = clusterOf([{ ...blue, subnets: ['10.20.0.0/16', 'fd20::/48'] }], options);
    const defaults = () =>
      both.model.routes
        .filter(({ destination, metric }) => ['0.0.0.0/0', '::/0'].includes(destination) && metric === 40)
        .map(({ table, nextHops }) => `${nextHops[0]?.gateway} in ${table}`)
        .sort();
    const follow = async (cluster: typeof desired, ...commands: readonly ArgumentVector[]) => {
      for (const command of commands) await both.node.does(command);
      await both.look();
      await both.do(...(await both.plan(cluster)));
      expect(await both.plan(cluster)).to.deep.equal([]);
      return defaults();
    };
    const lease = (gateway: string) => ip`route add default via ${gateway} dev br-blue proto dhcp metric 40`;
    const advertised = (seconds: string) =>
      ip`-6 route add default via fe80::1 dev br-blue proto ra metric 40 expires ${seconds}`;

    expect(await follow(desired)).to.deep.equal([]);
    expect(await follow(desired, lease('192.0.2.1'), advertised('900'))).to.deep.equal([
      '192.0.2.1 in 1011',
      'fe80::1 in 1011',
    ]);
    expect(await follow(desired, lease('192.0.2.2'), advertised('1800'))).to.deep.equal([
      '192.0.2.2 in 1011',
      'fe80::1 in 1011',
    ]);
    const [renewed] = both.model.routes.filter(({ destination, metric }) => destination === '::/0' && metric === 40);
    expect(renewed?.expiresSeconds).to.be.above(1500);
    expect(await follow(clusterOf([], options))).to.deep.equal(['192.0.2.2 in 254', 'fe80::1 in 254']);
  });

  for (const [what, forwards] of [
    ['moves the subnet-router anycast addresses if the node forwards IPv6', true],
    ['has no subnet-router anycast addresses if the node does not forward IPv6', false],
  ] as const) {
    it(what, async () => {
      const forwarding = sysctl`-qw net.ipv6.conf.all.forwarding=${Number(forwards)}`;
      const both = await newNode(forwarding, ...blueBridge);
      const start = both.model;
      const options = { devices: ['br-blue'], names: ['blue'] };
      for (const [networks, table] of [[[blue], 1011] as const, [[], 255] as const]) {
        await both.do(...(await both.plan(clusterOf(networks, options))));
        expect(routerAddressesOf('br-blue', both.model)).to.deep.equal(
          forwards ? [`2001:db8:b::/128 in ${table}`, `fe80::/128 in ${table}`] : [],
        );
      }
      expect((await both.differences(start, isVrfRule)).filter((line) => !isVrfRule(line))).to.deep.equal([]);
    });
  }

  /** The subnet-router anycast addresses of a device (RFC 4291, 2.6.1), with tables. */
  function routerAddressesOf(device: string, { routes }: NodeSnapshot): readonly string[] {
    return routes
      .filter(({ type, nextHops: [hop] }) => type === 'anycast' && hop?.device === device)
      .map(({ destination, table }) => `${destination} in ${table}`)
      .sort();
  }
});

/** Adds an internal port with any name: ovs-vsctl(8) would read some names as options. */
function internalPort(bridgeName: string, name: string): ArgumentVector {
  const insertions = [
    { op: 'insert', table: 'Interface', row: { name, type: 'internal' }, 'uuid-name': 'device' },
    { op: 'insert', table: 'Port', row: { name, interfaces: ['named-uuid', 'device'] }, 'uuid-name': 'port' },
  ];
  const addition = {
    op: 'mutate',
    table: 'Bridge',
    where: [['name', '==', bridgeName]],
    mutations: [['ports', 'insert', ['named-uuid', 'port']]],
  };
  return ['ovsdb-client', 'transact', JSON.stringify(['Open_vSwitch', ...insertions, addition])];
}

describe('a name that is special to programs', () => {
  for (const [device, vrf] of [
    ['a#b', '-force'],
    ['-force', 'été'],
    ['été', 'a#b'],
  ] as const) {
    it(`is valid for an interface and for its VRF: ${device} in ${vrf}`, async () => {
      const both = await newNode(
        ...bridge('br-blue', { physicalPort: 'eth1' }),
        internalPort('br-blue', device),
        // Waits until Open vSwitch has created the device.
        ['ovs-vsctl', 'set', 'Bridge', 'br-blue', 'external_ids:waited=for'],
        ip`link set dev ${device} up`,
        ip`address add 192.0.2.6/24 dev ${device}`,
        ip`address add 2001:db8:b::6/64 dev ${device}`,
        ip`route add 198.51.99.0/24 via 192.0.2.1 dev ${device}`,
        ip`link add dev ${vrf} up type vrf table 500`,
      );
      const start = both.model;
      const [desired, unwanted] = [[{ name: 'blue', device, targetVRF: vrf }], []].map((networks) =>
        clusterOf(networks, { devices: [device], names: ['blue'] }),
      );
      await both.do(...(await both.plan(desired!)));
      expect(both.model.links.find(({ name }) => name === device)?.master).to.equal(vrf);
      expect(configuredRoutes(both.model)).to.include('198.51.99.0/24 in 500');
      await both.do(...(await both.plan(unwanted!)));
      expect(await both.plan(unwanted!)).to.deep.equal([]);
      expect(await both.differences(start)).to.deep.equal([]);
    });
  }
});

describe('an agent that crashes while it enslaves an interface', () => {
  for (const isDone of [false, true]) {
    it(`completes that after its restart, if the command was ${isDone ? 'run' : 'not run'}`, async () => {
      const both = await newNode(...blueBridge, ip`route add 198.51.99.0/24 via 192.0.2.1 dev br-blue`);
      const planned = await both.plan(clusterOf([blue]));
      const index = planned.findIndex((operation) => semanticsOf(operation).name === 'enslave');
      const enslave = planned[index]!;
      await both.do(...planned.slice(0, index));

      const written = semanticsOf(enslave).announced(enslave, both.model);
      if (isDone) await both.node.does(commandOf(enslave, both.model));
      await both.look(written);

      await both.do(...(await both.plan(clusterOf([blue]))));
      expect(await both.plan(clusterOf([blue]))).to.deep.equal([]);
      expect(configuredRoutes(both.model)).to.include('198.51.99.0/24 in 1011');
    });
  }
});

describe('a plan for two networks, one of which loses its interface before the plan is applied,', () => {
  it('is applied for the other one', async () => {
    const both = await newNode(...blueBridge, ...redBridge);
    const cluster = clusterOf([blue, red]);
    const planned = await both.plan(cluster);
    await both.node.does(['ovs-vsctl', 'del-br', 'br-blue']);
    await both.look();

    const failed = await apply(planned, both);
    expect(failed).to.not.be.empty;
    expect(failed.flatMap(({ networks }) => networks)).to.not.include('red');
    expect(both.model.links.find(({ name }) => name === 'br-red')?.master).to.equal('red');
    const left = (await both.plan(cluster)).filter(({ networks }) => networks.includes(clusterNetworkKey('red')));
    expect(left).to.deep.equal([]);
  });

  /** Applies what is possible; returns the failed operations. */
  async function apply(planned: readonly Operation[], both: NodeAndModel): Promise<readonly Operation[]> {
    const [next, ...rest] = planned;
    if (next === undefined) return [];
    if (await isDone(next, both)) return apply(rest, both);
    const { undo, proceed } = recover(next, rest, both.model);
    expect(undo).to.deep.equal([]);
    return [next, ...(await apply(proceed, both))];
  }

  /** Applies an operation to the node and the model, or expects that both refuse it. */
  async function isDone(operation: Operation, both: NodeAndModel): Promise<boolean> {
    try {
      await both.do(operation);
      return true;
    } catch (error) {
      if (!(error instanceof ModelRefusal)) throw error;
      const command = commandOf(operation, both.model);
      expect(isRefused(await both.node.run(command), command), command.join(' ')).to.be.true;
      return false;
    }
  }
});

describe('the administrator’s neighbour entries', () => {
  const mac = '02:00:00:00:00:88';
  const entries = [
    ip`neighbour add 192.0.2.88 lladdr ${mac} dev br-blue nud noarp protocol static`,
    ip`neighbour add 2001:db8:b::88 lladdr ${mac} dev br-blue nud noarp router`,
    ip`neighbour add 192.0.2.89 lladdr ${mac} dev br-blue nud permanent`,
    ip`neighbour add proxy 192.0.2.89 dev br-blue`,
    ip`neighbour add proxy 2001:db8:b::89 dev br-blue router protocol static`,
  ];

  it('are the same while the interface is enslaved and after it is released', async () => {
    const both = await newNode(...blueBridge, ...entries);
    const start = both.model;
    expect(entriesOn('br-blue', start)).to.have.length(entries.length);
    const options = { devices: ['br-blue'], names: ['blue'] };

    await both.do(...(await both.plan(clusterOf([blue], options))));
    expect(both.model.links.find(({ name }) => name === 'br-blue')?.master).to.equal('blue');
    expect(entriesOn('br-blue', both.model)).to.include.members(entriesOn('br-blue', start));

    await both.do(...(await both.plan(clusterOf([], options))));
    expect(entriesOn('br-blue', both.model)).to.have.members(entriesOn('br-blue', start));
    expect((await both.differences(start, isVrfRule)).filter((line) => !isVrfRule(line))).to.deep.equal([]);
  });

  /** The entries of the administrator, with addresses and states. */
  function entriesOn(device: string, { neighbours, neighbourProxies }: NodeSnapshot): readonly string[] {
    const neighbourEntries = neighbours
      .filter(({ address }) => !address.startsWith('ff02:'))
      .filter(({ states }) => states.includes('permanent') || states.includes('noarp'));
    return [
      ...neighbourEntries,
      ...neighbourProxies.map((proxy) => ({ ...proxy, macAddress: 'its own', states: ['proxy'] })),
    ]
      .filter((entry) => entry.device === device)
      .map(({ address, macAddress, states }) => `${address} at ${macAddress}: ${states.join(' ')}`);
  }
});
