import { expect } from 'chai';
import { tunnelMtuOf } from '../../../../src/domain/snapshot/tunnel-mtu.ts';
import { completeNode } from '../../../../src/testing/index.ts';

const links = [
  { name: 'eth0', mtu: 1500, addresses: [{ address: '172.30.0.2', prefixLength: 24 }] },
  {
    name: 'eth1',
    mtu: 9000,
    addresses: [
      { address: '172.31.0.2', prefixLength: 24 },
      { address: 'fc00::2', prefixLength: 64 },
    ],
  },
];

describe('the longest packet of a pod that fits through the tunnels of a node', () => {
  for (const [what, addresses, expected] of [
    ['is shorter than the MTU of the device by what IPv4 and Geneve add', '172.31.0.2', 'eth1 8942'],
    ['is shorter by 20 bytes more in IPv6', 'fc00:0::2', 'eth1 8922'],
    ['is that of the narrowest device', '172.31.0.2,172.30.0.2', 'eth0 1442'],
    ['is unknown where no device has the address', '172.32.0.2', undefined],
    ['is unknown without tunnels', undefined, undefined],
  ] as const) {
    it(what, () => {
      const switchExternalIds = addresses === undefined ? {} : { 'ovn-encap-ip': addresses };
      const found = tunnelMtuOf(completeNode({ nodeName: 'a', links, switchExternalIds }));
      expect(found && `${found.device} ${found.bytes}`).to.equal(expected);
    });
  }
});
