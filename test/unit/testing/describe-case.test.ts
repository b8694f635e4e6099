import { expect } from 'chai';
import { defaultSettings, emptyCluster } from '../../../src/domain/index.ts';
import { completeNode } from '../../../src/testing/brief-node.ts';
import { describeCase } from '../../../src/testing/describe-case.ts';
import { describeStory } from '../../../src/testing/describe-story.ts';

const namespace = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
const network = (name: string) => ({
  apiVersion: 'k8s.ovn.org/v1',
  kind: 'ClusterUserDefinedNetwork',
  metadata: { name },
  spec: { namespaceSelector: {}, network: { topology: 'Layer3' } },
});
const attachment = (name: string) => ({
  apiVersion: 'k8s.cni.cncf.io/v1',
  kind: 'NetworkAttachmentDefinition',
  metadata: { name, namespace: name },
});
const node = completeNode({ nodeName: 'a', links: [{ name: 'eth1', mtu: 9000 }] });

const cluster = {
  ...emptyCluster,
  clusterUserDefinedNetworks: [network('blue')],
  namespaces: [namespace('blue'), namespace('red')],
  networkAttachmentDefinitions: [attachment('blue'), attachment('red')],
};

describe('a printed case', () => {
  it('is the files of a folder, without unused objects', () => {
    const text = describeCase({ cluster, nodes: [node], settings: { ...defaultSettings, dynamicNetworks: true } });
    expect(text).to.equal(
      `
=== cluster.yaml
clusterUserDefinedNetworks: [ { name: blue, spec: { namespaceSelector: {}, network: { topology: Layer3 } } } ]
namespaces: [ { name: blue } ]
networkAttachmentDefinitions: [ { name: blue } ]
=== node.yaml
nodeName: a
links: [ { name: eth1, mtu: 9000 } ]
=== settings.yaml
dynamicNetworks: true`.trimStart(),
    );
  });

  it('has the beginning and the length of a very long name', () => {
    const text = describeCase({
      cluster: emptyCluster,
      nodes: [{ ...node, nodeName: 'a'.repeat(250) }],
      settings: defaultSettings,
    });
    expect(text).to.include('nodeName: aaaaaaaaaaaa…(250 characters)');
  });
});

describe('a printed story', () => {
  it('is the node and a file for each step, with the changes of others first', () => {
    const text = describeStory({
      node,
      settings: defaultSettings,
      steps: [{ cluster: emptyCluster, damage: 3 }, { cluster: { ...emptyCluster, namespaces: [namespace('red')] } }],
    });
    expect(text).to.equal(
      `
=== node.yaml
nodeName: a
links: [ { name: eth1, mtu: 9000 } ]
=== step-1.yaml
damage: 3
=== step-2.yaml
`.trimStart(),
    );
  });
});
