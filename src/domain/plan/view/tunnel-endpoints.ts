/**
 * Where the tunnels of nodes end, as their Nodes say: a chassis, and its addresses. Each leads to one node, so of several nodes that have published the
 * same one at most one is reached (docs/design/networks.md, "Zones").
 */
import { isReporting } from '../../network/allocation/node-report.ts';
import { internalIpsOf, type Node } from '../../api/node.ts';
import { CHASSIS_ID_ANNOTATION, ENCAPSULATION_IPS_ANNOTATION } from '../../basics/conventions.ts';
import { groupBy } from '../../basics/names/grouping.ts';
import { canonicalAddress } from '../../basics/addresses/ip-address.ts';
import { lazyByObject } from '../../basics/incremental/by-identity.ts';
import { by } from '../../basics/names/ordering.ts';
import { annotationOf, encapsulationAddressesOf, publishedTunnelsOf } from '../../selection/node-network.ts';
import { nameSample } from '../../status/node-sample.ts';
import { unusableText } from '../../basics/addresses/tunnel-address.ts';
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
  /** Name of the node. */
  readonly node: string;
  readonly annotation: string;
  readonly endpoint: string;
  /** Whether it is an address by which the cluster knows the node, as its kubelet or the cloud says. */
  readonly isInternalIp: boolean;
}

/** The nodes whose chassis and addresses count: another program may have published them before the node has removed what it had as a former one of its name. */
export function hasTunnelEndpoint(node: Node, view: ClusterView): boolean {
  return view.nodeId(node) !== undefined && annotationOf(node, CHASSIS_ID_ANNOTATION) !== '' && isReporting(node);
}

const endpointsOf = lazyByObject((object: Node): readonly Endpoint[] => {
  const { name: node } = object.metadata;
  const chassis = annotationOf(object, CHASSIS_ID_ANNOTATION);
  const internalIps = internalIpsOf(object).map(canonicalAddress);
  return [
    { node, annotation: CHASSIS_ID_ANNOTATION, endpoint: chassis, isInternalIp: false },
    ...encapsulationAddressesOf(object).map((endpoint) => ({
      node,
      annotation: ENCAPSULATION_IPS_ANNOTATION,
      endpoint,
      isInternalIp: internalIps.includes(endpoint),
    })),
  ];
});

/** The nodes that are not reached, by name, with what they share: of several with one address, all but the only one whose Node has it as InternalIP. */
export const endpointClashes = lazyByObject((view: ClusterView): ReadonlyMap<string, EndpointClash> => {
  const published = view.nodes.all.filter((node) => hasTunnelEndpoint(node, view)).flatMap(endpointsOf);
  const shared = [...groupBy(published, ({ annotation, endpoint }) => `${annotation} ${endpoint}`).values()];
  const clashes = shared.flatMap((endpoints): readonly (readonly [string, EndpointClash])[] => {
    if (endpoints.length === 1) return [];
    const owners = endpoints.filter(({ isInternalIp }) => isInternalIp);
    const [owner] = owners.length === 1 ? owners : [];
    const names = endpoints.map(({ node }) => node).sort();
    return endpoints
      .filter((each) => each !== owner)
      .map(({ node, annotation, endpoint }) => [
        node,
        { annotation, endpoint, others: names.filter((name) => name !== node) },
      ]);
  });
  return new Map(clashes.sort(by(([name, { annotation, endpoint }]) => `${name} ${annotation} ${endpoint}`)));
});

/** Why other nodes do not reach a node. */
export interface UnreachedNode {
  readonly reason: 'TunnelEndpointClash' | 'TunnelEndpointInvalid';
  readonly message: string;
}

/** The fault of the addresses that a node has published: it cannot be read, or is no address. */
function addressProblems(node: Node): readonly string[] {
  const { problem, unusable } = publishedTunnelsOf(node);
  return [...(problem === undefined ? [] : [problem]), ...unusable.map(unusableText)];
}

/** Why no tunnel can lead to a node; undefined where it has an address, or has not published any yet. */
function missingAddress(node: Node): string | undefined {
  const isPublished = node.metadata.annotations?.[ENCAPSULATION_IPS_ANNOTATION] !== undefined;
  if (!isPublished || encapsulationAddressesOf(node).length > 0) return undefined;
  const problems = addressProblems(node);
  return problems.length === 0 ? 'the list is empty' : problems.join(', ');
}

/** The nodes that other nodes do not reach, by name, though they have said which chassis they are. */
export const unreachedByOthers = lazyByObject((view: ClusterView): ReadonlyMap<string, UnreachedNode> => {
  const clashes = [...endpointClashes(view)].map(([name, { endpoint, others }]) => {
    const message = `${endpoint} is published by ${nameSample(others)} too, so other nodes do not reach it`;
    return [name, { reason: 'TunnelEndpointClash', message }] as const;
  });
  const lacking = view.nodes.all.flatMap((node) => {
    const problem = hasTunnelEndpoint(node, view) ? missingAddress(node) : undefined;
    const message = `${ENCAPSULATION_IPS_ANNOTATION}: ${problem ?? ''}, so other nodes do not reach it`;
    return problem === undefined ? [] : [[node.metadata.name, { reason: 'TunnelEndpointInvalid', message }] as const];
  });
  return new Map<string, UnreachedNode>([...lacking, ...clashes]);
});

/** Warnings about what a node has published that is no address. */
function addressWarnings(node: Node): readonly Warning[] {
  const { name } = node.metadata;
  const missing = missingAddress(node);
  const problems = missing === undefined ? addressProblems(node) : [missing];
  return problems.map((problem) => ({
    object: `Node/${name}`,
    path: `metadata.annotations["${ENCAPSULATION_IPS_ANNOTATION}"]`,
    message: `${problem}; ${missing === undefined ? 'it is ignored' : `other nodes do not reach ${name}`}`,
  }));
}

/** Warnings about nodes that are not reached, or not at all their addresses; none where there are no other nodes. */
export function endpointWarnings(view: ClusterView): readonly Warning[] {
  if (view.nodes.all.length < 2) return [];
  const clashes = [...endpointClashes(view)].map(([node, { annotation, endpoint, others }]) => ({
    object: `Node/${node}`,
    path: `metadata.annotations["${annotation}"]`,
    message: `${endpoint} is published by Node ${nameSample(others)} too; other nodes do not reach ${node}`,
  }));
  return [...clashes, ...view.nodes.all.filter((node) => hasTunnelEndpoint(node, view)).flatMap(addressWarnings)];
}
