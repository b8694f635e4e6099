import { expect } from 'chai';
import { settingOf, settingsOfKernel } from '../../../../../src/domain/dataplane/logical-network/host-settings.ts';

const linesOn = (device: string, sysctls: Readonly<Record<string, string>>, isForwarding = false) =>
  settingsOfKernel({ sysctls }, isForwarding).map((setting) => {
    const { name, value } = settingOf(device, setting);
    return `${name} = ${value}`;
  });

describe('the settings of a management port', () => {
  it('neither forward packets nor accept router advertisements', () => {
    const sysctls = {
      'net.ipv4.conf.default.forwarding': '1',
      'net.ipv6.conf.default.accept_ra': '1',
      'net.ipv6.conf.default.force_forwarding': '0',
    };
    expect(linesOn('ovn-k8s-mp1', sysctls)).to.deep.equal([
      'net.ipv4.conf.ovn-k8s-mp1.forwarding = 0',
      'net.ipv6.conf.ovn-k8s-mp1.force_forwarding = 0',
      'net.ipv6.conf.ovn-k8s-mp1.accept_ra = 0',
    ]);
  });

  it('forward packets of a network that leaves by the node', () => {
    const sysctls = {
      'net.ipv4.conf.default.forwarding': '1',
      'net.ipv6.conf.default.accept_ra': '1',
      'net.ipv6.conf.default.force_forwarding': '0',
    };
    expect(linesOn('ovn-k8s-mp1', sysctls, true)).to.deep.equal([
      'net.ipv4.conf.ovn-k8s-mp1.forwarding = 1',
      'net.ipv6.conf.ovn-k8s-mp1.force_forwarding = 1',
      'net.ipv6.conf.ovn-k8s-mp1.accept_ra = 0',
    ]);
  });

  it('are those that new devices have on the node: no IPv6, and no newer kernel, where there is none', () => {
    expect(linesOn('ovn-k8s-mp7', { 'net.ipv4.conf.default.forwarding': '0' })).to.deep.equal([
      'net.ipv4.conf.ovn-k8s-mp7.forwarding = 0',
    ]);
    expect(linesOn('ovn-k8s-mp7', { 'net.ipv6.conf.eth0.accept_ra': '0' })).to.deep.equal([]);
  });
});
