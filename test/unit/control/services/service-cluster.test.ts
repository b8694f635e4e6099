import { expect } from 'chai';
import { ServiceCluster } from '../../../../src/control/services/service-cluster.ts';
import {
  ID_CLAIMS_NAME,
  OWN_DEFINITION_LABEL,
  PRIMARY_NETWORK_LABEL,
} from '../../../../src/domain/basics/conventions.ts';
import {
  type ClusterSnapshot,
  defaultSettings,
  emptyCluster,
  type NetworkAttachmentDefinition,
} from '../../../../src/domain/index.ts';
import { namespace, network, node } from '../../domain/brief-objects.ts';

const settings = { ...defaultSettings, providedNetworks: 'all' as const };

/** The NetworkAttachmentDefinition by which network blue is in namespace demo. */
const definition: NetworkAttachmentDefinition = {
  apiVersion: 'k8s.cni.cncf.io/v1',
  kind: 'NetworkAttachmentDefinition',
  metadata: {
    name: 'blue',
    namespace: 'demo',
    labels: { [OWN_DEFINITION_LABEL]: '' },
    ownerReferences: [
      { kind: 'ClusterUserDefinedNetwork', name: 'blue', uid: 'uid-blue', apiVersion: 'k8s.ovn.org/v1' },
    ],
  },
};

const blue = network('blue', { metadata: { uid: 'uid-blue' }, uplinks: undefined });

/** Namespace demo, which network blue selects and is in. */
const usual: ClusterSnapshot = {
  ...emptyCluster,
  nodes: [node('worker-a')],
  namespaces: [namespace('demo', { tenant: 'blue', [PRIMARY_NETWORK_LABEL]: '' })],
  clusterUserDefinedNetworks: [blue],
  networkAttachmentDefinitions: [definition],
  configMaps: [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: settings.namespace, name: ID_CLAIMS_NAME },
      data: { 'network-7': 'cluster_udn_blue uid-blue' },
    },
  ],
};

const unselected = [namespace('demo', { [PRIMARY_NETWORK_LABEL]: '' })];
const withoutLabel = [namespace('demo', { tenant: 'blue' })];
const unreadDefinition = [{ kind: 'networkAttachmentDefinitions' as const, namespace: 'demo', name: 'blue' }];

describe('the networks of the Services of a node', () => {
  let cluster: ServiceCluster;
  let changes: number;
  beforeEach(() => {
    cluster = new ServiceCluster('worker-a', settings);
    cluster.takeReport({ kind: 'ways', ways: [], held: [] });
    changes = 0;
    cluster.onChange(() => (changes += 1));
  });

  const found = () => {
    const decided = cluster.surroundings?.networkOf('demo');
    if (decided?.kind === 'ours') return `${decided.network.key} ${decided.networkId ?? 'without id'}`;
    return decided?.kind === 'undecided' ? decided.why : decided?.kind;
  };

  it('are not known before the first snapshot', () => {
    expect(found()).to.be.undefined;
  });

  // Where it is `none` the agent deletes the load balancers; where it is not decided they stay.
  for (const { where, after, expected } of [
    { where: 'the network selects the namespace', after: usual, expected: 'ClusterUserDefinedNetwork/blue 7' },
    {
      where: 'none does any more, and the network is there for its pods',
      after: { ...usual, namespaces: unselected },
      expected: 'left',
    },
    {
      where: 'none does any more, and the network has left',
      after: { ...usual, namespaces: unselected, networkAttachmentDefinitions: [] },
      expected: 'none',
    },
    {
      where: 'none does any more, and it cannot be read whether the network is there',
      after: { ...usual, namespaces: unselected, networkAttachmentDefinitions: [], unreadable: unreadDefinition },
      expected: 'unreadable',
    },
    {
      where: 'the namespace has lost its label for networks, and the network is there for its pods',
      after: { ...usual, namespaces: withoutLabel },
      expected: 'left',
    },
    {
      where: 'another network selects it, and the former one is there for its pods',
      after: {
        ...usual,
        clusterUserDefinedNetworks: [
          { ...blue, spec: { ...blue.spec, namespaceSelector: { matchLabels: { tenant: 'nobody' } } } },
          network('red', { namespaceSelector: { matchLabels: { tenant: 'blue' } }, uplinks: undefined }),
        ],
      },
      expected: 'left',
    },
    {
      where: 'a network of another implementation selects it too',
      after: {
        ...usual,
        clusterUserDefinedNetworks: [
          blue,
          network('green', {
            namespaceSelector: { matchLabels: { tenant: 'blue' } },
            network: { topology: 'Layer2', layer2: { role: 'Primary' } },
          }),
        ],
      },
      expected: 'several-networks',
    },
    {
      where: 'the network is being deleted',
      after: {
        ...usual,
        clusterUserDefinedNetworks: [
          { ...blue, metadata: { ...blue.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } },
        ],
      },
      expected: 'being-deleted',
    },
    {
      where: 'the network has no id',
      after: { ...usual, configMaps: [] },
      expected: 'ClusterUserDefinedNetwork/blue without id',
    },
    { where: 'the namespace is not known', after: { ...usual, namespaces: [] }, expected: 'unreadable' },
  ] satisfies readonly { where: string; after: ClusterSnapshot; expected: string }[])
    it(`are ${expected} where ${where}`, () => {
      cluster.update(usual);
      cluster.update(after);
      expect(found()).to.equal(expected);
    });

  it('are looked at again where something changes that they follow from, and then only', () => {
    cluster.update(usual);
    cluster.update({ ...usual, pods: [] });
    expect(changes).to.equal(1);
    cluster.update({ ...usual, networkAttachmentDefinitions: [] });
    expect(changes).to.equal(2);
  });
});
