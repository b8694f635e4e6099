import { clusterNetwork, namespacedNetwork } from '../../../../src/domain/network/network.ts';
import { expect } from 'chai';
import type { Namespace } from '../../../../src/domain/api/namespace.ts';
import { PRIMARY_NETWORK_LABEL } from '../../../../src/domain/basics/conventions.ts';
import { networkOfPods } from '../../../../src/domain/pods/pod-network.ts';
import { namespace, network, type NetworkBrief, unclearSelector } from '../brief-objects.ts';

const labels = { tenant: 'blue', [PRIMARY_NETWORK_LABEL]: '' };
const blueNamespace = namespace('demo', labels);

const clusterWide = (name: string, brief: NetworkBrief = {}) =>
  clusterNetwork(network(name, { namespaceSelector: { matchLabels: { tenant: 'blue' } }, ...brief }), {
    providedNetworks: 'all',
    egress: 'none',
  });

const tenantOwn = (ofNamespace: string, name = 'own', role = 'Primary') =>
  namespacedNetwork(
    {
      apiVersion: 'k8s.ovn.org/v1',
      kind: 'UserDefinedNetwork',
      metadata: { namespace: ofNamespace, name },
      spec: { topology: 'Layer3', layer3: { role } },
    },
    { providedNetworks: 'all', egress: 'none' },
  );

const kindOf = (of: Namespace, ...networks: Parameters<typeof networkOfPods>[1]) => networkOfPods(of, networks).kind;

describe('the network of pods', () => {
  it('is the one that selects their namespace', () => {
    const blue = clusterWide('blue');
    const red = clusterWide('red', { namespaceSelector: { matchLabels: { tenant: 'red' } } });
    expect(networkOfPods(blueNamespace, [red, blue])).to.deep.equal({ kind: 'found', network: blue });
  });

  it('is the one in their namespace', () => {
    const own = tenantOwn('demo');
    expect(networkOfPods(blueNamespace, [own, tenantOwn('other')])).to.deep.equal({ kind: 'found', network: own });
  });

  it('is none without the label, whatever selects the namespace', () => {
    expect(kindOf(namespace('demo', { tenant: 'blue' }), clusterWide('blue'))).to.equal('label-missing');
  });

  it('is awaited with the label and without a network', () => {
    expect(kindOf(blueNamespace)).to.equal('none');
    expect(kindOf(blueNamespace, tenantOwn('other'))).to.equal('none');
  });

  it('is not decided between several, in any order', () => {
    const networks = [tenantOwn('demo'), clusterWide('blue')];
    const several = {
      kind: 'several',
      networks: ['ClusterUserDefinedNetwork/blue', 'UserDefinedNetwork/demo/own'],
    };
    expect(networkOfPods(blueNamespace, networks)).to.deep.equal(several);
    expect(networkOfPods(blueNamespace, networks.toReversed())).to.deep.equal(several);
  });

  it('is not a secondary one', () => {
    expect(kindOf(blueNamespace, tenantOwn('demo', 'own', 'Secondary'))).to.equal('none');
  });

  it('is none by a selector that is not understood, though others take it for everything', () => {
    expect(kindOf(blueNamespace, clusterWide('blue', { namespaceSelector: unclearSelector }))).to.equal('none');
    expect(kindOf(blueNamespace, clusterWide('blue', { namespaceSelector: {} }))).to.equal('found');
  });

  it('is none that is being deleted', () => {
    const blue = clusterWide('blue', { metadata: { deletionTimestamp: '2026-11-24T00:00:00Z' } });
    expect(networkOfPods(blueNamespace, [blue])).to.deep.equal({
      kind: 'being-deleted',
      network: 'ClusterUserDefinedNetwork/blue',
    });
  });

  it('is none that this version does not support', () => {
    const blue = clusterWide('blue', { network: { topology: 'Layer2', layer2: { role: 'Primary' } } });
    expect(networkOfPods(blueNamespace, [blue])).to.deep.equal({
      kind: 'unsupported',
      network: 'ClusterUserDefinedNetwork/blue',
      unsupported: { part: 'topology', found: 'Layer2' },
    });
  });
});
