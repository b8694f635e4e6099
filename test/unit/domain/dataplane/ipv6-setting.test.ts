import { expect } from 'chai';
import { lacksIpv6 } from '../../../../src/domain/dataplane/ipv6-setting.ts';
import { completeNode } from '../../../../src/testing/index.ts';

describe('a kernel without IPv6', () => {
  const cases: readonly (readonly [what: string, sysctls: Readonly<Record<string, string>>, isWithout: boolean])[] = [
    ['settings of new IPv4 devices alone', { 'net.ipv4.conf.default.forwarding': '1' }, true],
    ['settings of all IPv4 devices alone', { 'net.ipv4.conf.all.rp_filter': '0' }, true],
    ['no settings that were read', {}, false],
    ['a setting of sockets alone', { 'net.ipv4.tcp_l3mdev_accept': '0' }, false],
    ['settings of one IPv4 device alone', { 'net.ipv4.conf.eth1.rp_filter': '1' }, false],
    [
      'IPv6 disabled on all devices',
      { 'net.ipv4.conf.all.rp_filter': '0', 'net.ipv6.conf.all.disable_ipv6': '1' },
      false,
    ],
  ];
  for (const [what, sysctls, isWithout] of cases) {
    it(`is ${isWithout ? '' : 'not '}one with ${what}`, () => {
      expect(lacksIpv6(completeNode({ nodeName: 'a', sysctls }))).to.equal(isWithout);
    });
  }
});
