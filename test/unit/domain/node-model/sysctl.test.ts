import { expect } from 'chai';
import { setSysctl } from '../../../../src/domain/node-model/sysctl.ts';
import { after, nodeOf, refusalOf } from './words.ts';

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
    'net.ipv4.conf.all.rp_filter',
    'net.ipv4.tcp_l3mdev_accept',
  ]) {
    it(`is set if it changes no others: ${name}`, () => {
      expect(after(setSysctl(nodeOf({ sysctls: { [name]: '0' } }), name, '1')).sysctls).to.deep.equal({ [name]: '1' });
    });
  }
});
