import { expect } from 'chai';
import { setSysctl } from '../../../../src/domain/node-model/sysctl.ts';
import { addAddress } from '../../../../src/domain/node-model/address.ts';
import { addVrf } from '../../../../src/domain/node-model/vrf.ts';
import { address, addressTexts, after, device, kernelRoutes, nodeOf, refusalOf, routeTexts } from './words.ts';

const sysctls = {
  'net.ipv4.conf.eth0/100.rp_filter': '1',
  'net.ipv6.conf.eth0.keep_addr_on_down': '0',
  'net.ipv6.conf.eth0.forwarding': '0',
};
const node = nodeOf({ sysctls });

describe('a setting', () => {
  for (const value of ['0', '2', '3', '-1', '2147483647', '-2147483648']) {
    it(`accepts ${value}, whether it has a meaning or not`, () => {
      const name = 'net.ipv4.conf.eth0/100.rp_filter';
      expect(after(setSysctl(node, name, value)).sysctls).to.deep.equal({ ...sysctls, [name]: value });
    });
  }

  for (const value of ['', 'x', '1 2', '2147483648', '-2147483649', '99999999999999999999']) {
    it(`refuses ${JSON.stringify(value)}`, () => {
      expect(refusalOf(setSysctl(node, 'net.ipv6.conf.eth0.keep_addr_on_down', value))).to.contain('Invalid argument');
    });
  }

  it('must be there', () => {
    for (const name of ['net.ipv4.conf.eth9.rp_filter', 'toString']) {
      expect(refusalOf(setSysctl(node, name, '1'))).to.contain('No such file or directory');
    }
  });

  for (const name of [
    'net.ipv4.ip_forward',
    'net.ipv4.conf.all.forwarding',
    'net.ipv4.conf.default.rp_filter',
    'net.ipv6.conf.eth0.forwarding',
    'net.ipv6.conf.all.disable_ipv6',
    'net.ipv6.conf.eth0.addr_gen_mode',
  ]) {
    it(`is not set if it changes others: ${name}`, () => {
      expect(refusalOf(setSysctl(nodeOf({ sysctls: { [name]: '0' } }), name, '1'))).to.contain('side effects');
    });
  }

  for (const name of [
    'net.ipv6.conf.all.keep_addr_on_down',
    'net.ipv6.conf.default.keep_addr_on_down',
    'net.ipv6.conf.default.disable_ipv6',
    'net.ipv6.conf.eth9.disable_ipv6',
    'net.ipv4.conf.all.rp_filter',
    'net.ipv4.tcp_l3mdev_accept',
  ]) {
    it(`is set if it changes no others: ${name}`, () => {
      expect(after(setSysctl(nodeOf({ sysctls: { [name]: '0' } }), name, '1')).sysctls).to.deep.equal({ [name]: '1' });
    });
  }
});

describe('the setting that disables IPv6 on a device', () => {
  const name = 'net.ipv6.conf.eth0.disable_ipv6';
  const eth0 = device('eth0', ['192.0.2.6/24', 'fd00::6/64'], { macAddress: '02:00:00:00:00:01' });
  const enabled = nodeOf({
    links: [eth0, device('eth1', ['fd01::6/64'])],
    routes: [
      { destination: 'fd02::/64', metric: 1024, nextHops: [{ device: 'eth0', gateway: 'fd00::1' }] },
      { destination: '198.51.100.0/24', nextHops: [{ device: 'eth0', gateway: '192.0.2.1' }] },
    ],
    neighbours: ['192.0.2.1', 'fd00::1'].map((each) => ({
      ...{ device: 'eth0', address: each, macAddress: '02:00:00:00:00:09', states: ['permanent'] },
    })),
    sysctls: { [name]: '0' },
  });

  it('takes IPv6 addresses, neighbours and routes away, and nothing of IPv4', () => {
    const node = after(setSysctl(enabled, name, '1'));
    expect(addressTexts(node, 'eth0')).to.deep.equal(['192.0.2.6/24']);
    expect(kernelRoutes(node, 6, 'eth0')).to.be.empty;
    expect(routeTexts(node)).to.deep.equal(['main 198.51.100.0/24 via 192.0.2.1 dev eth0']);
    expect(node.neighbours.map((each) => each.address)).to.deep.equal(['192.0.2.1']);
    expect(kernelRoutes(node, 4, 'eth0')).to.deep.equal(kernelRoutes(enabled, 4, 'eth0'));
    expect(kernelRoutes(node, 6, 'eth1')).to.deep.equal(kernelRoutes(enabled, 6, 'eth1'));
  });

  it('gives a device that is up its link-local address again, with its routes', () => {
    const node = after(setSysctl(after(setSysctl(enabled, name, '1')), name, '0'));
    expect(addressTexts(node, 'eth0')).to.deep.equal(['192.0.2.6/24', 'fe80::ff:fe00:1/64']);
    expect(kernelRoutes(node, 6, 'eth0')).to.include('main fe80::/64 dev eth0 metric 256');
  });

  it('gives a device that is down nothing', () => {
    const node = nodeOf({ links: [{ ...eth0, addresses: [], up: false }], sysctls: { [name]: '1' } });
    expect(addressTexts(after(setSysctl(node, name, '0')), 'eth0')).to.be.empty;
  });

  it('changes nothing if IPv6 is as it was', () => {
    expect(after(setSysctl(enabled, name, '0'))).to.deep.equal(enabled);
    const disabled = after(setSysctl(enabled, name, '1'));
    expect(after(setSysctl(disabled, name, '2'))).to.deep.equal({ ...disabled, sysctls: { [name]: '2' } });
  });

  it('is that of `default` on a new device, which takes no IPv6 address then', () => {
    const node = after(
      addVrf(nodeOf({ sysctls: { 'net.ipv6.conf.default.disable_ipv6': '1' } }), { name: 'blue', table: 1001 }),
    );
    const wanted = address('fd69::2/128', { flags: ['nodad'] });
    expect(refusalOf(addAddress(node, 'blue', wanted))).to.contain('IPv6 is disabled');
    const ready = after(setSysctl(node, 'net.ipv6.conf.blue.disable_ipv6', '0'));
    expect(addressTexts(ready, 'blue')).to.be.empty;
    expect(addressTexts(after(addAddress(ready, 'blue', wanted)), 'blue')).to.deep.equal(['fd69::2/128 nodad']);
  });
});
