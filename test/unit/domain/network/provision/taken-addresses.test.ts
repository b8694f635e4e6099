import { expect } from 'chai';
import { noLinkAddresses, ownerOfAddress } from '../../../../../src/domain/network/provision/taken-addresses.ts';
import { subnetIndex, withUse } from '../../../../../src/domain/network/provision/used-subnets.ts';

const network = { subnets: [{ cidr: '10.20.0.0/16' }, { cidr: 'fd20::/48' }], joinSubnets: [] };

const used = subnetIndex([
  ...withUse('services', ['10.96.0.0/16', 'fd96::/112']),
  ...withUse('default-network', ['10.244.0.0/24']),
  ...withUse('node', ['172.30.0.11/32']),
  ...withUse('masquerade', ['169.254.0.0/17', 'fd69::/112']),
  ...withUse('transit', ['100.88.0.0/16']),
]);

const links = { uplinks: ['192.0.2.6', '2001:db8::6'], gateways: ['192.0.2.1'], advertised: ['10.30.0.0/24'] };

describe('the owner of an address', () => {
  for (const { address, owner } of [
    { address: '192.0.2.50', owner: undefined },
    { address: '2001:db8::50', owner: undefined },
    { address: '10.20.9.9', owner: 'pods' },
    { address: 'fd20::9', owner: 'pods' },
    { address: '100.65.0.2', owner: 'join' },
    { address: 'fd99::2', owner: 'join' },
    { address: '192.0.2.6', owner: 'uplink' },
    { address: '2001:DB8::6', owner: 'uplink' },
    { address: '192.0.2.1', owner: 'gateway' },
    { address: '10.96.0.10', owner: 'services' },
    { address: '10.244.0.9', owner: 'default-network' },
    { address: '172.30.0.11', owner: 'node' },
    { address: '100.88.0.3', owner: 'transit' },
    { address: '10.30.0.9', owner: 'advertised' },
    { address: '10.30.1.9', owner: undefined },
    { address: 'fd69::2', owner: 'masquerade' },
    { address: '169.254.0.2', owner: 'special' },
    { address: 'fe80::1', owner: 'special' },
    { address: '127.0.0.1', owner: 'special' },
    { address: '::1', owner: 'special' },
    { address: '::', owner: 'special' },
    { address: '0.0.0.0', owner: 'special' },
    { address: '224.0.0.18', owner: 'special' },
    { address: '255.255.255.255', owner: 'special' },
    { address: 'ff02::12', owner: 'special' },
  ])
    it(`${address} is ${owner ?? 'nobody’s'}`, () => {
      expect(ownerOfAddress(address, network, used, links)).to.equal(owner);
    });

  it('is not another tenant’s, whose pods are not reached by it, whatever subnets that one asks for', () => {
    expect(ownerOfAddress('10.30.0.9', network, used, noLinkAddresses)).to.equal(undefined);
  });
});
