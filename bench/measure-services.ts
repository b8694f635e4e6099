/** Measures the Services of networks on a node: SERVICES of ENDPOINTS each, in fifty namespaces, from nothing and after one endpoint has changed. */
import { subnetIndex } from '../src/domain/network/provision/used-subnets.ts';
import type { EndpointSlice } from '../src/domain/api/endpoint-slice.ts';
import type { Service } from '../src/domain/api/service.ts';
import {
  MANAGED_BY_LABEL,
  MIRROR_MANAGER,
  MIRRORED_SERVICE_LABEL,
  NETWORK_NAME_OF_SLICE_ANNOTATION,
  SERVICE_NAME_LABEL,
  SOURCE_SLICE_ANNOTATION,
} from '../src/domain/basics/conventions.ts';
import { clusterNetwork } from '../src/domain/network/network.ts';
import {
  type FoundLoadBalancer,
  type LoadBalancerChange,
  loadBalancerChanges,
} from '../src/domain/services/load-balancer-changes.ts';
import type { NamespaceNetwork } from '../src/domain/services/namespace-network.ts';
import { ServicesOnNode, type ServiceSurroundings } from '../src/domain/services/services-on-node.ts';
import { cpuOf, median, report, settledHeap } from './figure.ts';

const [count = 5000, endpointCount = 10] = process.argv.slice(2).map(Number);

const NAMESPACES = 50;

const network = clusterNetwork(
  {
    apiVersion: 'k8s.ovn.org/v1',
    kind: 'ClusterUserDefinedNetwork',
    metadata: { name: 'blue', uid: 'blue' },
    spec: {
      namespaceSelector: {},
      network: { topology: 'Layer3', layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }] } },
    },
  },
  { providedNetworks: 'all', egress: 'none' },
);
const inNetwork: NamespaceNetwork = { kind: 'ours', network, networkId: 1 };

const bytes = (number: number) => `${String((number >> 8) & 255)}.${String(number & 255)}`;

const namespaceOf = (number: number) => `ns-${String(number % NAMESPACES)}`;

function serviceOf(number: number): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: namespaceOf(number), name: `s-${String(number)}` },
    spec: { clusterIPs: [`10.96.${bytes(number)}`], ports: [{ name: 'http', port: 80 }] },
  };
}

/** The slice of a Service, and its mirror. */
function slicesOf(number: number, isFirstReady = true): readonly [EndpointSlice, EndpointSlice] {
  const service = `s-${String(number)}`;
  const endpoints = (subnet: string) =>
    Array.from({ length: endpointCount }, (_, index) => ({
      addresses: [`${subnet}.${bytes(number * endpointCount + index)}`],
      conditions: { ready: index > 0 || isFirstReady },
      nodeName: 'worker-a',
      targetRef: { kind: 'Pod', name: `${service}-${String(index)}`, uid: `${service}-${String(index)}` },
    }));
  const slice = (name: string, subnet: string, metadata: Partial<EndpointSlice['metadata']>): EndpointSlice => ({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { namespace: namespaceOf(number), name, ...metadata },
    addressType: 'IPv4',
    endpoints: endpoints(subnet),
    ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
  });
  const source = `${service}-x`;
  return [
    slice(source, '10.244', { labels: { [SERVICE_NAME_LABEL]: service } }),
    slice(`ovn-uplinks-${source}`, '10.20', {
      labels: { [MANAGED_BY_LABEL]: MIRROR_MANAGER, [MIRRORED_SERVICE_LABEL]: service },
      annotations: {
        [SOURCE_SLICE_ANNOTATION]: source,
        [NETWORK_NAME_OF_SLICE_ANNOTATION]: network.networkName,
      },
    }),
  ];
}

const services = Array.from({ length: count }, (_, number) => serviceOf(number));
const slices = services.flatMap((_, number) => slicesOf(number));
const unreadable = { services: [], slices: [] };
const surroundings: ServiceSurroundings = {
  node: { name: 'worker-a' },
  masqueradeSubnets: ['169.254.0.0/17'],
  networkOf: () => inNetwork,
  outside: { externalIps: [], used: subnetIndex([]), wayOf: () => 'none' },
};

/** The load balancers as they are once all are made. */
const found = new Map<string, FoundLoadBalancer>();

/** The changes of the Services that are judged again. */
function changesOf(on: ServicesOnNode, keys: Iterable<string>): readonly LoadBalancerChange[] {
  return [...keys].flatMap((key) => {
    const existing = found.get(key);
    return loadBalancerChanges(on.desired(key).loadBalancers, existing === undefined ? [] : [existing], () => 'switch');
  });
}

const size = { services: count, endpoints: endpointCount };
const before = settledHeap();
const on = new ServicesOnNode();
let changes: readonly LoadBalancerChange[] = [];
const fromNothing = cpuOf(() => {
  changes = changesOf(on, on.take({ services, slices, unreadable }, surroundings));
});
for (const change of changes)
  if (change.verb === 'add') {
    const { desired } = change;
    const parents = [{ place: desired.place, name: 'switch' }];
    found.set(desired.owner, { ...desired, uuid: desired.name, parents, ended: [] });
  }
changes = [];
report({ name: 'load balancers of Services, with what is compared', size, value: settledHeap() - before, unit: 'KiB' });
report({ name: 'Services from nothing', size, value: fromNothing, unit: 'ms of CPU' });

const times = Array.from({ length: 21 }, (_, round) => {
  const [source] = slicesOf(round, false);
  const changed = slices.map((slice, place) => (place === 2 * round ? source : slice));
  const time = cpuOf(() => {
    changes = changesOf(on, on.take({ services, slices: changed, unreadable }, surroundings));
  });
  if (changes.length === 0) throw new Error('an endpoint that is not ready changes nothing');
  return time;
});
report({ name: 'Services after one endpoint has changed', size, value: median(times), unit: 'ms of CPU' });
