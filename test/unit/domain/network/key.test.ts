import { clusterNetwork, namespacedNetwork } from '../../../../src/domain/network/network.ts';
import { expect } from 'chai';
import {
  isNetworkKey,
  keyOfNetwork,
  keyOfNetworkName,
  nameOfNetwork,
  networkNameOfKey,
} from '../../../../src/domain/network/key.ts';
import { ownerOfPartKey, partKey } from '../../../../src/domain/network/part.ts';

describe('the key of a network', () => {
  const network = { topology: 'Layer3', layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }] } } as const;
  const rows = [
    [
      'ClusterUserDefinedNetwork/blue',
      'blue',
      clusterNetwork(
        {
          apiVersion: 'k8s.ovn.org/v1',
          kind: 'ClusterUserDefinedNetwork',
          metadata: { name: 'blue' },
          spec: { namespaceSelector: {}, network },
        },
        { providedNetworks: 'none', egress: 'none' },
      ),
    ],
    [
      'UserDefinedNetwork/demo/red.x-y',
      'demo/red.x-y',
      namespacedNetwork(
        {
          apiVersion: 'k8s.ovn.org/v1',
          kind: 'UserDefinedNetwork',
          metadata: { namespace: 'demo', name: 'red.x-y' },
          spec: network,
        },
        { providedNetworks: 'none', egress: 'none' },
      ),
    ],
  ] as const;

  for (const [key, name, object] of rows) {
    it(`is ${key} for the network that people name ${name}, from its object and from its name in OVN`, () => {
      expect(keyOfNetwork(object)).to.equal(key);
      expect(keyOfNetworkName(object.networkName)).to.equal(key);
      expect(networkNameOfKey(key)).to.equal(object.networkName);
      expect(nameOfNetwork(key)).to.equal(name);
      expect(isNetworkKey(key)).to.be.true;
      expect(ownerOfPartKey(partKey({ network: key, part: 'uplink' }))).to.deep.equal({ network: key, part: 'uplink' });
    });
  }

  it('is not that of a network of another implementation', () => {
    for (const name of ['physnet', '', 'a_b_c', 'x_']) expect(keyOfNetworkName(name)).to.be.undefined;
  });

  it('has a kind, and a namespace where its kind has one', () => {
    const others = ['blue', 'demo/blue', 'UserDefinedNetwork/blue', 'ClusterUserDefinedNetwork/', 'Node/a'];
    for (const text of others) expect(isNetworkKey(text), text).to.be.false;
  });
});
