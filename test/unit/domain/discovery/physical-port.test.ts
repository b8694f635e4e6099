import { expect } from 'chai';
import type { FoundPhysicalPort, CheckResult } from '../../../../src/domain/discovery/discovery.ts';
import { physicalPort } from '../../../../src/domain/discovery/physical-port.ts';
import type { BriefBridge, BriefLink, BriefNode, BriefPort } from '../../../../src/testing/index.ts';
import { discoveryInput, hostLink } from './discovery-input.ts';

interface Around {
  readonly links?: readonly BriefLink[];
  readonly otherBridges?: readonly BriefBridge[];
  readonly externalIds?: Readonly<Record<string, string>>;
  readonly devlinkPorts?: BriefNode['devlinkPorts'];
}

type BriefInterface = NonNullable<BriefPort['interfaces']>[number];

const eth1: BriefLink = { name: 'eth1', mtu: 9000 };

function judge(ports: readonly BriefPort[], around: Around = {}): CheckResult<FoundPhysicalPort> {
  const { links = [eth1], otherBridges = [], externalIds = {}, devlinkPorts = [] } = around;
  const input = discoveryInput({
    links: [{ name: 'br-blue', mtu: 1500 }, ...links],
    bridges: [{ name: 'br-blue', externalIds, ports }, ...otherBridges],
    devlinkPorts,
  });
  const bridge = input.node.snapshot.bridges[0]!;
  return physicalPort.run(input, {
    link: hostLink(input),
    bridge,
    hostPort: bridge.ports[0]!,
    hostPortInterface: bridge.ports[0]!.name,
  });
}

/** The failure, without what all failures of this check have in common. */
function failure(ports: readonly BriefPort[], around?: Around) {
  const outcome = judge(ports, around);
  if (outcome.ok) return `found ${outcome.found.physicalPort}`;
  const { reason, ...rest } = outcome.failure;
  expect(reason).to.equal('BridgeInvalid');
  return rest;
}

const bridge = 'br-blue';

describe('the physical port of a bridge', () => {
  it('is its only port with a physical device', () => {
    expect(judge([{ name: 'eth1' }])).to.deep.equal({
      ok: true,
      found: { physicalPort: 'eth1', physicalInterface: 'eth1', physicalMtu: 9000 },
    });
  });

  it('may be a bond of the kernel, which is one interface', () => {
    expect(failure([{ name: 'bond0' }], { links: [{ name: 'bond0', kind: 'bond' }] })).to.equal('found bond0');
  });

  it('may have another name than its interface', () => {
    expect(judge([{ name: 'out', interfaces: [{ name: 'eth1' }] }])).to.deep.equal({
      ok: true,
      found: { physicalPort: 'out', physicalInterface: 'eth1', physicalMtu: 9000 },
    });
  });

  it('is missing on a bridge with nothing but its LOCAL port', () => {
    expect(failure([])).to.deep.equal({ cause: 'no-physical-port', bridge });
  });

  it('is never the LOCAL port, whatever type that has', () => {
    expect(failure([{ name: 'br-blue', interfaces: [{ name: 'br-blue', type: '' }] }])).to.deep.equal({
      cause: 'no-physical-port',
      bridge,
    });
  });

  const virtual = 'internal patch bareudp erspan geneve gre gtpu ip6erspan ip6gre lisp srv6 stt vxlan'.split(' ');
  for (const type of virtual) {
    it(`is not a port of type ${type}`, () => {
      const port: BriefPort = { name: 'p', interfaces: [{ name: 'p', type }] };
      expect(failure([port])).to.deep.equal({ cause: 'no-physical-port', bridge });
      expect(failure([port, { name: 'eth1' }])).to.equal('found eth1');
    });
  }

  for (const key of [
    'ovn-localnet-port',
    'ovn-l2gateway-port',
    'ovn-l3gateway-port',
    'ovn-logical-patch-port',
    'ovn-chassis-id',
  ]) {
    it(`is not a port added by OVN, as ${key} shows`, () => {
      expect(failure([{ name: 'p', externalIds: { [key]: 'x' } }, { name: 'eth1' }])).to.equal('found eth1');
    });
  }

  it('may have external_ids of other programs', () => {
    expect(failure([{ name: 'eth1', externalIds: { owner: 'ops' } }])).to.equal('found eth1');
  });

  it('is not a representor', () => {
    const devlinkPorts = [{ device: 'pf0vf0', flavour: 'pcivf' }];
    expect(failure([{ name: 'pf0vf0' }, { name: 'eth1' }], { devlinkPorts })).to.equal('found eth1');
  });

  describe('where there are several', () => {
    const several = [{ name: 'eth2' }, { name: 'eth1' }];
    const links = [eth1, { name: 'eth2' }];
    const naming = (name: string) => ({ links, externalIds: { 'bridge-uplink': name } });

    it('is ambiguous, and all are reported', () => {
      expect(failure(several, { links })).to.deep.equal({
        cause: 'several-physical-ports',
        bridge,
        ports: ['eth1', 'eth2'],
      });
    });

    it('is the one that external_ids:bridge-uplink names', () => {
      expect(failure(several, naming('eth1'))).to.equal('found eth1');
      expect(failure(several, naming('eth2'))).to.equal('found eth2');
    });
  });

  describe('beside ports of guests', () => {
    const guests: readonly (readonly [what: string, port: BriefPort])[] = [
      [
        'a virtual machine of libvirt',
        { name: 'g', interfaces: [{ name: 'g', externalIds: { 'attached-mac': 'x' } }] },
      ],
      [
        'a virtual machine with an identifier',
        { name: 'g', interfaces: [{ name: 'g', externalIds: { 'vm-id': 'x' } }] },
      ],
      ['a guest with a logical port', { name: 'g', interfaces: [{ name: 'g', externalIds: { 'iface-id': 'x' } }] }],
      ['a guest, as the port says', { name: 'g', externalIds: { 'iface-id': 'x' } }],
      ['a pod of ovs-cni', { name: 'g', externalIds: { contIface: 'net1', owner: 'ovs-cni.network.kubevirt.io' } }],
      ['a container of ovs-docker', { name: 'g', interfaces: [{ name: 'g', externalIds: { container_id: 'x' } }] }],
      ['vhost-user', { name: 'g', interfaces: [{ name: 'g', type: 'dpdkvhostuser' }] }],
      ['vhost-user as client', { name: 'g', interfaces: [{ name: 'g', type: 'dpdkvhostuserclient' }] }],
    ];
    for (const [what, port] of guests) {
      it(`is the one that is not of ${what}`, () => {
        expect(failure([port, { name: 'eth1' }])).to.equal('found eth1');
        expect(failure([{ name: 'eth1', interfaces: [{ name: 'eth1', type: 'system' }] }, port])).to.equal(
          'found eth1',
        );
      });

      it(`is missing where there is only one of ${what}, unless bridge-uplink names it`, () => {
        expect(failure([port])).to.include({ cause: 'no-physical-port', bridge });
        const links = [eth1, { name: 'g' }];
        expect(failure([port, { name: 'eth1' }], { links, externalIds: { 'bridge-uplink': 'g' } })).to.equal('found g');
      });
    }

    it('is missing, and the ports with keys of guests are named', () => {
      const byPort: BriefPort = { name: 'eth1', externalIds: { 'iface-id': 'x' } };
      const byInterface: BriefPort = { name: 'g', interfaces: [{ name: 'g', externalIds: { 'vm-id': 'x' } }] };
      const byType: BriefPort = { name: 'v', interfaces: [{ name: 'v', type: 'dpdkvhostuser' }] };
      expect(failure([byPort, byInterface, byType])).to.deep.equal({
        cause: 'no-physical-port',
        bridge,
        guests: [
          { port: 'eth1', key: 'iface-id' },
          { port: 'g', key: 'vm-id' },
        ],
      });
    });

    const system: BriefPort = { name: 'eth1', interfaces: [{ name: 'eth1', type: 'system' }] };
    const other: BriefPort = { name: 'g' };

    it('is the only one of type system, if there are others without a type', () => {
      expect(failure([other, system])).to.equal('found eth1');
      expect(failure([other, { name: 'p', interfaces: [{ name: 'p', type: 'system' }] }, system])).to.deep.equal({
        cause: 'several-physical-ports',
        bridge,
        ports: ['eth1', 'g', 'p'],
      });
    });

    it('is the only one that is no TAP device', () => {
      const links: readonly BriefLink[] = [eth1, { name: 'g', kind: 'tun' }];
      expect(failure([other, { name: 'eth1' }], { links })).to.equal('found eth1');
      const tap = { name: 'g', interfaces: [{ name: 'g', type: 'tap' }] };
      expect(failure([tap, { name: 'eth1' }])).to.equal('found eth1');
    });

    const ofType = (name: string, type: string): BriefPort => ({ name, interfaces: [{ name, type }] });
    const severalOf = (...ports: readonly string[]) => ({ cause: 'several-physical-ports', bridge, ports });
    const withCard: readonly (readonly [what: string, ports: readonly BriefPort[], kind: string, found: unknown])[] = [
      ['a TAP device of type system', [{ name: 'eth1' }, ofType('g', 'system')], 'tun', 'found eth1'],
      ['a veth of type system', [{ name: 'eth1' }, ofType('g', 'system')], 'veth', severalOf('eth1', 'g')],
      ['another card of type system', [{ name: 'eth1' }, ofType('g', 'system')], '', severalOf('eth1', 'g')],
      ['a bond of type system', [{ name: 'eth1' }, ofType('g', 'system')], 'bond', severalOf('eth1', 'g')],
      ['a TAP device without a type', [ofType('eth1', 'system'), other], 'tun', 'found eth1'],
      ['a veth without a type', [ofType('eth1', 'system'), other], 'veth', 'found eth1'],
      ['a bond without a type', [ofType('eth1', 'system'), other], 'bond', severalOf('eth1', 'g')],
      ['a TAP device of type system, on DPDK', [ofType('p', 'dpdk'), ofType('g', 'system')], 'tun', 'found p'],
      ['a veth of type system, on DPDK', [ofType('p', 'dpdk'), ofType('g', 'system')], 'veth', severalOf('g', 'p')],
    ];
    for (const [what, ports, kind, found] of withCard) {
      it(`is ${typeof found === 'string' ? 'the network card' : 'ambiguous'} beside ${what}`, () => {
        const links = [eth1, { name: 'g', ...(kind !== '' && { kind }) }];
        expect(failure(ports, { links })).to.deep.equal(found);
        expect(failure([...ports].reverse(), { links })).to.deep.equal(found);
      });
    }

    it('is ambiguous of two veths, whatever their types', () => {
      const links = ['eth1', 'g'].map((name) => ({ name, kind: 'veth' }));
      expect(failure([{ name: 'eth1' }, ofType('g', 'system')], { links })).to.deep.equal(severalOf('eth1', 'g'));
    });

    const error = 'could not open network device (No such device)';
    const gone = (name: string, type = '') => ({ name, interfaces: [{ name, type, openFlowPort: null, error }] });
    const refusedCard = gone('eth1');
    const notAdded = (port: string) => ({ cause: 'port-not-added', bridge, port, error });
    const refusedPorts: readonly (readonly [what: string, ports: readonly BriefPort[], found: unknown])[] = [
      ['the one that was added', [{ name: 'eth1' }, gone('vnet3')], 'found eth1'],
      ['the one that was added, beside several', [gone('vnet2'), { name: 'eth1' }, gone('vnet3')], 'found eth1'],
      ['the one that was added, whatever the type', [{ name: 'eth1' }, gone('vnet3', 'system')], 'found eth1'],
      ['the one that was added, if that is a veth', [{ name: 'veth' }, gone('vnet3')], 'found veth'],
      ['the one that was added, of two cards', [refusedCard, { name: 'eth2' }], 'found eth2'],
      ['a refused card rather than a TAP device', [refusedCard, { name: 'tap' }], notAdded('eth1')],
      ['a missing card rather than a TAP device', [gone('eth7'), { name: 'tap' }], notAdded('eth7')],
      ['a missing card of type system', [gone('eth7', 'system'), { name: 'veth' }], notAdded('eth7')],
      ['ambiguous of a refused card and a veth', [refusedCard, { name: 'veth' }], severalOf('eth1', 'veth')],
      ['ambiguous if none was added', [gone('vnet2'), gone('vnet3')], severalOf('vnet2', 'vnet3')],
      [
        'ambiguous if several were added',
        [{ name: 'eth1' }, gone('vnet3'), { name: 'eth2' }],
        severalOf('eth1', 'eth2'),
      ],
    ];
    for (const [what, ports, expected] of refusedPorts) {
      it(`is ${what}`, () => {
        const links = [eth1, { name: 'eth2' }, { name: 'veth', kind: 'veth' }, { name: 'tap', kind: 'tun' }];
        expect(failure(ports, { links })).to.deep.equal(expected);
      });
    }

    it('may be a TAP device if there is no other', () => {
      expect(failure([other], { links: [{ name: 'g', kind: 'tun' }] })).to.equal('found g');
    });
  });

  it('may be named by its interface', () => {
    const links = [eth1, { name: 'eth2' }];
    const ports = ['eth1', 'eth2'].map((name) => ({ name: `ovs-port-${name}`, interfaces: [{ name }] }));
    const naming = (name: string) => failure(ports, { links, externalIds: { 'bridge-uplink': name } });
    expect(naming('eth2')).to.equal('found ovs-port-eth2');
    expect(naming('ovs-port-eth1')).to.equal('found ovs-port-eth1');
  });

  it('is the port of a name before the interface of that name', () => {
    const ports = [
      { name: 'a', interfaces: [{ name: 'b' }] },
      { name: 'b', interfaces: [{ name: 'eth1' }] },
    ];
    const links = [eth1, { name: 'b' }];
    expect(failure(ports, { links, externalIds: { 'bridge-uplink': 'b' } })).to.equal('found b');
  });

  it('must exist if external_ids:bridge-uplink names it', () => {
    expect(failure([{ name: 'eth1' }], { externalIds: { 'bridge-uplink': 'eth2' } })).to.deep.equal({
      cause: 'named-port-unusable',
      bridge,
      port: 'eth2',
      why: 'absent',
    });
  });

  it('must be physical if external_ids:bridge-uplink names it', () => {
    const patch: BriefPort = { name: 'patch', interfaces: [{ name: 'patch', type: 'patch' }] };
    expect(failure([{ name: 'eth1' }, patch], { externalIds: { 'bridge-uplink': 'patch' } })).to.deep.equal({
      cause: 'named-port-unusable',
      bridge,
      port: 'patch',
      why: 'not-physical',
    });
  });

  it('is not a bond of Open vSwitch', () => {
    expect(failure([{ name: 'bond', interfaces: [{ name: 'eth1' }, { name: 'eth2' }] }])).to.deep.equal({
      cause: 'switch-bond',
      bridge,
      port: 'bond',
    });
  });

  it('is missing where the port has no interface', () => {
    expect(failure([{ name: 'empty', interfaces: [] }])).to.deep.equal({ cause: 'no-physical-port', bridge });
  });

  it('is not the host interface itself', () => {
    const input = discoveryInput(
      { links: [{ name: 'eth1' }], bridges: [{ name: 'br-x', ports: [{ name: 'eth1' }] }] },
      { hostInterfaceName: 'eth1' },
    );
    const found = input.node.snapshot.bridges[0]!;
    const place = { bridge: found, hostPort: found.ports[1]!, hostPortInterface: 'eth1' };
    expect(physicalPort.run(input, { link: hostLink(input), ...place })).to.deep.equal({
      ok: false,
      failure: { reason: 'BridgeInvalid', cause: 'host-interface-is-physical', bridge: 'br-x' },
    });
  });

  it('is on one bridge only', () => {
    expect(failure([{ name: 'eth1' }], { otherBridges: [{ name: 'br-a', ports: [{ name: 'eth1' }] }] })).to.deep.equal({
      cause: 'name-twice',
      name: 'eth1',
      bridges: ['br-a', 'br-blue'],
    });
  });

  const down: readonly (readonly [what: string, link: Partial<BriefLink>, state: string])[] = [
    ['administratively', { up: false }, 'administratively down'],
    ['operationally', { operationalState: 'down' }, 'operationally down'],
    ['below', { operationalState: 'lowerlayerdown' }, 'lower layer down'],
  ];
  for (const [what, link, state] of down) {
    it(`is not down ${what}`, () => {
      expect(failure([{ name: 'eth1' }], { links: [{ name: 'eth1', ...link }] })).to.deep.equal({
        cause: 'physical-port-down',
        bridge,
        port: 'eth1',
        device: 'eth1',
        state,
      });
    });
  }

  describe('that the kernel does not have, such as one of DPDK,', () => {
    const judgeDevice = (device: Partial<BriefInterface>) =>
      judge([{ name: 'dpdk0', interfaces: [{ name: 'dpdk0', type: 'dpdk', ...device }] }], { links: [] });
    const stateOf = (device: Partial<BriefInterface>) => {
      const outcome = judgeDevice(device);
      if (outcome.ok) return undefined;
      return 'state' in outcome.failure ? outcome.failure.state : outcome.failure;
    };

    it('has the MTU that Open vSwitch reports, else that of the host interface', () => {
      expect(judgeDevice({ mtu: 2000 })).to.deep.include({
        found: { physicalPort: 'dpdk0', physicalInterface: 'dpdk0', physicalMtu: 2000 },
      });
      expect(judgeDevice({})).to.deep.include({
        found: { physicalPort: 'dpdk0', physicalInterface: 'dpdk0', physicalMtu: 1500 },
      });
    });

    it('is up unless Open vSwitch says that it is down', () => {
      expect(stateOf({ linkState: 'up' })).to.be.undefined;
      expect(stateOf({})).to.be.undefined;
      expect(stateOf({ linkState: 'down' })).to.equal('operationally down');
    });
  });

  describe('that Open vSwitch has not added', () => {
    const error = 'could not add network device eth1 to ofproto (Device or resource busy)';
    const refused: readonly (readonly [what: string, device: Partial<BriefInterface>, error?: string])[] = [
      ['has its error', { openFlowPort: null, error }, error],
      ['has its error, if it has a number from before', { openFlowPort: 1, error }, error],
      ['may have none, as long as it is new', { openFlowPort: null }],
    ];
    for (const [what, device, said] of refused) {
      it(`${what}, whatever the kernel says of its device`, () => {
        const port = { name: 'out', interfaces: [{ name: 'eth1', linkState: 'up', ...device }] };
        const expected = { cause: 'port-not-added', bridge, port: 'out', ...(said !== undefined && { error: said }) };
        expect(failure([port])).to.deep.equal(expected);
        expect(failure([port], { links: [] })).to.deep.equal(expected);
        expect(failure([port], { links: [{ ...eth1, up: false }] })).to.deep.equal(expected);
      });
    }
  });

  it('has the state of the kernel rather than that of Open vSwitch', () => {
    const port: BriefPort = {
      name: 'eth1',
      interfaces: [{ name: 'eth1', linkState: 'down', mtu: 1 }],
    };
    expect(judge([port])).to.deep.equal({
      ok: true,
      found: { physicalPort: 'eth1', physicalInterface: 'eth1', physicalMtu: 9000 },
    });
  });
});
