import { expect } from 'chai';
import { explainNamespace } from '../../../../src/domain/explanation/explain-namespace.ts';
import { namespaceVerdictText } from '../../../../src/domain/explanation/namespace-verdict.ts';
import { type ClusterSnapshot, planCluster } from '../../../../src/domain/index.ts';
import { readScenario, scenarioNames } from '../../../scenarios/scenario-folders.ts';
import { labelled, namespace, unclearSelector } from '../brief-objects.ts';
import { factLines } from './situations.ts';
import { emptyProvidedCluster, provided, withNetwork } from './provided-cluster.ts';

function explained(cluster: ClusterSnapshot, name = 'demo', settings = provided) {
  const explanation = explainNamespace(cluster, settings, name);
  if (explanation === undefined) throw new Error(`unknown namespace ${name}`);
  return explanation;
}

function changesOf(cluster: ClusterSnapshot): readonly string[] {
  return explained(cluster).changes.map(({ change, verdict }) => `${change} → ${namespaceVerdictText(verdict)}`);
}

const askingLabel = { 'k8s.ovn.org/primary-user-defined-network': '' };

describe('the explanation of a namespace', () => {
  it('is of an existing namespace', () => {
    expect(explainNamespace(emptyProvidedCluster(), provided, 'other')).to.equal(undefined);
  });

  it('reports the facts in the order of the decision, each with its source', () => {
    const { verdict, facts } = explained(withNetwork());
    expect(verdict).to.deep.equal({ network: 'ClusterUserDefinedNetwork/blue' });
    expect(factLines({ facts })).to.deep.equal([
      'has the label k8s.ovn.org/primary-user-defined-network <- Namespace/demo',
      'ClusterUserDefinedNetwork/blue selects it (tenant=demo) <- ClusterUserDefinedNetwork/blue',
      '  has network id 1 <- ConfigMap/ovn-uplinks/ovn-uplinks-ids',
      '  is in the namespace <- NetworkAttachmentDefinition/demo/blue',
    ]);
  });

  it('reports without a network the labels of the namespace, and which would make a network select it', () => {
    const [blue] = withNetwork().clusterUserDefinedNetworks.map((each) => ({
      ...each,
      spec: { ...each.spec, namespaceSelector: labelled('tenant', 'blue') },
    }));
    const cluster = {
      ...withNetwork(),
      networkAttachmentDefinitions: [],
      clusterUserDefinedNetworks: blue === undefined ? [] : [blue],
      namespaces: [namespace('demo', { team: 'a' })],
    };
    expect(factLines(explained(cluster)).slice(1)).to.deep.equal([
      'no primary network selects it',
      '  labels of the namespace: team=a <- Namespace/demo',
    ]);
    expect(changesOf(cluster)).to.deep.equal([
      'with label tenant=blue → no primary network: NamespaceLabelMissing',
      'created with label k8s.ovn.org/primary-user-defined-network, tenant=blue → primary network ClusterUserDefinedNetwork/blue',
    ]);
  });

  it('reports a selector that cannot be evaluated, as the network may be for the namespace', () => {
    const { clusterUserDefinedNetworks, ...others } = withNetwork();
    const unclear = clusterUserDefinedNetworks.map((each) => ({
      ...each,
      spec: { ...each.spec, namespaceSelector: unclearSelector },
    }));
    const lines = factLines(
      explained({ ...others, clusterUserDefinedNetworks: unclear, networkAttachmentDefinitions: [] }),
    );
    expect(lines).to.include(
      'namespaceSelector of ClusterUserDefinedNetwork/blue: operator "Near" on key "rack" is not one of In, NotIn, Exists, DoesNotExist <- ClusterUserDefinedNetwork/blue',
    );
  });

  it('says of a network that another implementation provides that it does', () => {
    const { verdict } = explained(withNetwork(), 'demo', { ...provided, providedNetworks: 'with-uplinks' });
    expect(verdict).to.deep.equal({
      network: 'ClusterUserDefinedNetwork/blue',
      failure: { reason: 'NotProvided', message: 'another implementation provides it (--networks with-uplinks)' },
    });
  });

  it('says of a network whose selector was changed that it stays for the pods that are there', () => {
    const cluster = { ...withNetwork(), namespaces: [namespace('demo', askingLabel)] };
    const { verdict, facts } = explained(cluster);
    expect(verdict.failure?.reason).to.equal('NoNetwork');
    expect(factLines({ facts }).slice(1)).to.deep.equal([
      'ClusterUserDefinedNetwork/blue does not select it (tenant=demo) <- ClusterUserDefinedNetwork/blue',
      '  has network id 1 <- ConfigMap/ovn-uplinks/ovn-uplinks-ids',
      '  NoNetwork: it no longer selects the namespace, and stays until the last pod there has ended',
    ]);
  });

  it('says of a namespace that several networks select that new pods are not attached, though one of them is there', () => {
    const { cluster } = readScenario('provision/two-primary-networks-to-the-older-one');
    const { verdict, facts } = explained(cluster);
    expect(verdict).to.deep.equal({ network: 'ClusterUserDefinedNetwork/blue' });
    expect(factLines({ facts }).at(-1)).to.equal(
      'new pods are not attached: several primary networks select Namespace/demo: ClusterUserDefinedNetwork/blue, ClusterUserDefinedNetwork/red; change or delete all but one <- Namespace/demo',
    );
  });

  it('says of a namespace that has lost its label that new pods are not attached, though the network is there', () => {
    const { verdict, facts } = explained({ ...withNetwork(), namespaces: [namespace('demo', { tenant: 'demo' })] });
    expect(verdict).to.deep.equal({ network: 'ClusterUserDefinedNetwork/blue' });
    expect(factLines({ facts }).at(-1)).to.match(/^new pods are not attached: Namespace\/demo has no label /);
  });

  it('suggests no label that selects a network which is being deleted', () => {
    const [blue] = withNetwork().clusterUserDefinedNetworks;
    const metadata = { ...blue!.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' };
    const cluster = {
      ...withNetwork(),
      namespaces: [namespace('demo', askingLabel)],
      networkAttachmentDefinitions: [],
    };
    const isDeleted = { ...cluster, clusterUserDefinedNetworks: [{ ...blue!, metadata }] };
    expect(changesOf(cluster)).to.deep.equal([
      'with label tenant=demo → primary network ClusterUserDefinedNetwork/blue',
    ]);
    expect(changesOf(isDeleted)).to.deep.equal([]);
  });

  it('says of a namespace that is being deleted that nothing can be created in it', () => {
    const [demo] = withNetwork().namespaces;
    const namespaces =
      demo === undefined ? [] : [{ ...demo, metadata: { ...demo.metadata, deletionTimestamp: 'now' } }];
    const { verdict } = explained({ ...withNetwork(), namespaces });
    expect(verdict.failure?.reason).to.equal('NamespaceTerminating');
  });

  describe('names single changes that lead to another verdict, as planned', () => {
    const stories: Readonly<Record<string, readonly string[]>> = {
      'namespace-without-label-to-reported': [
        'created with label k8s.ovn.org/primary-user-defined-network → primary network ClusterUserDefinedNetwork/blue',
      ],
      'pods-before-the-network-to-reported': ['no pods in it → primary network ClusterUserDefinedNetwork/blue'],
      'definition-of-another-program-to-never-overwritten': [
        'no NetworkAttachmentDefinition/blue → primary network ClusterUserDefinedNetwork/blue',
      ],
      'two-primary-networks-to-the-older-one': [
        'no ClusterUserDefinedNetwork/blue → primary network ClusterUserDefinedNetwork/red',
      ],
      'layer2-to-unsupported': [],
    };
    for (const [story, changes] of Object.entries(stories)) {
      it(story.replaceAll('-', ' '), () => {
        expect(changesOf(readScenario(`provision/${story}`).cluster)).to.deep.equal(changes);
      });
    }
  });

  it('agrees with the plan on every namespace of the scenarios: the one network that it names is active there or added, and no other is', () => {
    let compared = 0;
    for (const scenario of scenarioNames().filter((name) => name.startsWith('provision/'))) {
      const { cluster, settings } = readScenario(scenario);
      const { provision } = planCluster(cluster, settings);
      for (const { metadata } of provision === undefined ? [] : cluster.namespaces) {
        const { verdict } = explained(cluster, metadata.name, settings);
        const added = provision?.definitions.filter((each) => each.metadata.namespace === metadata.name) ?? [];
        const owners = added.flatMap((each) => each.metadata.ownerReferences.map(({ uid }) => uid));
        const active = provision?.networks.filter(
          ({ activeNamespaces, uid = '' }) => activeNamespaces.includes(metadata.name) || owners.includes(uid),
        );
        const named = active?.find(({ kind, namespace: own, name }) =>
          [`${kind}/${name}`, `${kind}/${own ?? ''}/${name}`].includes(verdict.network ?? ''),
        );
        compared += 1;
        if (verdict.failure === undefined) expect(named, scenario).to.not.equal(undefined);
        else expect(added, scenario).to.deep.equal([]);
      }
    }
    expect(compared).to.be.above(25);
  });
});
