import { expect } from 'chai';
import { emptyCluster } from '../../../src/domain/index.ts';
import { type BriefCluster, briefClusterOf, completeObjects } from '../../../src/testing/brief-cluster.ts';
import { caseOf } from '../../scenarios/folder-texts.ts';

const network = {
  apiVersion: 'k8s.ovn.org/v1',
  kind: 'ClusterUserDefinedNetwork',
  metadata: { name: 'blue' },
  spec: {
    namespaceSelector: { matchLabels: { tenant: 'blue' } },
    network: { topology: 'Layer3', layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }] } },
  },
};
const definition = {
  apiVersion: 'k8s.cni.cncf.io/v1',
  kind: 'NetworkAttachmentDefinition',
  metadata: { name: 'blue', namespace: 'blue' },
};
const numbered = { 'k8s.ovn.org/network-name': 'cluster_udn_blue', 'k8s.ovn.org/network-id': '7' };

/** Objects in short form, and whole. */
const objects: readonly (readonly [says: string, brief: BriefCluster, object: object])[] = [
  ['a network with usual subnets', { clusterUserDefinedNetworks: [{ name: 'blue' }] }, network],
  [
    'a network with other subnets and labels',
    {
      clusterUserDefinedNetworks: [
        { name: 'blue', labels: { a: 'b' }, subnets: ['10.30.0.0/16', { cidr: '10.31.0.0/16', hostSubnet: 26 }] },
      ],
    },
    {
      ...network,
      metadata: { name: 'blue', labels: { a: 'b' } },
      spec: {
        ...network.spec,
        network: {
          topology: 'Layer3',
          layer3: {
            role: 'Primary',
            subnets: [{ cidr: '10.30.0.0/16' }, { cidr: '10.31.0.0/16', hostSubnet: 26 }],
          },
        },
      },
    },
  ],
  [
    'a network of another kind',
    {
      clusterUserDefinedNetworks: [{ name: 'blue', spec: { namespaceSelector: {}, network: { topology: 'Layer2' } } }],
    },
    { ...network, spec: { namespaceSelector: {}, network: { topology: 'Layer2' } } },
  ],
  ['a definition without annotations', { networkAttachmentDefinitions: [{ name: 'blue' }] }, definition],
  [
    'a definition with an id',
    { networkAttachmentDefinitions: [{ name: 'blue', networkId: 7 }] },
    { ...definition, metadata: { ...definition.metadata, annotations: numbered } },
  ],
  [
    'a definition with more annotations, of another namespace',
    {
      networkAttachmentDefinitions: [{ name: 'blue', namespace: 'demo', annotations: { ...numbered, a: 'b' } }],
    },
    { ...definition, metadata: { name: 'blue', namespace: 'demo', annotations: { ...numbered, a: 'b' } } },
  ],
];

describe('a brief cluster', () => {
  for (const [says, brief, object] of objects) {
    it(`has ${says}`, () => {
      expect(completeObjects(brief)).to.deep.equal([object]);
      const [key = ''] = Object.keys(brief);
      expect(briefClusterOf({ ...emptyCluster, [key]: [object] })).to.deep.equal(brief);
    });
  }

  it('has no field beside an abbreviation of it', () => {
    expect(() => completeObjects({ uplinks: [{ name: 'blue', hostInterfaceName: 'br-blue', spec: {} }] })).to.throw(
      'Uplink blue has hostInterfaceName and spec: expected one of them',
    );
  });

  it('has no lists but those of kinds that are read', () => {
    expect(() => caseOf({ 'cluster.yaml': 'networks: [ { name: blue } ]\n' })).to.throw(
      'cluster.yaml: no kind has the list networks',
    );
  });
});
