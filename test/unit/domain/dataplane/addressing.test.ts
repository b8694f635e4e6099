import { expect } from 'chai';
import { addressingOf } from '../../../../src/domain/dataplane/addressing.ts';

const usual = { masqueradeSubnets: ['169.254.0.0/17', 'fd69::/112'], serviceCidrs: ['10.96.0.0/16'] };
const addressing = (brief: Partial<typeof usual> = {}) => addressingOf({ ...usual, ...brief });

describe('the masquerade addresses of the host', () => {
  it('begin with the source address of the host', () => {
    expect(addressing()[4].hostAddresses).to.deep.equal(['169.254.0.2', '169.254.0.3']);
    expect(addressing()[6].hostAddresses).to.deep.equal(['fd69::2', 'fd69::3']);
  });

  it('are of one subnet of the family, in any order of the settings', () => {
    const masqueradeSubnets = ['fd70::/112', '169.254.0.0/17', '10.1.0.0/16'];
    for (const inOrder of [masqueradeSubnets, masqueradeSubnets.toReversed()]) {
      expect(addressing({ masqueradeSubnets: inOrder })[4].hostAddresses).to.deep.equal(['10.1.0.2', '10.1.0.3']);
    }
  });

  it('are none without a subnet of the family', () => {
    expect(addressing({ masqueradeSubnets: ['fd69::/112'] })[4].hostAddresses).to.deep.equal([]);
    expect(addressing({ masqueradeSubnets: [] })[6].hostAddresses).to.deep.equal([]);
  });
});

describe('the dummy next hop', () => {
  it('is .4 with the MAC address that OVN-Kubernetes derives from it', () => {
    expect(addressing()[4].dummyNextHop).to.deep.equal({ address: '169.254.0.4', macAddress: '0a:58:a9:fe:00:04' });
  });

  it('is for IPv6 the link-local address of that MAC address', () => {
    expect(addressing()[6].dummyNextHop).to.deep.equal({
      address: 'fe80::858:a9ff:fefe:4',
      macAddress: '0a:58:a9:fe:00:04',
    });
  });

  it('follows the configured subnet', () => {
    const masqueradeSubnets = ['100.64.128.0/17', 'fd77::/112'];
    const macAddress = '0a:58:64:40:80:04';
    expect(addressing({ masqueradeSubnets })[4].dummyNextHop).to.deep.equal({ address: '100.64.128.4', macAddress });
    expect(addressing({ masqueradeSubnets })[6].dummyNextHop).to.deep.equal({
      address: 'fe80::858:64ff:fe40:8004',
      macAddress,
    });
  });

  it('is none without an IPv4 masquerade subnet', () => {
    const { 4: ipv4, 6: ipv6 } = addressing({ masqueradeSubnets: ['fd69::/112'] });
    expect([ipv4, ipv6].map(({ dummyNextHop }) => dummyNextHop)).to.deep.equal([undefined, undefined]);
  });
});

describe('the subnets of services', () => {
  it('are those of their family as the kernel prints them, each once, in any order of the settings', () => {
    const serviceCidrs = ['10.97.1.0/20', 'FD00:10:96:0:0::7/112', '10.96.3.4/16', 'none', '10.98.0.0', '10.96.0.0/16'];
    for (const inOrder of [serviceCidrs, serviceCidrs.toReversed()]) {
      const { 4: ipv4, 6: ipv6 } = addressing({ serviceCidrs: inOrder });
      expect(ipv4.serviceSubnets).to.deep.equal(['10.96.0.0/16', '10.97.0.0/20']);
      expect(ipv6.serviceSubnets).to.deep.equal(['fd00:10:96::/112']);
    }
  });
});
