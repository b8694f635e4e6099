import { DNS_ENDPOINT } from '../../kubernetes/dns-objects.ts';
import type { TestApiServer } from '../../kubernetes/api-server.ts';
import type { LabNode } from '../node.ts';
import { KubeProxy, NodeCoreDns } from './node-programs.ts';

/**
 * Has a node serve the Services of a cluster as most clusters do: by kube-proxy, and names by CoreDNS, which runs on each node, at the endpoint of the cluster's DNS.
 *
 * @param podSubnets of the cluster, whose pods keep their addresses
 */
export async function startClusterServices(
  node: LabNode,
  server: TestApiServer,
  podSubnets: readonly string[],
): Promise<void> {
  await NodeCoreDns.start(node, server, [DNS_ENDPOINT]);
  await KubeProxy.start(node, server, 'iptables', podSubnets);
}
