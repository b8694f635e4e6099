/** Services of network blue on worker-a: `web`, which leads to a pod, and `api`, which has no endpoints. */
import type { EndpointSlice } from '../../../../src/domain/api/endpoint-slice.ts';
import type { Service } from '../../../../src/domain/api/service.ts';
import { SERVICE_PROXY, SERVICE_PROXY_LABEL } from '../../../../src/domain/basics/conventions.ts';
import { clusterNetwork } from '../../../../src/domain/network/network.ts';
import { subnetIndex } from '../../../../src/domain/network/provision/used-subnets.ts';
import type { UplinkWay } from '../../../../src/domain/dataplane/uplink-ways.ts';
import type { WayOfNetwork } from '../../../../src/domain/services/served-outside.ts';
import { mirrorOf } from '../../../../src/domain/services/mirror.ts';
import type { NamespaceNetwork } from '../../../../src/domain/services/namespace-network.ts';
import type { ServedObjects, ServiceSurroundings } from '../../../../src/domain/services/services-on-node.ts';
import { network } from '../brief-objects.ts';
import { attachedPod, endpointOf, service, slice } from '../brief-services.ts';

const blue = clusterNetwork(
  network('blue', { network: { layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }] } } }),
  { providedNetworks: 'all', egress: 'none' },
);

const inBlue: NamespaceNetwork = { kind: 'ours', network: blue, networkId: 7 };

export const inBlueWithoutId: NamespaceNetwork = { kind: 'ours', network: blue, networkId: undefined };

const labels = { [SERVICE_PROXY_LABEL]: SERVICE_PROXY };

/** A Service with a port. */
export const serviceOf = (name: string, address: string): Service =>
  service(name, 'blue', { clusterIPs: [address], ports: [{ name: 'http', port: 80 }], labels });

/** A Service with a health check at port 32000. */
export function checkedOf(name: string, address: string, spec: Partial<Service['spec']> = {}): Service {
  const each = serviceOf(name, address);
  const checked = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 32_000 };
  return { ...each, spec: { ...each.spec, ...checked, ...spec } };
}

/** A Service with a port of UDP, and its slice. */
export const udpService = (name: string, address: string): Service => ({
  ...serviceOf(name, address),
  spec: { clusterIPs: [address], ports: [{ name: 'dns', protocol: 'UDP', port: 80 }] },
});
export const udpSourceOf = (name: string, conditions = { ready: true }): EndpointSlice => ({
  ...sourceOf(name, conditions),
  ports: [{ name: 'dns', protocol: 'UDP', port: 8080 }],
});

/** The slice of a Service, which leads to a pod. */
export const sourceOf = (name: string, conditions = { ready: true }): EndpointSlice =>
  slice(`${name}-x1`, 'blue', name, {
    endpoints: [endpointOf('web-0', { conditions })],
    ports: [{ name: 'http', port: 8080 }],
    labels,
  });

const pod = attachedPod('web-0', ['10.20.1.3/24']);

/** The mirror of a slice, as it is stored. */
export const mirrored = (source: EndpointSlice): EndpointSlice =>
  structuredClone(mirrorOf({ source, network: blue, networkId: 7, pod: () => pod })) as EndpointSlice;

export const [web, api] = [serviceOf('web', '10.96.0.10'), serviceOf('api', '10.96.0.11')];

export const [source, mirror] = [sourceOf('web'), mirrored(sourceOf('web'))];

export const usual: ServedObjects = {
  services: [web, api],
  slices: [source, mirror],
  unreadable: { services: [], slices: [] },
};

/** The node and its networks. @param found that of all namespaces */
export const surroundings = (found: NamespaceNetwork = inBlue): ServiceSurroundings => ({
  node: { name: 'worker-a' },
  masqueradeSubnets: ['169.254.0.0/17', 'fd69::/112'],
  networkOf: () => found,
  outside: { externalIps: [], used: nothingUsed, wayOf: () => 'none' },
});

const nothingUsed = subnetIndex([]);

/** The way of network blue from the wire. */
export const blueWay: UplinkWay = {
  networkName: 'cluster_udn_blue',
  links: { uplinks: ['192.0.2.6'], gateways: ['192.0.2.1'], advertised: [] },
  scope: {
    bridge: {
      bridge: 'br-blue',
      physicalPort: 'eth-blue',
      masqueradeSubnets: {},
      serviceSubnets: {},
      uplinkAddresses: { 4: ['192.0.2.6'] },
      encapsulationAddresses: {},
    },
    uplink: {
      uplink: 'blue',
      hostPort: 'LOCAL',
      macAddress: '0a:00:00:00:00:01',
      firstZone: 64_100,
      addresses: { 4: '192.0.2.6' },
    },
    network: {
      network: 'ClusterUserDefinedNetwork/blue',
      networkId: 7,
      patchPort: 'patch-blue',
      masqueradeAddresses: { 4: '169.254.0.23' },
      advertisedSubnets: {},
    },
  },
};

/** The node whose networks have a way from the wire. */
export function onWay(way: WayOfNetwork): ServiceSurroundings {
  const around = surroundings();
  return { ...around, outside: { ...around.outside, wayOf: () => way } };
}
