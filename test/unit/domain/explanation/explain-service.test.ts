import { expect } from 'chai';
import { explainService, serviceVerdictText } from '../../../../src/domain/explanation/explain-service.ts';
import { type ClusterSnapshot, defaultSettings, type Node } from '../../../../src/domain/index.ts';
import { planCluster } from '../../../../src/domain/plan/cluster/plan-cluster.ts';
import { withWrittenSlices } from '../../../property/service-changes.ts';
import { node, uplink, uplinkState } from '../brief-objects.ts';
import { attachedPod, service, slice } from '../brief-services.ts';
import { emptyProvidedCluster, provided, withNetwork } from './provided-cluster.ts';

const attachedIn = (definition: string, name: string, address: string) => {
  const { metadata, ...pod } = attachedPod(name, []);
  const annotations = { 'k8s.ovn.org/pod-networks': JSON.stringify({ [definition]: { ip_addresses: [address] } }) };
  return { ...pod, metadata: { ...metadata, namespace: 'demo', annotations } };
};

const target = (name: string) => ({ kind: 'Pod', namespace: 'demo', name, uid: `uid-${name}` });

const served = (objects: Partial<ClusterSnapshot> = {}): ClusterSnapshot => ({
  ...withNetwork(),
  services: [service('web', 'demo')],
  endpointSlices: [
    slice('web-1', 'demo', 'web', {
      endpoints: [
        { addresses: ['10.244.0.5'], targetRef: target('one') },
        { addresses: ['10.244.0.6'], targetRef: target('gone') },
        { addresses: ['192.0.2.1'] },
      ],
    }),
  ],
  pods: [attachedIn('demo/blue', 'one', '10.20.0.5/24')],
  ...objects,
});

/** The verdict, and the texts of the facts. */
function explained(cluster: ClusterSnapshot, on?: Node) {
  const explanation = explainService(cluster, provided, { namespace: 'demo', name: 'web', ...(on && { node: on }) });
  return (
    explanation && [
      serviceVerdictText(explanation),
      ...explanation.facts.map(({ depth, text }) => `${'  '.repeat(depth)}${text}`),
    ]
  );
}

const UNLABELLED =
  'is to be labelled service.kubernetes.io/service-proxy-name=ovn-uplinks by the cluster manager; if that persists, its log says why';

describe('the explanation of a Service', () => {
  it('says that others have its address, so that it is not served there', () => {
    const services = ['web', 'other'].map((name) => service(name, 'demo', { ports: [{ port: 80 }] }));
    const facts = explained(served({ services, endpointSlices: [], nodes: [node('a')] }), node('a')) ?? [];
    expect(facts.slice(-2)).to.deep.equal([
      '  10.96.0.10 is not served: another Service of the network has it too, and none of them is served there',
      'AddressInUse: has addresses that other Services of ClusterUserDefinedNetwork/blue have too: 10.96.0.10 of demo/other; none of them is served there; delete all but one of them, and create them again',
    ]);
  });

  it('says where each endpoint is in the network, or why not', () => {
    expect(explained(served())).to.deep.equal([
      'served in ClusterUserDefinedNetwork/blue, 1 of 3 endpoints in it',
      'the Service is in ClusterUserDefinedNetwork/blue, with id 1',
      UNLABELLED,
      'EndpointSlice web-1 has no mirror yet',
      '  Pod/one: 10.20.0.5',
      '  Pod/gone: PodNotFound: there is no such pod',
      '  192.0.2.1: EndpointOutsideNetwork: the address is in no subnet of the network',
      'EndpointOutsideNetwork: in no subnet of ClusterUserDefinedNetwork/blue: 192.0.2.1 of EndpointSlice web-1; the Service does not lead there; an EndpointSlice may have addresses of the network only',
    ]);
  });

  it('says to which pods names lead by the annotation, and which of them have no address', () => {
    const annotations = { 'ovn-uplinks/selector': 'app=web' };
    const labels = { app: 'web' };
    const pods = [attachedIn('demo/blue', 'one', '10.20.0.5/24'), attachedIn('demo/red', 'two', '10.30.0.5/24')];
    const cluster = served({
      services: [service('web', 'demo', { clusterIPs: ['None'], ipFamilies: ['IPv4'], annotations })],
      endpointSlices: [],
      pods: pods.map((pod) => ({ ...pod, metadata: { ...pod.metadata, labels } })),
    });
    const { provision } = planCluster(cluster, { ...provided });
    const endpointSlices = withWrittenSlices(cluster.endpointSlices, provision!.services);
    expect(explained({ ...cluster, endpointSlices })).to.deep.equal([
      'without-address',
      'the Service has no address: DNS answers with those of its EndpointSlices',
      UNLABELLED,
      'annotation ovn-uplinks/selector: 2 pods selected, 1 EndpointSlices written',
      '  Pod/one: 10.20.0.5',
      '  Pod/two: NoAddress: the pod has no address of the family in the network, or none yet',
    ]);
  });

  it('says which mirror there is', () => {
    const cluster = served();
    const { provision } = planCluster(cluster, { ...provided });
    const endpointSlices = withWrittenSlices(cluster.endpointSlices, provision!.services);
    expect(explained({ ...cluster, endpointSlices })).to.include(
      'EndpointSlice web-1 has the mirror ovn-uplinks-web-1',
    );
  });

  for (const { which, cluster, verdict, facts } of [
    {
      which: 'of another proxy',
      cluster: served({
        services: [service('web', 'demo', { labels: { 'service.kubernetes.io/service-proxy-name': 'example' } })],
      }),
      verdict: 'other-proxy',
      facts: ['the Service is left to proxy example', 'has the label service.kubernetes.io/service-proxy-name=example'],
    },
    {
      which: 'without an address',
      cluster: served({ services: [service('web', 'demo', { clusterIPs: ['None'] })] }),
      verdict: 'without-address',
      facts: ['the Service has no address: DNS answers with those of its EndpointSlices', UNLABELLED],
    },
    {
      which: 'for a name outside',
      cluster: served({ services: [service('web', 'demo', { type: 'ExternalName', clusterIPs: [] })] }),
      verdict: 'without-address',
      facts: ['the Service has no address in the cluster', UNLABELLED],
    },
    {
      which: 'of the default network',
      cluster: emptyProvidedCluster({ services: [service('web', 'demo')] }),
      verdict: 'default-network',
      facts: [
        'no primary network selects the namespace: the Service is one of the default network',
        'does not have the label service.kubernetes.io/service-proxy-name: kube-proxy, or what takes its place, serves it',
      ],
    },
    {
      which: 'in a network without an id',
      cluster: served({ configMaps: [] }),
      verdict: 'undecided',
      facts: ['the network of the namespace has no id yet; mirrors that there are stay as they are', UNLABELLED],
    },
  ])
    it(`says whose one ${which} is`, () => {
      expect(explained(cluster)).to.deep.equal([verdict, ...facts]);
    });

  it('says which endpoints are used on a node, and why others are not', () => {
    const zones = (zone: string) => ({ hints: { forZones: [{ name: zone }] } });
    const cluster = served({
      services: [
        service('web', 'demo', {
          clusterIPs: ['10.96.0.10', '10.20.0.9', 'fd96::a'],
          ports: [
            { name: 'http', port: 80 },
            { name: 'dns', protocol: 'UDP', port: 53 },
          ],
          sessionAffinity: 'ClientIP',
        }),
      ],
      endpointSlices: [
        slice('web-1', 'demo', 'web', {
          ports: [{ name: 'http', protocol: 'TCP', port: 8080 }],
          endpoints: [
            { addresses: ['10.244.0.5'], targetRef: target('one'), ...zones('east') },
            { addresses: ['10.244.0.6'], targetRef: target('two'), ...zones('west') },
            { addresses: ['10.244.0.7'], targetRef: target('gone'), ...zones('east') },
          ],
        }),
      ],
      pods: [attachedIn('demo/blue', 'one', '10.20.0.5/24'), attachedIn('demo/blue', 'two', '10.20.0.6/24')],
    });
    const { provision } = planCluster(cluster, { ...provided });
    const endpointSlices = withWrittenSlices(cluster.endpointSlices, provision!.services);
    const on = node('a', { labels: { 'topology.kubernetes.io/zone': 'east' } });
    const facts = explained({ ...cluster, endpointSlices }, on)!;
    const options = 'reject=true, hairpin_snat_ip=169.254.0.5 fd69::5, neighbor_responder=none, affinity_timeout=10800';
    expect(facts.slice(facts.findIndex((text) => text.startsWith('on node')))).to.deep.equal([
      'on node a, in zone east',
      '  10.20.0.9 is not served: it is in a subnet of the network, whose addresses are those of pods',
      '  port 80/TCP of 10.96.0.10',
      '    Pod/one at 10.20.0.5, port 8080: used',
      '    Pod/two at 10.20.0.6, port 8080: hint: its hints are for other nodes or zones, and others are for this one',
      '    Pod/gone, port 8080: unmapped: no mirror has an address of it',
      '  port 53/UDP of 10.96.0.10',
      '    Pod/one at 10.20.0.5: no-port: its slice does not have the port, by name and protocol',
      '    Pod/two at 10.20.0.6: no-port: its slice does not have the port, by name and protocol',
      '    Pod/gone: no-port: its slice does not have the port, by name and protocol',
      '  port 80/TCP of fd96::a',
      '  port 53/UDP of fd96::a',
      `  load balancer cluster_udn_blue_Service_demo/web_TCP_switch: ${options}`,
      '    10.96.0.10:80 → 10.20.0.5:8080',
      '    [fd96::a]:80 → refused, as it has no endpoint',
      `  load balancer cluster_udn_blue_Service_demo/web_UDP_switch: ${options}, ct_flush=true`,
      '    10.96.0.10:53 → refused, as it has no endpoint',
      '    [fd96::a]:53 → refused, as it has no endpoint',
      'AddressRefused: is not served at 10.20.0.9: it is in a subnet of the network, whose addresses are those of pods; delete it, and create it again, with other addresses',
    ]);
  });

  describe('with a health check', () => {
    const checked = (name: string, creationTimestamp = '2026-01-02T00:00:00Z') =>
      service(name, 'demo', {
        type: 'LoadBalancer',
        externalTrafficPolicy: 'Local',
        healthCheckNodePort: 32_000,
        ports: [{ name: 'http', port: 80 }],
        creationTimestamp,
      });
    const endpoints = [{ addresses: ['10.244.0.5'], targetRef: target('one'), nodeName: 'a' }];
    const ports = [{ name: 'http', protocol: 'TCP', port: 8080 }];
    const base = served({
      services: [checked('web')],
      endpointSlices: [slice('web-1', 'demo', 'web', { ports, endpoints })],
    });
    const { provision } = planCluster(base, { ...provided });
    const withMirror = { ...base, endpointSlices: withWrittenSlices(base.endpointSlices, provision!.services) };
    const uplinks = [uplink('blue', 'br-blue')];
    const onUplink = (vrf?: string): ClusterSnapshot => ({
      ...withMirror,
      uplinks,
      clusterUserDefinedNetworks: base.clusterUserDefinedNetworks.map((each) => ({
        ...each,
        spec: { ...each.spec, uplinks: ['blue'] },
      })),
      uplinkStates: [
        uplinkState('blue', 'a', {
          networks: [{ name: 'blue', ready: 'True', reason: 'Ready', ...(vrf !== undefined && { vrf }) }],
        }),
      ],
    });
    const linesOf = (cluster: ClusterSnapshot) =>
      (explained(cluster, node('a')) ?? []).filter((text) => /health check|HealthCheck/.test(text));

    it('says what the node answers', () => {
      expect(linesOf(onUplink())).to.deep.equal(['  health checks at port 32000: 200, localEndpoints 1']);
      const endpointSlices = withMirror.endpointSlices.map((each) => ({ ...each, endpoints: [] }));
      expect(linesOf({ ...onUplink(), endpointSlices })).to.deep.equal([
        '  health checks at port 32000: 503, localEndpoints 0',
      ]);
    });

    it('says that nothing comes to its network from the wire', () => {
      expect(linesOf(withMirror)).to.deep.equal([
        '  health checks at port 32000: 503, localEndpoints 1, serviceProxyHealthy false, as nothing comes from the wire to the network on this node',
      ]);
    });

    it('says what an answer depends on where the uplink is in a VRF', () => {
      expect(linesOf(onUplink('blue'))).to.deep.equal([
        '  health checks at port 32000: 200, localEndpoints 1',
        '    in VRF blue, at the addresses of the uplink, only where net.ipv4.tcp_l3mdev_accept is 1 on the node: the log of its agent has HealthCheckUnreachable where it is not',
      ]);
    });

    it('says that an older Service has its port', () => {
      const services = [checked('web'), checked('old', '2026-01-01T00:00:00Z')];
      expect(linesOf({ ...onUplink(), services })).to.deep.equal([
        '  its health checks are not answered, as port 32000 is that of Service demo/old, which is older; give it another healthCheckNodePort',
      ]);
    });

    it('says nothing where the policy is Cluster', () => {
      const [{ spec, ...web }] = base.services as [ClusterSnapshot['services'][number]];
      const services = [{ ...web, spec: { ...spec, externalTrafficPolicy: 'Cluster' } }];
      expect(linesOf({ ...onUplink(), services })).to.deep.equal([]);
    });
  });

  it('says of a node that its network is not active there', () => {
    const settings = { ...provided, dynamicNetworks: true };
    const of = { namespace: 'demo', name: 'web', node: node('b') };
    expect(explainService(served(), settings, of)?.facts.map(({ text }) => text)).to.include(
      'on node b, in no zone; the network is not active there, so that these load balancers are not',
    );
  });

  it('says nothing of a node where the Service is not served', () => {
    const cluster = served({ services: [service('web', 'demo', { clusterIPs: ['None'] })] });
    expect(explained(cluster, node('a'))).to.deep.equal(explained(cluster));
  });

  it('says that another implementation serves it', () => {
    const settings = { ...defaultSettings, providedNetworks: 'with-uplinks' as const };
    expect(explainService(served(), settings, { namespace: 'demo', name: 'web' })?.facts[0]?.text).to.equal(
      'another implementation provides ClusterUserDefinedNetwork/blue, and serves the Service',
    );
  });

  it('is none of one that there is not', () => {
    expect(explainService(served(), provided, { namespace: 'demo', name: 'other' })).to.equal(undefined);
  });
});
