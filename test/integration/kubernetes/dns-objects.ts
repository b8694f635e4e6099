/** The ClusterIP of DNS, as kubeadm chooses it. */
export const DNS = '10.96.0.10';

/** Where the DNS of a cluster of the lab answers. */
export const DNS_ENDPOINT = '10.244.9.9';

/** The Service of a cluster’s DNS, with one endpoint, as kubeadm has it. */
export function dnsObjects(address: string, endpoint: string, targetPort = 5353): readonly object[] {
  const metadata = { namespace: 'kube-system', name: 'kube-dns' };
  const port = (name: string, protocol: string, number: number) => ({ name, protocol, port: number });
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: {
        clusterIP: address,
        ports: [port('dns', 'UDP', 53), port('dns-tcp', 'TCP', 53), port('metrics', 'TCP', 9153)],
      },
    },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { ...metadata, name: 'kube-dns-1', labels: { 'kubernetes.io/service-name': 'kube-dns' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: [endpoint] }],
      ports: [port('dns', 'UDP', targetPort), port('dns-tcp', 'TCP', targetPort), port('metrics', 'TCP', 9153)],
    },
  ];
}
