import { clusterNetworkKey, nameOfNetwork } from '../../../../src/domain/network/key.ts';
import { ownerKey } from '../../../../src/domain/dataplane/owner.ts';
import { uplinkOwner } from '../../../../src/domain/dataplane/owner.ts';
import { expect } from 'chai';
import type { NetworkDatapath } from '../../../../src/domain/dataplane/network-datapath.ts';
import type { Owner } from '../../../../src/domain/index.ts';
import { networksOfOwners } from '../../../../src/domain/plan/node-dataplane.ts';
import { dataplane, nodeOf } from '../diff/plans.ts';

const macAddress = '0a:00:00:00:00:06';

/** A datapath of no address. */
const datapath: NetworkDatapath = {
  router: {
    networkName: 'cluster_udn_blue',
    node: 'a',
    nodeId: 2,
    inside: 'join-switch',
    chassis: 'chassis-a',
    bridge: 'br-one',
    macAddress,
    mtu: 1400,
    isAdvertised: false,
    families: {},
  },
  uplink: { uplink: 'first', hostPort: 'LOCAL', macAddress, addresses: {} },
  gateways: [],
  network: {
    network: clusterNetworkKey('blue'),
    networkId: 7,
    patchPort: 'patch',
    masqueradeAddresses: {},
    advertisedSubnets: {},
  },
  hostInterface: 'br-one',
  physicalPort: 'eth1',
};

describe('the networks of the owners of an entity', () => {
  const node = nodeOf();
  const programmed = [
    { ...dataplane(node), datapath, network: clusterNetworkKey('blue'), uplink: 'first', bridge: 'br-one' },
    { ...dataplane(node), datapath, network: clusterNetworkKey('green'), uplink: 'second', bridge: 'br-one' },
    { ...dataplane(node), datapath, network: clusterNetworkKey('red'), uplink: 'third', bridge: 'br-two' },
    { ...dataplane(node), network: clusterNetworkKey('without-datapath'), uplink: 'first', bridge: 'br-one' },
  ];
  const rows: readonly (readonly [owners: readonly Owner[], networks: readonly string[]])[] = [
    [[], []],
    [[uplinkOwner(clusterNetworkKey('blue'))], ['blue']],
    [[uplinkOwner(clusterNetworkKey('without-datapath'))], ['without-datapath']],
    [[{ kind: 'bridge', name: 'br-one' }], ['blue', 'green']],
    [[{ kind: 'uplink', name: 'first' }], ['blue']],
    [[{ kind: 'uplink', name: 'second' }], ['green']],
    [
      [{ kind: 'uplink', name: 'third' }, uplinkOwner(clusterNetworkKey('red')), { kind: 'bridge', name: 'br-one' }],
      ['blue', 'green', 'red'],
    ],
    [[{ kind: 'bridge', name: 'blue' }], []],
    [[{ kind: 'uplink', name: 'br-one' }], []],
  ];
  for (const [owners, networks] of rows) {
    const names = owners.map(ownerKey);
    it(`are ${networks.join(', ') || 'none'} for ${names.join(', ') || 'no owner'}`, () => {
      expect(networksOfOwners(owners, programmed).networks.map(nameOfNetwork)).to.deep.equal(networks);
    });
  }
});
