/** EndpointSlices in namespaces of networks, and the names and addresses that other objects there share with them. */
import fc from 'fast-check';
import type { Endpoint, EndpointSlice } from '../../domain/api/endpoint-slice.ts';
import type { Pod } from '../../domain/api/pod.ts';
import type { Service } from '../../domain/api/service.ts';
import { SERVICE_NAME_LABEL, SERVICE_PROXY, SERVICE_PROXY_LABEL } from '../../domain/basics/conventions.ts';

export const namespaceNames = ['blue', 'red'] as const;
export const podNames = ['one', 'two', 'three'] as const;
export const serviceNames = ['web', 'db'] as const;
export type NamespaceName = (typeof namespaceNames)[number];

export const inNamespaces: fc.Arbitrary<NamespaceName> = fc.constantFrom(...namespaceNames);

/** Addresses in the networks, in the default one, and elsewhere. */
const addresses = fc.constantFrom('10.20.1.5', '10.20.1.6', '10.30.1.5', '10.244.0.5', '192.0.2.1');

/** The address of a pod that has both families. */
export const inFamily6 = (address: string): string => {
  const [, second, third, fourth] = address.split('.');
  return `fd00:${second ?? ''}::${third ?? ''}:${fourth ?? ''}`;
};

export const keyOf = ({ metadata: { namespace = '', name } }: Pod | Service | EndpointSlice): string =>
  `${namespace}/${name}`;

/** Ports of Services, and of slices that have them or not. */
export const tcp = { name: '', protocol: 'TCP' } as const;
export const udp = { name: 'dns', protocol: 'UDP' } as const;

const slicePorts = fc.constantFrom(
  [{ ...tcp, port: 8080 }],
  [{ ...tcp, port: 8080 }],
  [{ ...tcp, port: 8080 }],
  [
    { ...tcp, port: 8080 },
    { ...udp, port: 5353 },
  ],
  [
    { ...tcp, port: 9090 },
    { ...tcp, port: 8080 },
  ],
  [{ ...tcp, name: 'metrics', port: 9100 }],
  null,
);

const conditions: fc.Arbitrary<NonNullable<Endpoint['conditions']>> = fc.constantFrom(
  { ready: true, serving: true, terminating: false },
  { ready: true, serving: true, terminating: false },
  {},
  { ready: true },
  { ready: false },
  { ready: false, serving: true, terminating: true },
  { ready: false, terminating: true },
  { ready: false, serving: false, terminating: true },
);

const named = (...names: readonly string[]) => names.map((name) => ({ name }));

/** Hints of the endpoints of a slice: none, for zones, for nodes before zones, and some that not all have. */
const hintsOf: Readonly<Record<string, fc.Arbitrary<Endpoint['hints']>>> = {
  none: fc.constant(undefined),
  zones: fc.constantFrom({ forZones: named('east') }, { forZones: named('west', 'north') }),
  nodes: fc.constantFrom(
    { forNodes: named('worker-a'), forZones: named('east') },
    { forNodes: named('worker-b'), forZones: named('east', 'west') },
  ),
  partly: fc.constantFrom({ forZones: named('east') }, { forZones: [] }, undefined),
};

const endpointsIn = (namespace: string, hinted: string, family: 4 | 6): fc.Arbitrary<Endpoint> =>
  fc
    .record({
      pod: fc.constantFrom(...podNames, ...podNames, undefined),
      generation: fc.constantFrom('a', 'a', 'a', 'b'),
      at: fc.constantFrom(namespace, namespace, namespace, namespace, 'blue'),
      address: addresses,
      conditions,
      nodeName: fc.constantFrom('worker-a', 'worker-b', undefined),
      hints: hintsOf[hinted] ?? fc.constant(undefined),
    })
    .map(({ pod, generation, at, address, nodeName, hints, ...endpoint }) => ({
      ...endpoint,
      addresses: [family === 4 ? address : inFamily6(address)],
      ...(pod !== undefined && {
        targetRef: { kind: 'Pod', namespace: at, name: pod, uid: `uid-${pod}-${generation}` },
      }),
      ...(nodeName !== undefined && { nodeName }),
      ...(hints && { hints }),
    }));

export const slices: fc.Arbitrary<EndpointSlice[]> = fc.uniqueArray(
  fc
    .record({
      namespace: inNamespaces,
      hinted: fc.constantFrom(...Object.keys(hintsOf), 'nodes', 'nodes', 'nodes', 'partly', 'partly'),
      family: fc.constantFrom<(4 | 6)[]>(4, 4, 6),
    })
    .chain(({ namespace, hinted, family }) =>
      fc
        .record({
          number: fc.constantFrom(1, 2, 3),
          service: fc.constantFrom(...serviceNames),
          endpoints: fc.array(endpointsIn(namespace, hinted, family), { minLength: 1, maxLength: 5 }),
          ports: slicePorts,
          isVisible: fc.boolean(),
        })
        .map(({ number, service, endpoints, ports, isVisible }): EndpointSlice => ({
          apiVersion: 'discovery.k8s.io/v1',
          kind: 'EndpointSlice',
          metadata: {
            name: `${service}-${String(number)}`,
            namespace,
            uid: `uid-${service}-${String(number)}`,
            labels: { [SERVICE_NAME_LABEL]: service, ...(isVisible && { [SERVICE_PROXY_LABEL]: SERVICE_PROXY }) },
          },
          addressType: family === 4 ? 'IPv4' : 'IPv6',
          endpoints,
          ports,
        })),
    ),
  { selector: keyOf, minLength: 3, maxLength: 6 },
);
