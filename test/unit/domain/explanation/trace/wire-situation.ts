/** Networks `blue` and `red` on one uplink of nodes `a` and `b`, with Services of blue that are reached from the wire. */
import { PRIMARY_NETWORK_LABEL } from '../../../../../src/domain/basics/conventions.ts';
import type { EndpointSlice } from '../../../../../src/domain/api/endpoint-slice.ts';
import type { Service } from '../../../../../src/domain/api/service.ts';
import type { ClusterSnapshot, NodeSettings, NodeSnapshot } from '../../../../../src/domain/index.ts';
import { planCluster } from '../../../../../src/domain/plan/cluster/plan-cluster.ts';
import { completeNode } from '../../../../../src/testing/index.ts';
import { withWrittenSlices } from '../../../../property/service-changes.ts';
import { namespace, network, uplink } from '../../brief-objects.ts';
import { service, slice } from '../../brief-services.ts';
import { api, near, podCluster, podNode, provided, web } from './pod-situation.ts';

export const wireSettings: NodeSettings = { ...provided, externalIps: ['198.51.100.128/25'] };

/** Addresses of the uplink on the nodes. */
const uplinks = {
  a: ['192.0.2.6', '2001:db8:b::6'],
  b: ['192.0.2.7', '2001:db8:b::7'],
} as const;

export const podsOnWire = [web, near, api];

/** A node with the uplink in VLAN 100, and with the pods of blue. */
function wireNode(name: 'a' | 'b'): NodeSnapshot {
  const inside = podNode(name, podsOnWire);
  const [ipv4, ipv6] = uplinks[name];
  const outside = completeNode({
    nodeName: name,
    kernelRoutes: true,
    links: [
      { name: 'eth1' },
      {
        name: 'blue0',
        macAddress: `0a:00:00:00:00:0${ipv4.slice(-1)}`,
        addresses: [
          { address: ipv4, prefixLength: 24 },
          { address: ipv6, prefixLength: 64 },
        ],
      },
    ],
    bridges: [
      {
        name: 'br-blue',
        ports: [{ name: 'eth1' }, { name: 'blue0', tag: 100, interfaces: [{ name: 'blue0', type: 'internal' }] }],
      },
    ],
    routes: [
      { destination: '0.0.0.0/0', nextHops: [{ device: 'blue0', gateway: '192.0.2.1' }] },
      { family: 6, destination: '::/0', nextHops: [{ device: 'blue0', gateway: '2001:db8:b::1' }] },
    ],
    neighbours: [
      { device: 'blue0', address: '192.0.2.1', macAddress: '02:00:00:00:00:b1', states: ['reachable'] },
      { device: 'blue0', address: '2001:db8:b::1', macAddress: '02:00:00:00:00:b6', states: ['reachable'] },
    ],
  });
  const { links, routes, rules, neighbours, sysctls } = outside;
  return { ...inside, links, routes, rules, neighbours, sysctls, bridges: [...outside.bridges, ...inside.bridges] };
}

type ServiceBrief = NonNullable<Parameters<typeof service>[2]>;

/** Both families, and a node port. */
const usual = { type: 'NodePort', ipFamilies: ['IPv4', 'IPv6'] } as const;

const http = (nodePort: number) => [{ name: 'http', port: 80, nodePort }];

/** A slice of a Service in namespace `demo` that leads to pods. @param ready names of those that are */
export function sliceOf(
  name: string,
  addressType: 'IPv4' | 'IPv6',
  names: readonly string[],
  ready: readonly string[] = names,
): EndpointSlice {
  return slice(`${name}-${addressType}`, 'demo', name, {
    uid: `uid-${name}-${addressType}`,
    addressType,
    endpoints: names.map((pod) => ({
      addresses: ['10.244.0.5'],
      conditions: { ready: ready.includes(pod) },
      nodeName: pod === 'api' ? 'b' : 'a',
      targetRef: { kind: 'Pod', namespace: 'demo', name: pod },
    })),
    ports: ['TCP', 'UDP'].map((protocol) => ({ name: 'http', protocol, port: 8080 })),
  });
}

/** Services, by names, with the pods behind them. */
const services: Readonly<Record<string, ServiceBrief & { readonly behind: readonly string[] }>> = {
  both: { ...usual, ports: http(30_080), behind: ['near', 'api'] },
  far: { ...usual, ports: http(30_081), behind: ['api'] },
  local: { ...usual, ports: http(30_082), behind: ['near', 'api'], externalTrafficPolicy: 'Local' },
  elsewhere: { ...usual, ports: http(30_083), behind: ['api'], externalTrafficPolicy: 'Local' },
  empty: { ...usual, ports: http(30_084), behind: [] },
  shop: {
    type: 'LoadBalancer',
    ports: http(30_085),
    behind: ['near'],
    ingress: [{ ip: '203.0.113.5' }, { ip: '2001:db8:5::5' }],
    loadBalancerSourceRanges: ['198.51.100.0/24'],
  },
  second: {
    ports: [{ name: 'http', port: 80 }],
    behind: ['api'],
    externalIPs: ['198.51.100.200', '203.0.113.77'],
  },
  greedy: {
    type: 'LoadBalancer',
    ports: [{ name: 'http', port: 8443 }],
    behind: ['near'],
    ingress: [{ ip: '192.0.2.6' }, { ip: '172.30.0.3' }],
  },
  datagrams: {
    type: 'NodePort',
    ports: [{ name: 'http', protocol: 'UDP', port: 80, nodePort: 30_086 }],
    behind: ['near'],
  },
  younger: {
    ports: [{ name: 'http', port: 80 }],
    behind: ['api'],
    type: 'LoadBalancer',
    ingress: [{ ip: '203.0.113.5' }],
  },
};

const labelled = (name: string, tenant: string) => namespace(name, { tenant, [PRIMARY_NETWORK_LABEL]: '' });

function serviceOf(name: string, number: number): Service {
  const { behind: _, ...brief } = services[name]!;
  return service(name, 'demo', {
    uid: `uid-${name}`,
    creationTimestamp: name === 'younger' ? '2026-02-01T00:00:00Z' : '2026-01-01T00:00:00Z',
    clusterIPs: [`10.96.0.${String(number)}`, `fd96::${String(number)}`],
    ...brief,
  });
}

/** A cluster with the mirrors that the cluster manager writes. */
export function withMirrors(cluster: ClusterSnapshot): ClusterSnapshot {
  const { services: planned } = planCluster(cluster, wireSettings).provision!;
  return { ...cluster, endpointSlices: withWrittenSlices(cluster.endpointSlices, planned) };
}

/** The cluster with its Services, and the mirrors that the cluster manager writes. */
function wireCluster(): ClusterSnapshot {
  const withoutServices = podCluster(podsOnWire);
  const { clusterUserDefinedNetworks, configMaps, namespaces, nodes } = withoutServices;
  const [blue] = clusterUserDefinedNetworks;
  const [claims, ...reports] = configMaps;
  const names = Object.keys(services);
  const slices = names.flatMap((name) =>
    (['IPv4', 'IPv6'] as const).map((addressType) => sliceOf(name, addressType, services[name]!.behind)),
  );
  return withMirrors({
    ...withoutServices,
    nodes: nodes.map((node) => ({
      ...node,
      status: {
        addresses: [{ type: 'InternalIP', address: node.metadata.name === 'a' ? '172.30.0.2' : '172.30.0.3' }],
      },
    })),
    uplinks: [uplink('shared', 'blue0')],
    clusterUserDefinedNetworks: [
      { ...blue!, spec: { ...blue!.spec, uplinks: ['shared'] } },
      network('red', {
        uplinks: ['shared'],
        metadata: { uid: 'uid-red' },
        namespaceSelector: { matchLabels: { tenant: 'red' } },
        network: { layer3: { role: 'Primary', subnets: [{ cidr: '10.30.0.0/16', hostSubnet: 24 }] } },
      }),
    ],
    configMaps: [
      { ...claims!, data: { ...claims!.data, 'network-4': 'cluster_udn_red uid-red' } },
      ...reports.map((report) => ({ ...report, data: { ...report.data, networks: '1,4' } })),
    ],
    namespaces: [...namespaces, labelled('red', 'red'), namespace('plain')],
    services: [
      ...names.map((name, at) => serviceOf(name, at + 10)),
      service('web', 'red', { type: 'NodePort', clusterIPs: ['10.96.0.99'], ports: [{ port: 80, nodePort: 30_099 }] }),
      service('web', 'plain', {
        type: 'NodePort',
        clusterIPs: ['10.96.0.98'],
        ports: [{ port: 80, nodePort: 30_098 }],
      }),
    ],
    endpointSlices: slices,
  });
}

export const onWire = { cluster: wireCluster(), nodes: [wireNode('a'), wireNode('b')] };
