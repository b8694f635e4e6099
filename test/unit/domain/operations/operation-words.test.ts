import { expect } from 'chai';
import { meaningOf, type Operation } from '../../../../src/domain/index.ts';
import type { DisplacedEntity } from '../../../../src/domain/snapshot/ledger.ts';
import {
  address,
  hostAddress,
  hostNeighbour,
  hostNextHopObject,
  hostProxy,
  hostRoute,
} from '../entities/host-entities.ts';
import { allSamples, nodeBefore, samples } from './samples.ts';
import type { SingleOperation } from '../../../../src/domain/operations/operation.ts';

/** What each operation is called, what is run, what a person reads, what it disturbs, how it is marked. */
const words: Readonly<
  Record<string, readonly [name: string, command: string, summary: string, disruption: string, mark: string]>
> = {
  'add vrf': ['add-vrf', 'ip link add dev blue up type vrf table 1012', 'VRF blue with table 1012', 'none', '+'],
  'replace vrf': [
    'set-vrf',
    'ip link set dev blue up alias ovn-uplinks:cluster_udn_blue',
    'VRF blue: up, signed as ovn-uplinks:cluster_udn_blue',
    'none',
    '~',
  ],
  'replace vrf, which is down': [
    'set-vrf',
    'ip link set dev blue up alias ovn-uplinks:cluster_udn_blue',
    'VRF blue: up, signed as ovn-uplinks:cluster_udn_blue',
    'none',
    '~',
  ],
  'remove vrf': ['delete-vrf', 'ip link delete dev blue', 'VRF blue', 'none', '-'],
  'add membership': ['enslave', 'ip link set dev br-blue master blue', 'br-blue into VRF blue', 'link-cycle', '+'],
  'remove membership': ['release', 'ip link set dev br-blue nomaster', 'br-blue out of VRF blue', 'link-cycle', '-'],
  'put-back': [
    'put-back',
    'ip -4 route add 10.0.0.0/8 via 192.0.2.1 dev br-blue table 1012 proto static scope global',
    'route 10.0.0.0/8 via 192.0.2.1 dev br-blue table 1012, moved from table main',
    'none',
    '+',
  ],
  'take-back': [
    'take-back',
    'ip -4 route delete 10.0.0.0/8 via 192.0.2.1 dev br-blue table 1012 proto static scope global',
    'route 10.0.0.0/8 via 192.0.2.1 dev br-blue table 1012',
    'none',
    '-',
  ],
  'add address': [
    'add-address',
    'ip address add 169.254.0.2/32 scope global dev blue',
    'address 169.254.0.2/32 on blue',
    'none',
    '+',
  ],
  'remove address': [
    'delete-address',
    'ip address delete 169.254.0.2/32 dev blue',
    'address 169.254.0.2/32 on blue',
    'none',
    '-',
  ],
  'add route': [
    'add-route',
    'ip -4 route add default via 192.0.2.1 dev br-blue table 1012 proto 94 scope global mtu 1400',
    'route default via 192.0.2.1 dev br-blue table 1012',
    'none',
    '+',
  ],
  'replace route': [
    'replace-route',
    'ip -4 route replace default via 192.0.2.1 dev br-blue table 1012 proto 94 scope global mtu 8900',
    'route default via 192.0.2.1 dev br-blue table 1012',
    'none',
    '~',
  ],
  'remove route': [
    'delete-route',
    'ip -4 route delete default via 192.0.2.1 dev br-blue table 1012 proto 94 scope global mtu 1400',
    'route default via 192.0.2.1 dev br-blue table 1012',
    'none',
    '-',
  ],
  'add rule': [
    'add-rule',
    'ip -4 rule add priority 1999 fwmark 0x1007 lookup 1012 protocol 94',
    'IPv4 rule 1999: mark 0x1007 looks up table 1012',
    'none',
    '+',
  ],
  'remove rule': [
    'delete-rule',
    'ip -4 rule delete priority 1999 fwmark 0x1007 lookup 1012 protocol 94',
    'IPv4 rule 1999: mark 0x1007 looks up table 1012',
    'none',
    '-',
  ],
  'add sysctl': [
    'set-sysctl',
    'sysctl -w net.ipv4.conf.br-blue.rp_filter=2',
    'net.ipv4.conf.br-blue.rp_filter = 2',
    'none',
    '~',
  ],
  'remove sysctl': [
    'set-sysctl',
    'sysctl -w net.ipv4.conf.br-blue.rp_filter=1',
    'net.ipv4.conf.br-blue.rp_filter = 1, as it was',
    'none',
    '~',
  ],
  'add neighbour': [
    'add-neighbour',
    'ip neighbour replace 169.254.0.4 lladdr 0a:58:a9:fe:00:04 dev br-blue nud permanent protocol 94',
    'neighbour 169.254.0.4 at 0a:58:a9:fe:00:04 on br-blue',
    'none',
    '+',
  ],
  'remove neighbour': [
    'delete-neighbour',
    'ip neighbour delete 169.254.0.4 dev br-blue',
    'neighbour 169.254.0.4 at 0a:58:a9:fe:00:04 on br-blue',
    'none',
    '-',
  ],
  'add bridge-mapping': [
    'add-bridge-mapping',
    'ovsdb-client transact',
    'bridge mapping cluster_udn_blue:br-blue',
    'none',
    '+',
  ],
  'remove bridge-mapping': [
    'remove-bridge-mapping',
    'ovsdb-client transact',
    'bridge mapping cluster_udn_blue:br-blue',
    'connections-reset',
    '-',
  ],
  'add northbound-row': ['insert-row', 'ovsdb-client transact', 'Logical_Switch_Port blue', 'none', '+'],
  'replace northbound-row': ['update-row', 'ovsdb-client transact', 'Logical_Switch_Port blue', 'none', '~'],
  'remove northbound-row': ['delete-row', 'ovsdb-client transact', 'Logical_Switch_Port blue', 'none', '-'],
  'add zone-row': [
    'insert-zone-row',
    'ovsdb-client transact',
    'Logical_Switch cluster_udn_blue_transit_switch',
    'none',
    '+',
  ],
  'replace zone-row': [
    'update-zone-row',
    'ovsdb-client transact',
    'Logical_Switch cluster_udn_blue_transit_switch',
    'none',
    '~',
  ],
  'remove zone-row': [
    'delete-zone-row',
    'ovsdb-client transact',
    'Logical_Switch cluster_udn_blue_transit_switch',
    'none',
    '-',
  ],
  'add remote-chassis': ['add-chassis', 'ovsdb-client transact', 'chassis chassis-b at 172.30.0.2', 'none', '+'],
  'replace remote-chassis': ['set-chassis', 'ovsdb-client transact', 'chassis chassis-b at 172.30.0.2', 'none', '~'],
  'remove remote-chassis': ['delete-chassis', 'ovsdb-client transact', 'chassis chassis-b at 172.30.0.2', 'none', '-'],
  'add interconnection': [
    'enable-interconnection',
    'ovs-vsctl set Open_vSwitch . external_ids:ovn-is-interconn=true external_ids:ovn-uplinks-is-interconn=true',
    'tunnels to chassis of other zones (ovn-is-interconn)',
    'none',
    '~',
  ],
  'replace interconnection': [
    'enable-interconnection',
    'ovs-vsctl set Open_vSwitch . external_ids:ovn-is-interconn=true external_ids:ovn-uplinks-is-interconn=true',
    'tunnels to chassis of other zones (ovn-is-interconn)',
    'none',
    '~',
  ],
  'remove interconnection': [
    'disable-interconnection',
    'ovs-vsctl remove Open_vSwitch . external_ids ovn-is-interconn -- remove Open_vSwitch . external_ids ovn-uplinks-is-interconn',
    'tunnels to chassis of other zones (ovn-is-interconn)',
    'none',
    '~',
  ],
  'add remote-port': [
    'bind-port',
    'ovn-sbctl --id=@chassis0 get Chassis chassis-b -- set Port_Binding tstor-b chassis=@chassis0',
    'port tstor-b on chassis chassis-b',
    'none',
    '+',
  ],
  'replace remote-port': [
    'rebind-port',
    'ovn-sbctl --id=@chassis0 get Chassis chassis-b -- set Port_Binding tstor-b chassis=@chassis0',
    'port tstor-b on chassis chassis-b',
    'none',
    '~',
  ],
  'remove remote-port': [
    'release-port',
    'ovn-sbctl --if-exists clear Port_Binding tstor-b chassis',
    'port tstor-b on chassis chassis-b',
    'none',
    '-',
  ],
  'add no-flood-port': [
    'set-no-flood',
    'ovs-ofctl -O OpenFlow10 mod-port br-blue patch-blue-to-br-int no-flood',
    'no flooding to patch-blue-to-br-int of br-blue',
    'none',
    '~',
  ],
  'remove no-flood-port': [
    'set-flood',
    'ovs-ofctl -O OpenFlow10 mod-port br-blue patch-blue-to-br-int flood',
    'no flooding to patch-blue-to-br-int of br-blue',
    'none',
    '~',
  ],
  'add fdb-entry': [
    'add-fdb-entry',
    'ovs-appctl fdb/add br-blue br-blue 0 0a:00:00:00:00:06',
    'static FDB entry 0a:00:00:00:00:06 on port br-blue of br-blue',
    'none',
    '+',
  ],
  'remove fdb-entry': [
    'delete-fdb-entry',
    'ovs-appctl fdb/del br-blue 0 0a:00:00:00:00:06',
    'static FDB entry 0a:00:00:00:00:06 on port br-blue of br-blue',
    'none',
    '-',
  ],
  'add flow': [
    'add-flow',
    'ovs-ofctl -O OpenFlow14 --no-names --bundle add-flows br-blue -',
    'flow table=0, priority=9,in_port=patch-blue-to-br-int on br-blue',
    'none',
    '+',
  ],
  'replace flow': [
    'modify-flow',
    'ovs-ofctl -O OpenFlow14 --no-names --bundle add-flows br-blue -',
    'flow table=0, priority=9,in_port=patch-blue-to-br-int on br-blue',
    'none',
    '~',
  ],
  'remove flow': [
    'delete-flow',
    'ovs-ofctl -O OpenFlow14 --no-names --bundle add-flows br-blue -',
    'flow table=0, priority=9,in_port=patch-blue-to-br-int on br-blue',
    'none',
    '-',
  ],
  'add open-router-port': [
    'open-router-port',
    'ovsdb-client transact',
    'router port rtoe-GR_blue is open',
    'none',
    '~',
  ],
  'remove open-router-port': [
    'close-router-port',
    'ovsdb-client transact',
    'router port rtoe-GR_blue is open',
    'none',
    '~',
  ],
  'add next-hop-object': [
    'add-next-hop-object',
    'ip -4 nexthop replace id 5 via 192.0.2.1 dev br-blue proto static',
    'next hop object 5 via 192.0.2.1 dev br-blue',
    'none',
    '+',
  ],
  'remove next-hop-object': [
    'delete-next-hop-object',
    'ip nexthop delete id 5',
    'next hop object 5 via 192.0.2.1 dev br-blue',
    'none',
    '-',
  ],
  'add neighbour-proxy': [
    'add-neighbour-proxy',
    'ip neighbour add proxy 192.0.2.9 dev br-blue',
    'proxy entry for neighbour 192.0.2.9 on br-blue',
    'none',
    '+',
  ],
  'remove neighbour-proxy': [
    'delete-neighbour-proxy',
    'ip neighbour delete proxy 192.0.2.9 dev br-blue',
    'proxy entry for neighbour 192.0.2.9 on br-blue',
    'none',
    '-',
  ],
};

for (const [what, { operation, node }] of allSamples) {
  describe(`operation: ${what}`, () => {
    const meaning = meaningOf(operation);
    const [name, command, summary, disruption, mark] = words[what] ?? [];

    it(`is ${name}: ${mark} ${summary}, by ${command}, and disturbs ${disruption}`, () => {
      const { program, arguments: vector } = meaning.command(operation, node);
      // The transaction of a mapping has tests of its own.
      expect([program, ...vector].slice(0, program === 'ovsdb-client' ? 2 : undefined)).to.deep.equal(
        command?.split(' '),
      );
      expect(meaning.name).to.equal(name);
      expect(meaning.summary(operation)).to.equal(summary);
      expect(meaning.disruption(operation)).to.equal(disruption);
      expect(meaning.mark).to.equal(mark);
    });

    it('is plain data', () => {
      expect(JSON.parse(JSON.stringify(operation))).to.deep.equal(operation);
    });
  });
}

describe('an operation with an unusual name', () => {
  for (const name of ['a#b', '-force', 'été', 'eth0.100', 'a;b', '$(x)', "a'b"]) {
    it(`has ${name} as one argument, unchanged`, () => {
      const renamed = (text: string) =>
        JSON.parse(JSON.stringify(text).replaceAll(/br-blue|(?<!udn_)blue/g, name)) as string;
      for (const { operation, node } of allSamples.values()) {
        if (!['hostNetwork', 'flowTables'].includes(meaningOf(operation).port)) continue;
        const change = (_key: string, value: unknown) => (typeof value === 'string' ? renamed(value) : value);
        const odd = JSON.parse(JSON.stringify(operation), change) as SingleOperation;
        const usual = meaningOf(operation).command(operation, node);
        const command = meaningOf(odd).command(odd, node);
        expect(command.arguments).to.deep.equal(usual.arguments.map(renamed));
        expect(command.input).to.equal(usual.input && renamed(usual.input));
      }
    });
  }

  it('has a setting by its name for sysctl, as one argument', () => {
    const name = 'net.ipv4.conf.eth0/100.rp_filter';
    const operation: SingleOperation = {
      verb: 'add',
      networks: [],
      entity: { kind: 'sysctl', device: 'eth0.100', name, value: '2' },
    };
    expect(meaningOf(operation).command(operation, nodeBefore()).arguments).to.deep.equal(['-w', `${name}=2`]);
  });

  it('has a bridge as data of its transaction', () => {
    const { operation, node } = samples['bridge-mapping'].add;
    const odd: SingleOperation = { ...operation, entity: { ...operation.entity, bridge: 'a"b\\#é' } };
    const [, transaction = ''] = meaningOf(odd).command(odd, node).arguments;
    expect(JSON.parse(transaction)).to.have.nested.property(
      '[2].mutations[1][2][1][0][1]',
      'physnet:br-ex,cluster_udn_blue:a"b\\#é',
    );
  });
});

describe('the disruption of an operation', () => {
  const disturbs = (operation: Operation) => meaningOf(operation).disruption(operation);
  const put = (entity: DisplacedEntity): Operation => ({
    verb: 'put-back',
    networks: [],
    device: 'br-blue',
    entity,
  });
  const add = (text: string, flags: readonly string[] = []): Operation => ({
    verb: 'add',
    networks: [],
    entity: { kind: 'address', device: 'blue', address: address(text, { flags }) },
  });

  it('is an IPv6 address while the kernel looks for duplicates, unless the address says `nodad`', () => {
    expect(disturbs(add('fd69::2/128'))).to.equal('address-detection');
    expect(disturbs(add('fd69::2/128', ['nodad']))).to.equal('none');
    expect(disturbs(add('169.254.0.2/32'))).to.equal('none');
    expect(disturbs(put(hostAddress('2001:db8:b::6/64')))).to.equal('address-detection');
    expect(disturbs(put(hostAddress('2001:db8:b::6/64', { flags: ['nodad'] })))).to.equal('none');
    expect(disturbs(put(hostAddress('192.0.2.6/24')))).to.equal('none');
  });

  it('is none if routes, neighbours and nexthop objects are restored', () => {
    const entities = [
      hostRoute('10.0.0.0/8'),
      hostNeighbour('192.0.2.9'),
      hostProxy('192.0.2.9'),
      hostNextHopObject(5),
    ];
    for (const entity of entities) {
      expect(disturbs(put(entity))).to.equal('none');
    }
  });
});
