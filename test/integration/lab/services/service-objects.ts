/** A Service without a selector, whose endpoints the test names. */
export interface TestService {
  /** Its ClusterIPs, IPv4 before IPv6. */
  readonly addresses: readonly string[];
  /** Addresses of an endpoint, IPv4 before IPv6; it has none if empty. */
  readonly endpoints: readonly string[];
  /** The port of the Service and of its endpoints, by TCP and UDP. */
  readonly port: number;
  /** Its port on nodes; absent where it has none. */
  readonly nodePort?: number;
  readonly labels?: Readonly<Record<string, string>>;
}

/** A Service with an EndpointSlice a family. */
export function serviceObjects(
  name: string,
  { addresses, endpoints, port, nodePort, labels = {} }: TestService,
): readonly object[] {
  const metadata = { namespace: 'default', name, labels };
  const ports = ['TCP', 'UDP'].map((protocol) => ({ name: protocol.toLowerCase(), protocol, port }));
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: {
        ipFamilyPolicy: addresses.length === 2 ? 'RequireDualStack' : 'SingleStack',
        clusterIP: addresses[0],
        clusterIPs: addresses,
        ...(nodePort === undefined
          ? { ports }
          : { type: 'NodePort', ports: ports.map((each) => ({ ...each, nodePort })) }),
      },
    },
    ...endpoints.map((address, family) => ({
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: {
        ...metadata,
        name: `${name}-${family}`,
        labels: { ...labels, 'kubernetes.io/service-name': name },
      },
      addressType: family === 0 ? 'IPv4' : 'IPv6',
      endpoints: [{ addresses: [address] }],
      ports,
    })),
  ];
}
