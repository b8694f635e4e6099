import { expect } from 'chai';
import { missingServiceSource, wantedRoutes } from '../../../../src/domain/dataplane/routes.ts';
import type { BriefLink } from '../../../../src/testing/index.ts';
import {
  corporateVrf,
  dataplaneInput,
  defaultBridge,
  domains,
  hostInterface,
  type InputBrief,
  managementPort,
  routeLine,
} from './dataplane-input.ts';

const linesOf = (brief: InputBrief) => wantedRoutes(dataplaneInput(brief)).map(routeLine);
const defaultLines = (brief: InputBrief) =>
  linesOf(brief).filter((line) => line.startsWith('0.0.0.0/0') || line.startsWith('::/0'));
const serviceLines = (brief: InputBrief) => linesOf(brief).filter((line) => line.includes(' src '));

describe("the default route of a network's table", () => {
  it('is by the gateway of each family of the network', () => {
    const defaultGateways = ['192.0.2.1', '2001:db8:b::1'];
    const ipv4 = '0.0.0.0/0 via 192.0.2.1 dev br-blue {"mtu":1400} table 1012 proto 94';
    const ipv6 = '::/0 via 2001:db8:b::1 dev br-blue metric 1024 {"mtu":1400} table 1012 proto 94';
    expect(defaultLines({ defaultGateways })).to.deep.equal([ipv4, ipv6]);
    expect(defaultLines({ defaultGateways, families: [4] })).to.deep.equal([ipv4]);
    expect(defaultLines({ defaultGateways, families: [6] })).to.deep.equal([ipv6]);
  });

  it('does not exist without a gateway of the family', () => {
    expect(defaultLines({ defaultGateways: [] })).to.deep.equal([]);
    expect(defaultLines({ defaultGateways: ['192.0.2.1'], families: [6] })).to.deep.equal([]);
    expect(linesOf({ defaultGateways: [], families: [4], serviceCidrs: [] })).to.deep.equal([
      'unreachable 0.0.0.0/0 metric 4278198272 table 1012 proto 94',
    ]);
  });

  it('is one multipath route if there are several gateways, in a fixed order', () => {
    const defaultGateways = ['192.0.2.9', '192.0.2.1', '2001:db8:b::1', 'fe80::1'];
    expect(defaultLines({ defaultGateways })).to.deep.equal([
      '0.0.0.0/0 via 192.0.2.1 dev br-blue, via 192.0.2.9 dev br-blue {"mtu":1400} table 1012 proto 94',
      '::/0 via 2001:db8:b::1 dev br-blue, via fe80::1 dev br-blue metric 1024 {"mtu":1400} table 1012 proto 94',
    ]);
  });

  it('is onlink for a gateway outside of the subnets of the interface', () => {
    const defaultGateways = ['198.51.100.1', '192.0.2.1', '2001:db8:c::1', 'fe80::1', '2001:db8:b::1'];
    expect(defaultLines({ defaultGateways })).to.deep.equal([
      '0.0.0.0/0 via 192.0.2.1 dev br-blue, via 198.51.100.1 dev br-blue onlink {"mtu":1400} table 1012 proto 94',
      '::/0 via 2001:db8:b::1 dev br-blue, via 2001:db8:c::1 dev br-blue onlink, via fe80::1 dev br-blue metric 1024 {"mtu":1400} table 1012 proto 94',
    ]);
  });

  it('is onlink for an IPv4 link-local gateway if the interface has no such address', () => {
    expect(defaultLines({ defaultGateways: ['169.254.200.1'], families: [4] })).to.deep.equal([
      '0.0.0.0/0 via 169.254.200.1 dev br-blue onlink {"mtu":1400} table 1012 proto 94',
    ]);
  });

  it('is not onlink for a gateway in the subnet of any address of the interface', () => {
    const links = [
      managementPort,
      { name: 'br-blue', addresses: [...hostInterface.addresses!, { address: '198.51.100.6', prefixLength: 24 }] },
    ];
    expect(defaultLines({ defaultGateways: ['198.51.100.1'], node: { links } })[0]).not.to.contain('onlink');
    const other = { name: 'eth9', addresses: [{ address: '198.51.100.6', prefixLength: 24 }] };
    expect(
      defaultLines({ defaultGateways: ['198.51.100.1'], node: { links: [managementPort, hostInterface, other] } })[0],
      'of another interface',
    ).to.contain('onlink');
  });

  it('has the MTU of the network', () => {
    expect(defaultLines({ defaultGateways: ['192.0.2.1'], mtu: 8900, families: [4] })).to.deep.equal([
      '0.0.0.0/0 via 192.0.2.1 dev br-blue {"mtu":8900} table 1012 proto 94',
    ]);
  });

  for (const where of ['its own VRF', 'another existing VRF'] as const) {
    it(`is not managed in ${where}: the administrator's is restored there`, () => {
      expect(defaultLines({ defaultGateways: ['192.0.2.1', 'fe80::1'], domain: domains[where] })).to.deep.equal([]);
    });
  }
});

describe('the fallback route', () => {
  it('is not added to the VRF of others', () => {
    expect(linesOf({ domain: domains['another existing VRF'], serviceCidrs: [] })).to.deep.equal([]);
  });

  for (const where of ['the default routing domain', 'its own VRF'] as const) {
    it(`exists for each address family of the network in ${where}`, () => {
      const domain = domains[where];
      for (const [families, destinations] of [
        [[4], ['0.0.0.0/0']],
        [[6], ['::/0']],
        [
          [4, 6],
          ['0.0.0.0/0', '::/0'],
        ],
      ] as const) {
        const lines = linesOf({ families, domain, serviceCidrs: [], defaultGateways: [] });
        expect(lines).to.deep.equal(
          destinations.map((destination) => `unreachable ${destination} metric 4278198272 table 1012 proto 94`),
        );
      }
    });
  }
});

describe('the routes to services', () => {
  it("exist for each service subnet of the network's families", () => {
    const serviceCidrs = ['10.96.0.0/16', '10.97.0.0/20', 'fd00:10:96::/112', 'fd00:10:97::/112'];
    expect(serviceLines({ serviceCidrs })).to.deep.equal([
      '10.96.0.0/16 via 169.254.0.4 dev br-blue onlink src 169.254.0.2 table 1012 proto 94',
      '10.97.0.0/20 via 169.254.0.4 dev br-blue onlink src 169.254.0.2 table 1012 proto 94',
      'fd00:10:96::/112 via fe80::858:a9ff:fefe:4 dev br-blue src fd69::2 metric 1024 table 1012 proto 94',
      'fd00:10:97::/112 via fe80::858:a9ff:fefe:4 dev br-blue src fd69::2 metric 1024 table 1012 proto 94',
    ]);
    expect(serviceLines({ serviceCidrs, families: [6] }).every((line) => line.startsWith('fd00:'))).to.be.true;
  });

  it('have destinations as the kernel prints them, and skip what is not a subnet', () => {
    const lines = serviceLines({ serviceCidrs: ['10.96.3.4/16', 'FD00:10:96:0:0::7/112', '10.96.0.0', 'none'] });
    expect(lines.map((line) => line.split(' ', 1)[0])).to.deep.equal(['10.96.0.0/16', 'fd00:10:96::/112']);
  });

  it('are in the configured masquerade subnets', () => {
    const links = [
      managementPort,
      {
        name: 'br-ex',
        addresses: [
          { address: '100.64.128.2', prefixLength: 17 },
          { address: 'fd77::2', prefixLength: 112 },
        ],
      },
    ];
    expect(serviceLines({ masqueradeSubnets: ['100.64.128.0/17', 'fd77::/112'], node: { links } })).to.deep.equal([
      '10.96.0.0/16 via 100.64.128.4 dev br-blue onlink src 100.64.128.2 table 1012 proto 94',
      'fd00:10:96::/112 via fe80::858:64ff:fe40:8004 dev br-blue src fd77::2 metric 1024 table 1012 proto 94',
    ]);
  });

  it('are none without a masquerade subnet of the family, or without any of IPv4', () => {
    expect(serviceLines({ masqueradeSubnets: ['169.254.0.0/17'] })).to.have.length(1);
    expect(serviceLines({ masqueradeSubnets: ['fd69::/112'] })).to.deep.equal([]);
  });

  it('wait in the default domain until OVN-Kubernetes has added the host address to a device', () => {
    const bare = { links: [hostInterface, managementPort] };
    expect(serviceLines({ node: bare })).to.deep.equal([]);
    const ipv4Only = {
      links: [hostInterface, managementPort, { ...defaultBridge, addresses: defaultBridge.addresses!.slice(0, 1) }],
    };
    expect(serviceLines({ node: ipv4Only }).map((line) => line.split(' ', 1)[0])).to.deep.equal(['10.96.0.0/16']);
  });

  it('wait also if only a VRF has the host address, which other tables do not know', () => {
    const addresses = defaultBridge.addresses!;
    const vrf: BriefLink = { name: 'red', kind: 'vrf', vrfTable: 1013 };
    expect(
      serviceLines({ node: { links: [hostInterface, managementPort, { ...vrf, addresses }] } }),
      'a VRF device',
    ).to.deep.equal([]);
    const slave = { ...defaultBridge, master: 'red' };
    expect(
      serviceLines({ node: { links: [hostInterface, managementPort, vrf, slave] } }),
      'a device in a VRF',
    ).to.deep.equal([]);
    const bridged = { ...defaultBridge, master: 'bond0' };
    const bond = { name: 'bond0', kind: 'bond' };
    expect(
      serviceLines({ node: { links: [hostInterface, managementPort, bond, bridged] } }),
      'another slave',
    ).to.have.length(2);
  });

  it('do not wait in a VRF, whose device is given the address', () => {
    const bare = { links: [hostInterface, managementPort, corporateVrf] };
    expect(serviceLines({ node: bare, domain: domains['its own VRF'] })).to.have.length(2);
    expect(serviceLines({ node: bare, domain: domains['another existing VRF'] })).to.have.length(2);
  });
});

describe('the host address that service routes wait for', () => {
  const bare = { links: [hostInterface, managementPort] };

  it('is the first one that no device has', () => {
    expect(missingServiceSource(dataplaneInput({ node: bare }))).to.equal('169.254.0.2');
    expect(missingServiceSource(dataplaneInput({ node: bare, families: [6] }))).to.equal('fd69::2');
    const ipv4Only = { links: [managementPort, { ...defaultBridge, addresses: defaultBridge.addresses!.slice(0, 1) }] };
    expect(missingServiceSource(dataplaneInput({ node: ipv4Only }))).to.equal('fd69::2');
  });

  it('is none if they exist, and none in a VRF', () => {
    expect(missingServiceSource(dataplaneInput())).to.be.undefined;
    expect(missingServiceSource(dataplaneInput({ node: bare, domain: domains['its own VRF'] }))).to.be.undefined;
  });
});
