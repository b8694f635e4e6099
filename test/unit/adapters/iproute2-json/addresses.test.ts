import { expect } from 'chai';
import { readAddresses, withAddresses } from '../../../../src/adapters/iproute2-json/addresses.ts';
import { readLinks } from '../../../../src/adapters/iproute2-json/links.ts';
import type { Address } from '../../../../src/domain/snapshot/node-snapshot.ts';
import { capturedText } from '../captured-text.ts';
import { problemLines, valueOf } from '../readings.ts';

function read(...addresses: readonly unknown[]) {
  return readAddresses(JSON.stringify([{ ifindex: 7, ifname: 'eth1', addr_info: addresses }]), 'ip-address.json');
}

function addressesOf(...addresses: readonly unknown[]) {
  return valueOf(read(...addresses)).get(7);
}

const ipv4 = { family: 'inet', local: '192.0.2.6', prefixlen: 24, scope: 'global', label: 'eth1' };
const ipv6 = { family: 'inet6', local: '2001:db8::6', prefixlen: 64, scope: 'global' };

describe('addresses of `ip -json -details address show`', () => {
  it('are those of the captured node', () => {
    const links = valueOf(readLinks(capturedText('worker-a', 'ip-link.json'), 'ip-link.json'));
    const addresses = valueOf(readAddresses(capturedText('worker-a', 'ip-address.json'), 'ip-address.json'));
    const byName = new Map(withAddresses(links, addresses).map((link) => [link.name, link.addresses]));
    expect(byName.get('br-blue')).to.deep.equal([
      { address: '192.0.2.6', prefixLength: 24, scope: 'global', label: 'br-blue', flags: [] },
      { address: '192.0.2.66', prefixLength: 24, scope: 'global', label: 'br-blue', flags: ['secondary'] },
      { address: '2001:db8:b::6', prefixLength: 64, scope: 'global', flags: ['nodad'] },
      { address: 'fe80::42:c0ff:fe00:206', prefixLength: 64, scope: 'link', flags: [] },
    ]);
    expect(byName.get('br-noip')?.map(({ scope }) => scope)).to.deep.equal(['link']);
    expect(byName.get('ovs-netdev')).to.deep.equal([]);
  });

  it('stay on a device that was enslaved to a VRF', () => {
    const addresses = valueOf(
      readAddresses(capturedText('worker-a-blue-enslaved', 'ip-address.json'), 'ip-address.json'),
    );
    expect(addresses.get(11)?.map(({ address }) => address)).to.include.members([
      '192.0.2.6',
      '192.0.2.66',
      '2001:db8:b::6',
    ]);
  });

  // Entries as iproute2 6.1 printed them on Linux 6.18.
  const flags: readonly (readonly [what: string, entry: unknown, flags: readonly string[]])[] = [
    ['a second IPv4 address of a subnet', { ...ipv4, secondary: true }, ['secondary']],
    [
      'a privacy address, whose kernel flag is the same bit',
      { ...ipv6, temporary: true, tentative: true, dynamic: true, valid_life_time: 86400, preferred_life_time: 80000 },
      ['dynamic', 'temporary', 'tentative'],
    ],
    [
      'the address that privacy addresses are derived from',
      { ...ipv6, tentative: true, dynamic: true, mngtmpaddr: true },
      ['dynamic', 'mngtmpaddr', 'tentative'],
    ],
    [
      'an address past its preferred lifetime',
      { ...ipv6, nodad: true, deprecated: true, dynamic: true },
      ['deprecated', 'dynamic', 'nodad'],
    ],
    ['an address that is a duplicate', { ...ipv6, dadfailed: true, tentative: true }, ['dadfailed', 'tentative']],
    ['an unknown flag', { ...ipv6, novel: true }, ['novel']],
    ['a flag that is off', { ...ipv6, tentative: false }, []],
  ];
  for (const [what, entry, expected] of flags) {
    it(`have the flags, in name order, of ${what}`, () => {
      expect(addressesOf(entry)?.[0]?.flags).to.deep.equal(expected);
    });
  }

  // Entries as iproute2 6.1 printed them on Linux 6.1.
  const examples: readonly (readonly [command: string, printed: string, expected: Partial<Address>])[] = [
    [
      'ip address add 192.0.2.6/24 brd + dev eth0',
      '{"family":"inet","local":"192.0.2.6","prefixlen":24,"broadcast":"192.0.2.255","scope":"global","label":"eth0","valid_life_time":4294967295,"preferred_life_time":4294967295}',
      { address: '192.0.2.6', prefixLength: 24, broadcast: '192.0.2.255', label: 'eth0' },
    ],
    [
      'ip address add 192.0.2.7/24 dev eth0 label eth0:vip metric 77',
      '{"family":"inet","local":"192.0.2.7","prefixlen":24,"metric":77,"scope":"global","secondary":true,"label":"eth0:vip","valid_life_time":4294967295,"preferred_life_time":4294967295}',
      { address: '192.0.2.7', prefixLength: 24, metric: 77, label: 'eth0:vip', flags: ['secondary'] },
    ],
    [
      'ip address add 10.9.9.1 peer 10.9.9.2/32 dev eth1',
      '{"family":"inet","local":"10.9.9.1","address":"10.9.9.2","prefixlen":32,"scope":"global","label":"eth1","valid_life_time":4294967295,"preferred_life_time":4294967295}',
      { address: '10.9.9.1', peer: '10.9.9.2', prefixLength: 32, label: 'eth1' },
    ],
    [
      "ip address add 10.9.8.1 peer 10.9.7.0/24 dev eth1, whose prefix length is the peer's",
      '{"family":"inet","local":"10.9.8.1","address":"10.9.7.0","prefixlen":24,"scope":"global","label":"eth1","valid_life_time":4294967295,"preferred_life_time":4294967295}',
      { address: '10.9.8.1', peer: '10.9.7.0', prefixLength: 24, label: 'eth1' },
    ],
    [
      'ip address add 2001:db8::a peer 2001:db8::b/128 dev eth1',
      '{"family":"inet6","local":"2001:db8::a","address":"2001:db8::b","prefixlen":128,"scope":"global","valid_life_time":4294967295,"preferred_life_time":4294967295}',
      { address: '2001:db8::a', peer: '2001:db8::b', prefixLength: 128 },
    ],
    [
      'ip address add 2001:db8::6/64 dev eth0 valid_lft 3600 preferred_lft 1800',
      '{"family":"inet6","local":"2001:db8::6","prefixlen":64,"scope":"global","dynamic":true,"valid_life_time":3589,"preferred_life_time":1789}',
      {
        address: '2001:db8::6',
        prefixLength: 64,
        flags: ['dynamic'],
        validSeconds: 3589,
        preferredSeconds: 1789,
      },
    ],
    [
      'ip address add 2001:db8::7/64 dev eth0 valid_lft 3600 preferred_lft 0',
      '{"family":"inet6","local":"2001:db8::7","prefixlen":64,"scope":"global","deprecated":true,"dynamic":true,"valid_life_time":3589,"preferred_life_time":0}',
      {
        address: '2001:db8::7',
        prefixLength: 64,
        flags: ['deprecated', 'dynamic'],
        validSeconds: 3589,
        preferredSeconds: 0,
      },
    ],
    [
      'ip address add 2001:db8::8/64 dev eth0 nodad noprefixroute metric 55',
      '{"family":"inet6","local":"2001:db8::8","prefixlen":64,"metric":55,"scope":"global","nodad":true,"noprefixroute":true,"valid_life_time":4294967295,"preferred_life_time":4294967295}',
      { address: '2001:db8::8', prefixLength: 64, metric: 55, flags: ['nodad', 'noprefixroute'] },
    ],
    [
      'ip address add 2001:db8::9/64 dev eth0 home mngtmpaddr',
      '{"family":"inet6","local":"2001:db8::9","prefixlen":64,"scope":"global","home":true,"mngtmpaddr":true,"valid_life_time":4294967295,"preferred_life_time":4294967295}',
      { address: '2001:db8::9', prefixLength: 64, flags: ['home', 'mngtmpaddr'] },
    ],
    [
      'ip address add 198.51.100.8/32 dev eth2 scope 150',
      '{"family":"inet","local":"198.51.100.8","prefixlen":32,"scope":"150","label":"eth2","valid_life_time":4294967295,"preferred_life_time":4294967295}',
      { address: '198.51.100.8', prefixLength: 32, scope: '150', label: 'eth2' },
    ],
    [
      'an address with flags of a newer kernel',
      '{"family":"inet6","local":"2001:db8::6","prefixlen":64,"scope":"global","nodad":true,"ifa_flags":"1000"}',
      { address: '2001:db8::6', prefixLength: 64, flags: ['0x1000', 'nodad'] },
    ],
  ];
  for (const [command, printed, expected] of examples) {
    it(`are read from the output of: ${command}`, () => {
      expect(addressesOf(JSON.parse(printed))).to.deep.equal([{ scope: 'global', flags: [], ...expected }]);
    });
  }

  // As iproute2 6.15 printed them on Linux 6.1, with -N and without.
  const protocols: readonly (readonly [what: string, printed: string, protocol: string | undefined])[] = [
    ['an unknown program', '0x12', '0x12'],
    ['a router advertisement', '0x2', '0x2'],
    ['a router advertisement, by name', 'kernel_ra', '0x2'],
    ['the kernel, for loopback', '0x1', undefined],
    ['the kernel, for loopback, by name', 'kernel_lo', undefined],
    ['the kernel, link-local', '0x3', undefined],
    ['the kernel, link-local, by name', 'kernel_ll', undefined],
  ];
  for (const [what, printed, protocol] of protocols) {
    it(`have ${protocol === undefined ? 'no protocol' : `protocol ${protocol}`} if added by ${what}`, () => {
      expect(addressesOf({ ...ipv6, protocol: printed })?.[0]?.protocol).to.equal(protocol);
    });
  }

  it('do not include entries of other families, or empty ones of ip', () => {
    expect(addressesOf({}, { family: 'mctp', local: '8', prefixlen: 8, scope: 'global' }, ipv6)).to.have.length(1);
    expect(valueOf(readAddresses('[{},{}]', 'ip-address.json')).size).to.equal(0);
    expect(valueOf(readAddresses('', 'ip-address.json')).size).to.equal(0);
  });

  it('are empty for a device without addresses', () => {
    expect(valueOf(readAddresses('[{"ifindex":7,"ifname":"eth1"}]', 'ip-address.json')).get(7)).to.deep.equal([]);
  });

  it('are joined with devices by index, even if a device was renamed; those of unknown devices are dropped', () => {
    const links = valueOf(readLinks('[{"ifindex":7,"ifname":"new","flags":[],"mtu":1,"link_type":"none"}]', 'l'));
    const other = valueOf(readAddresses('[{"ifindex":8,"ifname":"new","addr_info":[]}]', 'a'));
    expect(withAddresses(links, valueOf(read(ipv6)))[0]?.addresses).to.have.length(1);
    expect(withAddresses(links, other)[0]?.addresses).to.deep.equal([]);
  });

  const problems: readonly (readonly [what: string, addresses: readonly unknown[], line: string])[] = [
    [
      'a prefix length in quotes',
      [ipv4, { ...ipv4, prefixlen: '24' }],
      '[0].addr_info[1].prefixlen: expected a whole number, found string "24"',
    ],
    [
      'an address that is not a string',
      [{ ...ipv4, local: 7 }],
      '[0].addr_info[0].local: expected a string, found number 7',
    ],
    ['no address', [{ ...ipv4, local: undefined }], '[0].addr_info[0].local: expected a value, found nothing'],
    [
      'a label that is not a string',
      [{ ...ipv4, label: true }],
      '[0].addr_info[0].label: expected a string, found boolean true',
    ],
    [
      'a peer that is not a string',
      [{ ...ipv4, address: 7 }],
      '[0].addr_info[0].address: expected a string, found number 7',
    ],
    [
      'a lifetime that is not a number',
      [{ ...ipv4, valid_life_time: 'forever' }],
      '[0].addr_info[0].valid_life_time: expected a whole number, found string "forever"',
    ],
    [
      'a metric that is not a number',
      [{ ...ipv4, metric: '7' }],
      '[0].addr_info[0].metric: expected a whole number, found string "7"',
    ],
  ];
  for (const [what, addresses, line] of problems) {
    it(`are invalid with ${what}`, () => {
      expect(problemLines(read(...addresses))).to.deep.equal([`ip-address.json: ${line}`]);
    });
  }

  it('are invalid if a device has no index, or no list of addresses', () => {
    const text = '[{"ifname":"eth1","addr_info":[]},{"ifindex":2,"addr_info":5}]';
    expect(problemLines(readAddresses(text, 'ip-address.json'))).to.deep.equal([
      'ip-address.json: [0].ifindex: expected a value, found nothing',
      'ip-address.json: [1].addr_info: expected a list, found number 5',
    ]);
  });
});
