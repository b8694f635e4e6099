import { expect } from 'chai';
import { dummyNextHop, hostMasqueradeAddresses } from '../../../../src/domain/dataplane/masquerade.ts';

const usual = { masqueradeSubnets: ['169.254.0.0/17', 'fd69::/112'] };

describe('the masquerade addresses of the host', () => {
  it('begin with the one that it speaks from', () => {
    expect(hostMasqueradeAddresses(usual, 4)).to.deep.equal(['169.254.0.2', '169.254.0.3']);
    expect(hostMasqueradeAddresses(usual, 6)).to.deep.equal(['fd69::2', 'fd69::3']);
  });

  it('are of the first subnet of the family', () => {
    const masqueradeSubnets = ['fd70::/112', '10.1.0.0/16', '169.254.0.0/17'];
    expect(hostMasqueradeAddresses({ masqueradeSubnets }, 4)).to.deep.equal(['10.1.0.2', '10.1.0.3']);
  });

  it('are none without a subnet of the family', () => {
    expect(hostMasqueradeAddresses({ masqueradeSubnets: ['fd69::/112'] }, 4)).to.deep.equal([]);
  });
});

describe('the next hop that nobody bears', () => {
  it('is .4 with the MAC address that OVN-Kubernetes makes of it', () => {
    expect(dummyNextHop(usual, 4)).to.deep.equal({ address: '169.254.0.4', macAddress: '0a:58:a9:fe:00:04' });
  });

  it('is for IPv6 the link-local address of that MAC address', () => {
    expect(dummyNextHop(usual, 6)).to.deep.equal({
      address: 'fe80::858:a9ff:fefe:4',
      macAddress: '0a:58:a9:fe:00:04',
    });
  });

  it('follows the subnet that the cluster is configured with', () => {
    const masqueradeSubnets = ['100.64.128.0/17', 'fd77::/112'];
    expect(dummyNextHop({ masqueradeSubnets }, 4)).to.deep.equal({
      address: '100.64.128.4',
      macAddress: '0a:58:64:40:80:04',
    });
    expect(dummyNextHop({ masqueradeSubnets }, 6)).to.deep.equal({
      address: 'fe80::858:64ff:fe40:8004',
      macAddress: '0a:58:64:40:80:04',
    });
  });

  it('is none without an IPv4 masquerade subnet', () => {
    for (const family of [4, 6] as const) {
      expect(dummyNextHop({ masqueradeSubnets: ['fd69::/112'] }, family)).to.be.undefined;
    }
  });
});
