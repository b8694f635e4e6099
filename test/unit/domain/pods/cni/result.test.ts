import { expect } from 'chai';
import { type AttachedInterface, resultText } from '../../../../../src/domain/pods/cni/result.ts';
import { CNI_VERSIONS } from '../../../../../src/domain/pods/cni/versions.ts';

const attached: AttachedInterface = {
  ifname: 'net1',
  netns: '/run/netns/web',
  gateways: ['10.20.1.1', 'fd20:0:0:1::1'],
  podInterface: {
    hostInterface: 'ovu0123456789ab',
    mac: '0a:58:0a:14:01:03',
    mtu: 1400,
    alias: 'ovn-uplinks:cluster_udn_blue',
    addresses: ['10.20.1.3/24', 'fd20:0:0:1::3/64'],
    routes: [
      { destination: '10.96.0.0/16', gateway: '10.244.0.1', interface: 'eth0' },
      { destination: '0.0.0.0/0', gateway: '10.20.1.1', interface: '' },
      { destination: '::/0', gateway: 'fd20:0:0:1::1', interface: '' },
    ],
    answers: [],
    ipv6Settings: {},
  },
};

const parsed = (...input: Parameters<typeof resultText>): unknown => JSON.parse(resultText(...input));

const routes = [
  { dst: '0.0.0.0/0', gw: '10.20.1.1' },
  { dst: '::/0', gw: 'fd20:0:0:1::1' },
];

describe('the result of ADD', () => {
  it('has the interfaces, addresses and routes', () => {
    expect(parsed(attached, '1.0.0')).to.deep.equal({
      cniVersion: '1.0.0',
      interfaces: [{ name: 'ovu0123456789ab' }, { name: 'net1', mac: '0a:58:0a:14:01:03', sandbox: '/run/netns/web' }],
      ips: [
        { address: '10.20.1.3/24', gateway: '10.20.1.1', interface: 1 },
        { address: 'fd20:0:0:1::3/64', gateway: 'fd20:0:0:1::1', interface: 1 },
      ],
      routes,
      dns: {},
    });
  });

  it('has the version of each address until 0.4.0, and the MTU from 1.1.0 on', () => {
    const fields = CNI_VERSIONS.map((version) => {
      const { ips, interfaces } = parsed(attached, version) as {
        readonly ips: readonly { readonly version?: string }[];
        readonly interfaces: readonly { readonly mtu?: number }[];
      };
      return [version, ips.map((ip) => ip.version), interfaces.map(({ mtu }) => mtu)];
    });
    expect(fields).to.deep.equal([
      ['0.3.1', ['4', '6'], [undefined, undefined]],
      ['0.4.0', ['4', '6'], [undefined, undefined]],
      ['1.0.0', [undefined, undefined], [undefined, undefined]],
      ['1.1.0', [undefined, undefined], [1400, 1400]],
    ]);
  });

  it('comes behind that of earlier plugins, with everything that they said', () => {
    const previous = {
      cniVersion: '1.0.0',
      interfaces: [{ name: 'veth0' }, { name: 'eth0', sandbox: '/run/netns/web' }],
      ips: [{ address: '10.244.0.3/24', interface: 1 }],
      routes: [{ dst: '10.244.0.0/16' }],
      dns: { nameservers: ['10.96.0.10'] },
    };
    const result = parsed(attached, '1.0.0', previous) as typeof previous;
    expect(result.interfaces.map(({ name }) => name)).to.deep.equal(['veth0', 'eth0', 'ovu0123456789ab', 'net1']);
    expect(result.ips.map((ip) => ip.interface)).to.deep.equal([1, 3, 3]);
    expect(result.routes).to.deep.equal([{ dst: '10.244.0.0/16' }, ...routes]);
    expect(result.dns).to.deep.equal({ nameservers: ['10.96.0.10'] });
  });
});
