/** Why the pods of a network on one node do not reach an address of the network that is on another one. */
import type { Network } from '../../network/network.ts';
import { isReporting } from '../../network/allocation/node-report.ts';
import type { Node } from '../../api/node.ts';
import { CHASSIS_ID_ANNOTATION } from '../../basics/conventions.ts';
import { podSubnetsOn } from '../../dataplane/logical-network/node-addresses.ts';
import { subnetContains } from '../../basics/addresses/ip-address.ts';
import { nameSample } from '../../status/node-sample.ts';
import type { ClusterView } from '../../plan/view/cluster-view.ts';
import { peersIn } from '../../plan/view/peer-nodes.ts';
import { annotationOf, podSubnetsOf } from '../../selection/node-network.ts';

/** The subnets of a network's pods on a node; empty if it has none. */
export function subnetsOnNode(network: Network, node: Node, view: ClusterView): readonly string[] {
  const id = view.nodeId(node);
  if (id === undefined) return [];
  return podSubnetsOn(network, { id, allocatedSubnets: podSubnetsOf(node, network.networkName) }) ?? [];
}

/** Why a node that has the address is not reached. */
function reasonOf(network: Network, node: Node, view: ClusterView): string {
  const { name } = node.metadata;
  if (!view.activeNodes(network).includes(name)) return `the network is not active on ${name}`;
  if (!isReporting(node)) return `${name} has not reported which ids it uses, so it is not reached`;
  const chassis = annotationOf(node, CHASSIS_ID_ANNOTATION);
  if (chassis === '') return `${name} has not published its chassis (annotation ${CHASSIS_ID_ANNOTATION})`;
  const others = view.nodes.all.filter(
    (other) => other !== node && annotationOf(other, CHASSIS_ID_ANNOTATION) === chassis,
  );
  if (!peersIn(view).has(name)) {
    const names = nameSample(others.map(({ metadata }) => metadata.name).sort());
    return `${name} has published the same chassis as ${names}, so it is not reached`;
  }
  return `the route to ${name} is missing`;
}

/** Why an address of a network is not reached. */
export function unreachedReason(network: Network, destination: string, view: ClusterView): string {
  const owner = view.nodes.all.find((node) =>
    subnetsOnNode(network, node, view).some((cidr) => subnetContains(cidr, destination)),
  );
  if (owner !== undefined) return reasonOf(network, owner, view);
  const withoutId = view.nodes.all
    .filter((node) => view.nodeId(node) === undefined)
    .map(({ metadata }) => metadata.name);
  const pending = withoutId.length === 0 ? '' : `; ${nameSample(withoutId.sort())} has no id yet`;
  return `no node has a subnet with this address${pending}`;
}
