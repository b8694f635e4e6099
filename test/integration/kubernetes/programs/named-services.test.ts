import { expect } from 'chai';
import { customResourceDefinitions } from '../../../../src/domain/api/definitions/custom-resource-definition.ts';
import { defaultSettings } from '../../../../src/domain/index.ts';
import { clusterApi } from '../../../../src/cmd/ports/api-servers.ts';
import { ClusterLoop } from '../../../../src/control/cluster/cluster-loop.ts';
import { eventually } from '../../../unit/adapters/processes.ts';
import { TestApiServer } from '../api-server.ts';
import { clusterNetwork, namespace, node } from '../network-objects.ts';
import { otherDefinitions } from '../other-definitions.ts';
import { ControllerManager } from './controller-manager.ts';
import { CoreDns } from './core-dns.ts';

const NAMESPACE = 'demo';
const SELECTOR = 'ovn-uplinks/selector';
const inNamespace = `--namespace=${NAMESPACE}`;

const service = (name: string, spec: object, annotations: Readonly<Record<string, string>> = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: NAMESPACE, name, annotations },
  spec: { clusterIP: 'None', ports: [{ name: 'sql', port: 5432, targetPort: 'sql' }], ...spec },
});

/** A StatefulSet as users write it, whose pods have names by a Service. */
const statefulSet = (name: string, replicas: number) => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { namespace: NAMESPACE, name },
  spec: {
    serviceName: name,
    replicas,
    podManagementPolicy: 'Parallel',
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        nodeName: 'worker-a',
        // No kubelet says that it has ended.
        terminationGracePeriodSeconds: 0,
        containers: [{ name: 'main', image: 'example.org/db', ports: [{ name: 'sql', containerPort: 5433 }] }],
      },
    },
  },
});

/** A cluster manager with its Events, on an API server. */
async function startManager({ kubeconfig }: TestApiServer) {
  const scope = { claimsNamespace: defaultSettings.namespace };
  const reading = await clusterApi({ files: [kubeconfig] }, scope);
  if (!reading.read) throw new Error(JSON.stringify(reading.problems));
  const api = reading.value;
  const settings = { ...defaultSettings, providedNetworks: 'all' } as const;
  const loop = new ClusterLoop(api.store, { settings, once: false }, (report) => api.record(report));
  const ended = loop.run();
  return async () => {
    loop.stop();
    await ended;
    await api.close();
  };
}

interface Listed {
  readonly metadata: { readonly name: string };
}

interface Event {
  readonly reason: string;
  readonly message?: string;
}

describe('the names of headless Services in a network', () => {
  let server: TestApiServer;
  let dns: CoreDns;
  let stopManager: () => Promise<void>;

  before(async () => {
    server = await TestApiServer.start();
    server.apply(...customResourceDefinitions(), ...otherDefinitions);
    server.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ovn-uplinks' } });
    server.apply(node('worker-a'), namespace(NAMESPACE, 'blue'));
    const { spec, ...network } = clusterNetwork('blue');
    const subnets = [
      { cidr: '10.20.0.0/16', hostSubnet: 24 },
      { cidr: 'fd20::/48', hostSubnet: 64 },
    ];
    server.apply({
      ...network,
      spec: { ...spec, network: { topology: 'Layer3', layer3: { role: 'Primary', subnets } } },
    });
    await ControllerManager.start(server, ['statefulset', 'endpointslice', 'garbage-collector']);
    dns = await CoreDns.start(server);
    stopManager = await startManager(server);
  });
  after(async () => {
    await stopManager();
    await server.stop();
  });

  const items = (...words: readonly string[]) =>
    (
      JSON.parse(server.kubectl(['get', inNamespace, '--output=json', ...words])) as {
        readonly items: readonly unknown[];
      }
    ).items;

  const patch = (object: string, body: object, ...words: readonly string[]) =>
    server.kubectl(['patch', inNamespace, object, '--type=merge', `--patch=${JSON.stringify(body)}`, ...words]);

  /** Writes of kubelet and agent: a pod is ready or not, with addresses in both networks. */
  const runs = (pod: string, number: number, isReady = true) => {
    const addresses = [`10.20.1.${String(number)}/24`, `fd20:0:0:1::${String(number)}/64`];
    const networks = { [`${NAMESPACE}/blue`]: { ip_addresses: addresses } };
    patch(`pod/${pod}`, { metadata: { annotations: { 'k8s.ovn.org/pod-networks': JSON.stringify(networks) } } });
    const podIP = `10.244.0.${String(number)}`;
    const conditions = [{ type: 'Ready', status: isReady ? 'True' : 'False' }];
    patch(
      `pod/${pod}`,
      { status: { phase: 'Running', podIP, podIPs: [{ ip: podIP }], conditions } },
      '--subresource=status',
    );
  };

  const named = (name: string) => `${name}.${NAMESPACE}.svc.cluster.local`;

  const found = async (name: string, family: 4 | 6 = 4): Promise<string> => {
    try {
      const { resolver } = dns;
      const all = family === 4 ? await resolver.resolve4(named(name)) : await resolver.resolve6(named(name));
      return all.sort().join();
    } catch (error) {
      return String((error as { readonly code?: unknown }).code);
    }
  };

  const answers = async (name: string, expected: string, family: 4 | 6 = 4) => {
    await eventually(`${name} is ${expected}`, async () => (await found(name, family)) === expected);
  };

  const slices = (name: string) =>
    items('endpointslices', `--selector=kubernetes.io/service-name=${name}`) as readonly Listed[];

  /** The warnings about a Service, as kubectl shows them. */
  const warnings = (name: string) =>
    (
      items(
        'events',
        `--field-selector=involvedObject.kind=Service,involvedObject.name=${name},type=Warning`,
      ) as readonly Event[]
    ).map(({ reason, message = '' }) => `${reason}: ${message}`);

  const warned = async (name: string, text: string) => {
    await eventually(`${name} has the warning ${text}`, () => warnings(name).some((each) => each.includes(text)));
  };

  it('lead to the pods of a StatefulSet by their addresses in the network, of both families', async () => {
    server.apply(statefulSet('db', 2), service('db', {}, { [SELECTOR]: 'app=db' }));
    await eventually('there are pods', () => items('pods').length === 2);
    runs('db-0', 5);
    runs('db-1', 6);
    await answers('db', '10.20.1.5,10.20.1.6');
    await answers('db', 'fd20:0:0:1::5,fd20:0:0:1::6', 6);
    await answers('db-0.db', '10.20.1.5');
    await answers('db-1.db', 'fd20:0:0:1::6', 6);
    const [record] = await dns.resolver.resolveSrv(`_sql._tcp.${named('db')}`);
    expect(record).to.include({ port: 5433 });
    expect(slices('db').map(({ metadata }) => metadata.name)).to.deep.equal([
      'ovn-uplinks.db.ipv4-1',
      'ovn-uplinks.db.ipv6-1',
    ]);
    expect(warnings('db')).to.deep.equal([]);
  });

  it('follow readiness, and a pod that comes in the place of another one', async () => {
    runs('db-1', 6, false);
    await answers('db', '10.20.1.5');
    await answers('db-1.db', 'ENOTFOUND');
    server.kubectl(['delete', inNamespace, 'pod/db-0', 'pod/db-1']);
    await answers('db', 'ENOTFOUND');
    await eventually('they are there again', () => items('pods').length === 2);
    runs('db-0', 7);
    runs('db-1', 8);
    await answers('db-0.db', '10.20.1.7');
    await answers('db-1.db', 'fd20:0:0:1::8', 6);
  });

  it('stay as they are where the annotation is no selector, which is said', async () => {
    patch('service/db', { metadata: { annotations: { [SELECTOR]: 'app in db' } } });
    await warned('db', 'SelectorInvalid: annotation ovn-uplinks/selector: "app in db" is no requirement');
    expect(await found('db')).to.equal('10.20.1.7,10.20.1.8');
    patch('service/db', { metadata: { annotations: { [SELECTOR]: 'app in (db),!old' } } });
  });

  it('are made right as the warning about a Service with a selector says', async () => {
    server.apply(statefulSet('peers', 1), service('peers', { selector: { app: 'peers' } }));
    await eventually('there is a pod', () => items('pods').length === 3);
    runs('peers-0', 9);
    await answers('peers', '10.244.0.9');
    await warned(
      'peers',
      'HeadlessLeadsElsewhere: the name leads to addresses of pods in the default network, which no pod of the namespace reaches; delete Service peers, and create it without spec.selector and with the annotation ovn-uplinks/selector: app=peers',
    );
    server.kubectl(['delete', inNamespace, 'service/peers']);
    server.apply(service('peers', {}, { [SELECTOR]: 'app=peers' }));
    await answers('peers', '10.20.1.9');
    await answers('peers-0.peers', 'fd20:0:0:1::9', 6);
  });

  it('lead to both networks where the selector was only taken away, until the command of the warning was run', async () => {
    server.apply(statefulSet('old', 1), service('old', { selector: { app: 'old' } }));
    await eventually('there is a pod', () => items('pods').length === 4);
    runs('old-0', 10);
    await answers('old', '10.244.0.10');
    patch('service/old', { metadata: { annotations: { [SELECTOR]: 'app=old' } }, spec: { selector: null } });
    await answers('old', '10.20.1.10,10.244.0.10');
    await warned('old', 'addresses of pods in the default network too');
    const [command = ''] = warnings('old').flatMap((each) => /kubectl (delete .*)$/.exec(each)?.[1] ?? []);
    server.kubectl(command.split(' '));
    await answers('old', '10.20.1.10');
  });

  it('are not all that is said of Services: so is what leads out of the network, once', async () => {
    const affinity = { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 86_400 } } };
    const { spec, ...web } = service('web', { ...affinity, selector: { app: 'web' } });
    const onHost = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace: NAMESPACE, name: 'web', labels: { app: 'web' } },
      spec: { ...statefulSet('web', 1).spec.template.spec, hostNetwork: true },
    };
    const outside = {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { namespace: NAMESPACE, name: 'outside', labels: { 'kubernetes.io/service-name': 'web' } },
      addressType: 'IPv4',
      ports: [],
      endpoints: [{ addresses: ['192.0.2.1'] }],
    };
    server.apply({ ...web, spec: { ...spec, clusterIP: undefined } }, onHost, outside);
    runs('web', 11);
    await warned('web', 'AffinityShortened: timeoutSeconds is 86400, more than 65535');
    await warned('web', 'EndpointOutsideNetwork: in no subnet of ClusterUserDefinedNetwork/blue: 192.0.2.1 of');
    await warned(
      'web',
      'HostNetworkEndpoint: not in ClusterUserDefinedNetwork/blue but in the network of the node: pod web',
    );
    expect(warnings('web')).to.have.length(3);
  });

  it('are gone with the annotation, and with the Service', async () => {
    patch('service/db', { metadata: { annotations: { [SELECTOR]: null } } });
    await answers('db', 'ENOTFOUND');
    await eventually('their slices are gone', () => slices('db').length === 0);
    server.kubectl(['delete', inNamespace, 'service/peers']);
    await eventually('their slices are gone', () => slices('peers').length === 0);
  });
});
