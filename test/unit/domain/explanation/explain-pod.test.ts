import { expect } from 'chai';
import { explainPod, podVerdictText } from '../../../../src/domain/explanation/explain-pod.ts';
import type { ClusterSnapshot, Pod } from '../../../../src/domain/index.ts';
import { namespace, network, node, pod } from '../brief-objects.ts';
import { emptyProvidedCluster, provided, withNetwork, withReport } from './provided-cluster.ts';
import { factLines } from './situations.ts';

const attachedWith = (more: string) => ({
  metadata: {
    namespace: 'demo',
    name: 'web',
    annotations: { 'k8s.ovn.org/pod-networks': `{"demo/blue":{"ip_addresses":["10.20.0.5/24"]${more}}}` },
  },
});

const attached = attachedWith(',"default_services":["10.96.0.1","10.96.0.10"]');

function explained(brief: Partial<Pod> = {}, cluster: ClusterSnapshot = withNetwork()) {
  const pods = [pod('web', 'demo', 'a', brief), ...cluster.pods];
  const explanation = explainPod({ ...cluster, pods }, provided, 'demo', 'web');
  if (explanation === undefined) throw new Error('unknown pod');
  return explanation;
}

/** The claims of network `blue` and of nodes. */
const claiming = (nodes: Readonly<Record<string, string>>) => ({
  configMaps: withNetwork().configMaps.map((each) => ({
    ...each,
    data: { 'network-1': 'cluster_udn_blue uid-blue', ...nodes },
  })),
});

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
      'reaches 10.96.0.1, 10.96.0.10 by the default network <- Pod/demo/web',
    ]);
  });

  const service = (inNamespace: string, name: string, address: string) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: inNamespace, name },
    spec: { clusterIPs: [address], ports: [{ port: 53 }] },
  });
  const withDns = (address: string) => ({
    ...withNetwork(),
    services: [service('default', 'kubernetes', '10.96.0.1'), service('kube-system', 'kube-dns', address)],
  });
  const servicesOf = (brief: Partial<Pod>, cluster: ClusterSnapshot) =>
    explained(brief, cluster)
      .facts.map(({ text }) => text)
      .filter((text) => text.includes('default network'));

  it('reports the Services that it reaches by the default network, and those that new pods reach where these are others', () => {
    expect(servicesOf(attached, withDns('10.96.0.10'))).to.deep.equal([
      'reaches 10.96.0.1, 10.96.0.10 by the default network',
    ]);
    expect(servicesOf(attached, withDns('10.96.0.99'))).to.deep.equal([
      'reaches 10.96.0.1, 10.96.0.10 by the default network as long as it runs, where new pods reach 10.96.0.1, 10.96.0.99: Services or settings have changed since; create it again if it needs them',
    ]);
    expect(servicesOf(attachedWith(',"default_services":[]'), withDns('10.96.0.10')).join()).to.match(
      /^reaches no Service by the default network as long as it runs, where new pods reach 10\.96\.0\.1, 10\.96\.0\.10:/,
    );
  });

  it('reports that an older version has attached it, so that no Service of its network is reached', () => {
    expect(servicesOf(attachedWith(''), withDns('10.96.0.10'))).to.deep.equal([
      'was attached by an older version: it reaches no Service of its network, as addresses of all Services lead to the default network; create it again',
    ]);
  });

  it('reports the ports that it opens in the default network, and what is wrong with the others', () => {
    const annotations = {
      ...attached.metadata.annotations,
      'k8s.ovn.org/open-default-ports':
        '[{protocol: tcp, port: 443}, {protocol: tcp, port: 80}, {protocol: udp, port: 53}]',
    };
    const { facts } = explained({ metadata: { ...attached.metadata, annotations } });
    expect(factLines({ facts }).slice(-2)).to.deep.equal([
      'opens tcp 80, 443 in the default network <- Pod/demo/web',
      'annotation k8s.ovn.org/open-default-ports: [2].protocol: expected tcp or sctp, found udp, which would let the pod send anywhere <- Pod/demo/web',
    ]);
  });

  const [blue] = withNetwork().clusterUserDefinedNetworks;
  const stillAttached: Readonly<Record<string, Partial<ClusterSnapshot>>> = {
    'whose network is being deleted': {
      clusterUserDefinedNetworks: [
        { ...blue!, metadata: { ...blue!.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } },
      ],
    },
    'whose network no longer selects its namespace': {
      namespaces: [namespace('demo', { 'k8s.ovn.org/primary-user-defined-network': '' })],
    },
    'whose namespace has lost its label': { namespaces: [namespace('demo', { tenant: 'demo' })] },
  };
  for (const [which, objects] of Object.entries(stillAttached)) {
    it(`reports the addresses of a pod ${which}, and why new pods get none`, () => {
      const { verdict, facts } = explained(attached, { ...withNetwork(), ...objects });
      expect(podVerdictText(verdict)).to.equal('10.20.0.5 in ClusterUserDefinedNetwork/blue');
      expect(factLines({ facts })).to.include('has 10.20.0.5 in demo/blue <- Pod/demo/web');
      expect(facts.map(({ text }) => text).join()).to.match(
        /namespace demo: no primary network|new pods are not attached/,
      );
    });
  }

  const isReady = withReport({ ready: '1' });

  const agentOn = (nodeName: string, phase: string) =>
    pod(`ovn-uplinks-node-${nodeName}`, 'ovn-uplinks', nodeName, {
      metadata: {
        namespace: 'ovn-uplinks',
        name: `ovn-uplinks-node-${nodeName}`,
        labels: { 'app.kubernetes.io/name': 'ovn-uplinks', 'app.kubernetes.io/component': 'node' },
      },
      spec: { nodeName, hostNetwork: true },
      status: { phase },
    });

  /** Pods of the network that have all addresses of 10.20.0.0/30 or so: as many as are asked for. */
  const attachedPods = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      pod(`p${index}`, 'demo', 'a', {
        metadata: {
          namespace: 'demo',
          name: `p${index}`,
          annotations: {
            'k8s.ovn.org/pod-networks': JSON.stringify({ 'demo/blue': { ip_addresses: [`10.20.0.${index + 3}/24`] } }),
          },
        },
      }),
    );

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
    'on a node whose annotation has the id of another one': {
      cluster: { ...withNetwork(), ...claiming({ 'node-2': 'b uid-b' }) },
      verdict: 'no address in ClusterUserDefinedNetwork/blue: NodeIdMissing',
      fact: 'the annotation of Node a has node id 2, which belongs to b: no id is claimed for a until the annotation is removed <- Node/a',
    },
    'on a node for which no subnet is left': {
      cluster: { ...withNetwork(), ...claiming({ 'node-4': 'a uid-a' }) },
      verdict: 'no address in ClusterUserDefinedNetwork/blue: NoSubnet',
      fact: 'a has id 4, and the network has no subnet left for it <- Node/a, ClusterUserDefinedNetwork/blue',
    },
    'on a node whose subnets another implementation has allocated': {
      cluster: { ...withNetwork(), ...nodeWith('4', '{"cluster_udn_blue":["10.20.1.0/24"]}') },
      verdict: 'no address in ClusterUserDefinedNetwork/blue: NodeNotReporting',
      fact: 'a has subnets 10.20.1.0/24 of the network <- Node/a, ClusterUserDefinedNetwork/blue',
    },
    'on a node whose agent does not report': {
      verdict: 'no address in ClusterUserDefinedNetwork/blue: NodeNotReporting',
      fact: 'NodeNotReporting: the agent of a has not reported which ids it uses <- Node/a',
    },
    'on a node that has no agent, as others do': {
      cluster: { ...isReady, pods: [agentOn('b', 'Running')] },
      verdict: 'no address in ClusterUserDefinedNetwork/blue: AgentNotRunning',
      fact: 'no agent of ovn-uplinks runs on a: Namespace ovn-uplinks has no pod there',
    },
    'on a node whose agent does not run': {
      cluster: { ...isReady, pods: [agentOn('a', 'Pending')] },
      verdict: 'no address in ClusterUserDefinedNetwork/blue: AgentNotRunning',
      fact: 'the agent of a does not run: its phase is Pending <- Pod/ovn-uplinks/ovn-uplinks-node-a',
    },
    'on a node on which its network is not ready': {
      cluster: withReport({ 'not-ready-1': 'LogicalNetworkFailed: failed: it was refused' }),
      verdict: 'no address in ClusterUserDefinedNetwork/blue: NetworkNotReady',
      fact: 'the node reports: LogicalNetworkFailed: failed: it was refused <- ConfigMap/ovn-uplinks/ovn-uplinks-node-a',
    },
    'on a node on which no address is free': {
      cluster: { ...isReady, pods: attachedPods(252) },
      verdict: 'no address in ClusterUserDefinedNetwork/blue: AddressesExhausted',
      fact: '10.20.0.0/24 has no free address: 252 pods on a have them all; addresses rest for a minute after use <- Node/a',
    },
    'of a namespace that has lost its label': {
      cluster: { ...isReady, namespaces: [namespace('demo', { tenant: 'demo' })] },
      verdict: 'no address in ClusterUserDefinedNetwork/blue: NamespaceLabelMissing',
      fact: 'Namespace/demo has no label k8s.ovn.org/primary-user-defined-network, so its pods are in the default network only; remove the network from the annotation of the pod <- Namespace/demo',
    },
    'on a node on which one address is free': {
      pod: { status: { phase: 'Pending' } },
      cluster: { ...isReady, pods: [agentOn('a', 'Running'), ...attachedPods(251)] },
      verdict: 'no address in ClusterUserDefinedNetwork/blue: NotAttached',
      fact: 'annotation k8s.ovn.org/pod-networks has no addresses in demo/blue: the agent of the node has not attached the pod; if that persists, events of the pod say what the container runtime was answered <- Pod/demo/web',
    },
    'that runs without having been attached': {
      pod: { status: { phase: 'Running' } },
      cluster: isReady,
      verdict: 'no address in ClusterUserDefinedNetwork/blue: PluginNotCalled',
      fact: "annotation k8s.ovn.org/pod-networks has no addresses in demo/blue, and the pod runs: the container runtime of a has not called ovn-uplinks-cni for it; check Multus, the pod's annotation k8s.v1.cni.cncf.io/networks, and /opt/cni/bin there <- Pod/demo/web",
    },
    'of two primary networks': {
      cluster: {
        ...withNetwork(),
        clusterUserDefinedNetworks: [
          ...withNetwork().clusterUserDefinedNetworks,
          network('red', {
            uplinks: undefined,
            network: { layer3: { role: 'Primary', subnets: [{ cidr: '10.30.0.0/16' }] } },
            namespaceSelector: { matchLabels: { tenant: 'demo' } },
          }),
        ],
      },
      verdict: 'no address in ClusterUserDefinedNetwork/blue: SeveralNetworks',
      fact: 'several primary networks select Namespace/demo: ClusterUserDefinedNetwork/blue, ClusterUserDefinedNetwork/red; change or delete all but one <- Namespace/demo',
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
