/** Objects by which a tenant would reach what is not its own, or take it from others. */
import { DNS } from '../../kubernetes/dns-objects.ts';
import { namespace } from '../../kubernetes/network-objects.ts';
import { PORT } from '../packets/exchange.ts';
import { wayAddresses } from '../whole-networks/world.ts';
import { allowed } from './served-cluster.ts';
import { type LabService, serviceObject } from './served.ts';
import { layer3, ownNetworkOf } from '../whole-networks/objects.ts';

/** kube-proxy would serve a Service until it has the label. */
const labels = { 'service.kubernetes.io/service-proxy-name': 'ovn-uplinks' };

/** The namespace of a network that has all private addresses, with those of all Services. */
export const WIDE = 'wide';

/**
 * A Service whose external addresses are those of others, with EndpointSlices that name nodes, pods of the default network, and Services; and a network in whose subnets all of
 * these are.
 *
 * @param victims addresses of a Service of another tenant
 */
export function greedyObjects(service: LabService, victims: readonly string[]): readonly object[] {
  const { metadata, spec } = serviceObject(service);
  const { selector: _, ...withoutSelector } = spec as typeof spec & { readonly selector: unknown };
  const endpoints = [
    [DNS, '198.51.100.10', '10.244.0.2', wayAddresses(1)[0], victims[0]!],
    ['fd51::1', 'fd44::2', wayAddresses(1)[1], victims[1]!],
  ];
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...metadata, labels },
      spec: { ...withoutSelector, externalIPs: [...victims, DNS, ...allowed.addresses] },
    },
    ...endpoints.map((addresses, family) => ({
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: {
        namespace: service.tenant,
        name: `${service.name}-${family}`,
        labels: { 'kubernetes.io/service-name': service.name, ...labels },
      },
      addressType: family === 0 ? 'IPv4' : 'IPv6',
      endpoints: addresses.map((address) => ({ addresses: [address] })),
      ports: ['tcp', 'udp', 'sctp'].map((name) => ({ name, protocol: name.toUpperCase(), port: PORT })),
    })),
    namespace(WIDE, WIDE),
    ownNetworkOf(WIDE, layer3('10.0.0.0/8', 'fd00::/8')),
  ];
}
