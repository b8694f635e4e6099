import { expect } from 'chai';
import { readAddresses, withAddresses } from '../../../../src/adapters/iproute2-json/addresses.ts';
import { readLinks } from '../../../../src/adapters/iproute2-json/links.ts';
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

  it('stay with a device that became the slave of a VRF', () => {
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
      'the address that privacy addresses are made of',
      { ...ipv6, tentative: true, dynamic: true, mngtmpaddr: true },
      ['dynamic', 'mngtmpaddr', 'tentative'],
    ],
    [
      'an address past its preferred lifetime',
      { ...ipv6, nodad: true, deprecated: true, dynamic: true },
      ['deprecated', 'dynamic', 'nodad'],
    ],
    ['an address that another host has', { ...ipv6, dadfailed: true, tentative: true }, ['dadfailed', 'tentative']],
    ['a flag nobody here has heard of', { ...ipv6, warped: true }, ['warped']],
    ['a flag that is off', { ...ipv6, tentative: false }, []],
  ];
  for (const [what, entry, expected] of flags) {
    it(`bear the flags, in name order, of ${what}`, () => {
      expect(addressesOf(entry)?.[0]?.flags).to.deep.equal(expected);
    });
  }

  it('count by themselves where they have a peer', () => {
    const entry = {
      family: 'inet',
      local: '198.51.100.1',
      address: '198.51.100.2',
      prefixlen: 30,
      scope: 'global',
      label: 'eth1',
    };
    expect(addressesOf(entry)).to.deep.equal([
      { address: '198.51.100.1', prefixLength: 30, scope: 'global', label: 'eth1', flags: [] },
    ]);
  });

  it('are left out where they are of no IP family, or filtered out by ip', () => {
    expect(addressesOf({}, { family: 'mctp', local: '8', prefixlen: 8, scope: 'global' }, ipv6)).to.have.length(1);
    expect(valueOf(readAddresses('[{},{}]', 'ip-address.json')).size).to.equal(0);
    expect(valueOf(readAddresses('', 'ip-address.json')).size).to.equal(0);
  });

  it('are none of a device whose entry has none', () => {
    expect(valueOf(readAddresses('[{"ifindex":7,"ifname":"eth1"}]', 'ip-address.json')).get(7)).to.deep.equal([]);
  });

  it('join the device of their index, whatever it is called meanwhile; those of no known device are dropped', () => {
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
      'an address that is no text',
      [{ ...ipv4, local: 7 }],
      '[0].addr_info[0].local: expected a string, found number 7',
    ],
    ['no address', [{ ...ipv4, local: undefined }], '[0].addr_info[0].local: expected a value, found nothing'],
    [
      'a label that is no text',
      [{ ...ipv4, label: true }],
      '[0].addr_info[0].label: expected a string, found boolean true',
    ],
  ];
  for (const [what, addresses, line] of problems) {
    it(`are refused with ${what}`, () => {
      expect(problemLines(read(...addresses))).to.deep.equal([`ip-address.json: ${line}`]);
    });
  }

  it('are refused where a device has no index, or no list of addresses', () => {
    const text = '[{"ifname":"eth1","addr_info":[]},{"ifindex":2,"addr_info":5}]';
    expect(problemLines(readAddresses(text, 'ip-address.json'))).to.deep.equal([
      'ip-address.json: [0].ifindex: expected a value, found nothing',
      'ip-address.json: [1].addr_info: expected a list, found number 5',
    ]);
  });
});
