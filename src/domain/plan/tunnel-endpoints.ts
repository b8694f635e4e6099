/**
 * Where the tunnels of nodes end, as their Nodes say: a chassis, and its addresses. Each leads to one node, so of several nodes that have published the
 * same one at most one is reached (docs/design/networks.md, "Zones").
 */
import { isReporting } from '../allocation/node-report.ts';
import { internalIpsOf, type Node } from '../api/node.ts';
import { CHASSIS_ID_ANNOTATION, ENCAPSULATION_IPS_ANNOTATION } from '../conventions.ts';
import { groupBy } from '../grouping.ts';
import { canonicalAddress } from '../ip-address.ts';
import { lazyByObject } from '../lazy.ts';
import { by } from '../ordering.ts';
import { annotationOf, encapsulationAddressesOf } from '../selection/node-network.ts';
import { nameSample } from '../status/node-sample.ts';
import type { ClusterView } from './cluster-view.ts';
import type { Warning } from './warning.ts';

/** Something that a node has published, and other nodes too. */
interface EndpointClash {
  readonly annotation: string;
  /** The chassis or the address. */
  readonly endpoint: string;
  /** Names of the others, in order. */
  readonly others: readonly string[];
}

/** A chassis or an address that a node has published. */
interface Endpoint {
  readonly node: Node;
  readonly annotation: string;
  readonly endpoint: string;
}

/** The nodes whose chassis and addresses count: another program may have published them before the node has removed what it had as a former one of its name. */
export function hasTunnelEndpoint(node: Node, view: ClusterView): boolean {
  return view.nodeId(node) !== undefined && annotationOf(node, CHASSIS_ID_ANNOTATION) !== '' && isReporting(node);
}

function endpointsOf(node: Node): readonly Endpoint[] {
  const chassis = annotationOf(node, CHASSIS_ID_ANNOTATION);
  return [
    { node, annotation: CHASSIS_ID_ANNOTATION, endpoint: chassis },
    ...encapsulationAddressesOf(node).map((address) => ({
      node,
      annotation: ENCAPSULATION_IPS_ANNOTATION,
      endpoint: canonicalAddress(address),
    })),
  ];
}

/** Whether an endpoint is an address by which the cluster knows the node, as its kubelet or the cloud says. */
function isInternalIp({ node, annotation, endpoint }: Endpoint): boolean {
  return annotation === ENCAPSULATION_IPS_ANNOTATION && internalIpsOf(node).map(canonicalAddress).includes(endpoint);
}

/** The nodes that are not reached, by name, with what they share: of several with one address, all but the only one whose Node has it as InternalIP. */
export const endpointClashes = lazyByObject((view: ClusterView): ReadonlyMap<string, EndpointClash> => {
  const published = view.nodes.all.filter((node) => hasTunnelEndpoint(node, view)).flatMap(endpointsOf);
  const shared = [...groupBy(published, ({ annotation, endpoint }) => `${annotation} ${endpoint}`).values()];
  const clashes = shared.flatMap((endpoints): readonly (readonly [string, EndpointClash])[] => {
    if (endpoints.length === 1) return [];
    const owners = endpoints.filter(isInternalIp);
    const [owner] = owners.length === 1 ? owners : [];
    const names = endpoints.map(({ node }) => node.metadata.name).sort();
    return endpoints
      .filter((each) => each !== owner)
      .map(({ node: { metadata }, annotation, endpoint }) => [
        metadata.name,
        { annotation, endpoint, others: names.filter((name) => name !== metadata.name) },
      ]);
  });
  return new Map(clashes.sort(by(([name, { annotation, endpoint }]) => `${name} ${annotation} ${endpoint}`)));
});

/** Why other nodes do not reach a node. */
export function clashText({ endpoint, others }: EndpointClash): string {
  return `${endpoint} is published by ${nameSample(others)} too, so other nodes do not reach it`;
}

/** Warnings about nodes that are not reached. */
export function endpointWarnings(view: ClusterView): readonly Warning[] {
  return [...endpointClashes(view)].map(([node, { annotation, endpoint, others }]) => ({
    object: `Node/${node}`,
    path: `metadata.annotations["${annotation}"]`,
    message: `${endpoint} is published by Node ${nameSample(others)} too; other nodes do not reach ${node}`,
  }));
}
