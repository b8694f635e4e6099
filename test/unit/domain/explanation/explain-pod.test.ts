import { expect } from 'chai';
import { explainPod, podVerdictText } from '../../../../src/domain/explanation/explain-pod.ts';
import type { ClusterSnapshot, Pod } from '../../../../src/domain/index.ts';
import { node, pod } from '../brief-objects.ts';
import { emptyProvidedCluster, provided, withNetwork } from './provided-cluster.ts';
import { factLines } from './situations.ts';

const attached = {
  metadata: {
    namespace: 'demo',
    name: 'web',
    annotations: { 'k8s.ovn.org/pod-networks': '{"demo/blue":{"ip_addresses":["10.20.0.5/24"]}}' },
  },
};

function explained(brief: Partial<Pod> = {}, cluster: ClusterSnapshot = withNetwork()) {
  const explanation = explainPod({ ...cluster, pods: [pod('web', 'demo', 'a', brief)] }, provided, 'demo', 'web');
  if (explanation === undefined) throw new Error('unknown pod');
  return explanation;
}

describe('the explanation of a pod', () => {
  it('is of an existing pod', () => {
    expect(explainPod(withNetwork(), provided, 'demo', 'web')).to.equal(undefined);
  });

  it('reports the facts from its node to its addresses, each with its source', () => {
    const { verdict, facts } = explained(attached);
    expect(podVerdictText(verdict)).to.equal('10.20.0.5 in ClusterUserDefinedNetwork/blue');
    expect(factLines({ facts })).to.deep.equal([
      'runs on a <- Pod/demo/web',
      'namespace demo: primary network ClusterUserDefinedNetwork/blue',
      '  has the label k8s.ovn.org/primary-user-defined-network <- Namespace/demo',
      '  ClusterUserDefinedNetwork/blue selects it (tenant=demo) <- ClusterUserDefinedNetwork/blue',
      '    has network id 1 <- ConfigMap/ovn-uplinks/ovn-uplinks-ids',
      '    is in the namespace <- NetworkAttachmentDefinition/demo/blue',
      'a has id 2, so its subnets are 10.20.0.0/24 <- Node/a, ClusterUserDefinedNetwork/blue',
      'has 10.20.0.5 in demo/blue <- Pod/demo/web',
    ]);
  });

  const nodeWith = (id: string | undefined, subnets?: string): Partial<ClusterSnapshot> => ({
    nodes: [
      node('a', {
        annotations: {
          ...(id !== undefined && { 'k8s.ovn.org/node-id': id }),
          ...(subnets !== undefined && { 'k8s.ovn.org/node-subnets': subnets }),
        },
      }),
    ],
  });

  interface Story {
    readonly pod?: Partial<Pod>;
    readonly cluster?: ClusterSnapshot;
    readonly verdict: string;
    readonly fact: string;
  }

  const stories: Readonly<Record<string, Story>> = {
    'in the host network': {
      pod: { spec: { nodeName: 'a', hostNetwork: true } },
      verdict: 'no address: HostNetwork',
      fact: 'uses the network of its node, and has no address of its own <- Pod/demo/web',
    },
    'not scheduled': {
      pod: { spec: {} },
      verdict: 'no address: NotScheduled',
      fact: 'is not scheduled to a node yet <- Pod/demo/web',
    },
    'that has ended': {
      pod: { status: { phase: 'Failed' } },
      verdict: 'no address: NotRunning',
      fact: 'has ended: its phase is Failed <- Pod/demo/web',
    },
    'on a node that does not exist': {
      pod: { spec: { nodeName: 'b' } },
      verdict: 'no address: NodeNotFound',
      fact: 'is scheduled to Node b, which does not exist <- Pod/demo/web',
    },
    'in a namespace without a network': {
      cluster: emptyProvidedCluster(),
      verdict: 'no address: NoNetwork',
      fact: '  no primary network selects it',
    },
    'in a namespace that does not exist': {
      cluster: { ...withNetwork(), namespaces: [] },
      verdict: 'no address: NoNetwork',
      fact: 'Namespace demo does not exist',
    },
    'that was there before the network': {
      cluster: { ...withNetwork(), networkAttachmentDefinitions: [] },
      verdict: 'no address in ClusterUserDefinedNetwork/blue: PodsExist',
      fact: '    PodsExist: it already has pods: web',
    },
    'on a node without an id': {
      cluster: { ...withNetwork(), ...nodeWith(undefined) },
      verdict: 'no address in ClusterUserDefinedNetwork/blue: NodeIdMissing',
      fact: 'a has no id yet (annotation k8s.ovn.org/node-id) <- Node/a',
    },
    'on a node for which no subnet is left': {
      cluster: { ...withNetwork(), ...nodeWith('4') },
      verdict: 'no address in ClusterUserDefinedNetwork/blue: NoSubnet',
      fact: 'a has id 4, and the network has no subnet left for it <- Node/a, ClusterUserDefinedNetwork/blue',
    },
    'on a node whose subnets another implementation has allocated': {
      cluster: { ...withNetwork(), ...nodeWith('4', '{"cluster_udn_blue":["10.20.7.0/24"]}') },
      verdict: 'no address in ClusterUserDefinedNetwork/blue: NotAttached',
      fact: 'a has subnets 10.20.7.0/24 of the network <- Node/a, ClusterUserDefinedNetwork/blue',
    },
    'that is not attached yet': {
      verdict: 'no address in ClusterUserDefinedNetwork/blue: NotAttached',
      fact: 'annotation k8s.ovn.org/pod-networks has no addresses in demo/blue: the agent of the node has not attached the pod <- Pod/demo/web',
    },
  };
  for (const [which, story] of Object.entries(stories)) {
    it(`reports why a pod ${which} has no address`, () => {
      const { verdict, facts } = explained(story.pod, story.cluster);
      expect(podVerdictText(verdict)).to.equal(story.verdict);
      expect(factLines({ facts })).to.include(story.fact);
    });
  }
});
