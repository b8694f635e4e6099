/**
 * Attachments of a pod to its networks: the objects that they follow from, and what is missing for them.
 */
import type { Network } from '../network/network.ts';
import { joinSubnet } from '../network/allocation/addresses.ts';
import { internalIpsOf, type Node } from '../api/node.ts';
import type { Namespace } from '../api/namespace.ts';
import type { Pod } from '../api/pod.ts';
import { logicalNetworkNames } from '../network/names/logical-network.ts';
import { podSubnetsOn } from '../dataplane/logical-network/node-addresses.ts';
import { addressFamilies, familyOf } from '../basics/addresses/ip-address.ts';
import { podSubnetsOf } from '../selection/node-network.ts';
import type { NodeSettings } from '../snapshot/settings.ts';
import type { LogicalPort } from './leftovers.ts';
import type { AnnotatedNetwork } from './pod-annotation.ts';
import { addressesWithLength, podGateways } from './pod-interface.ts';
import { logicalPortName, type PodKey } from './pod-key.ts';
import { type NetworkProblem, networkOfPods } from './pod-network.ts';

/** The objects that the attachment of a pod follows from; those that are absent are not known to the node yet. */
export interface PodFacts {
  readonly pod: Pod | undefined;
  readonly namespace: Namespace | undefined;
  readonly node: Node | undefined;
  /** The id that is claimed for the node, and by which it is programmed: its annotation may have another one. */
  readonly nodeId: number | undefined;
  /** All networks that ovn-uplinks provides. */
  readonly networks: readonly Network[];
}

/** A pod and its place in one of its networks. */
export interface PodAttachment {
  readonly pod: PodKey;
  readonly networkName: string;
  /** Namespace and name of the network's NetworkAttachmentDefinition. */
  readonly definition: string;
  /** Name of the logical switch port, and the switch that it is on. */
  readonly portName: string;
  readonly switchName: string;
  /** Of the network's pods on this node, CIDR, IPv4 before IPv6; several of a family if another program has allocated them. */
  readonly subnets: readonly string[];
  /** Of the network in the cluster, and between its routers, CIDR. */
  readonly networkSubnets: readonly string[];
  /** In bytes. */
  readonly mtu: number;
  /** Subnets that the default network reaches, CIDR. */
  readonly byDefaultNetwork: readonly string[];
}

/** An attachment that can be made: all that it follows from is known, Services among the destinations by the default network too. */
export interface CompleteAttachment extends PodAttachment {
  /** Addresses of Services and of DNS that the pod reaches by the default network as long as it runs, without prefix length. */
  readonly defaultServices: readonly string[];
}

/** Why a pod cannot be attached. */
export type AttachmentProblem =
  | { readonly kind: 'pod-unknown' | 'namespace-unknown' | 'node-unknown' | 'node-without-id' }
  /** The pod with this name is another one than the runtime's. */
  | { readonly kind: 'pod-replaced'; readonly uid: string }
  | { readonly kind: 'on-other-node'; readonly node: string }
  /** No part of the network's subnets is left for the node. */
  | { readonly kind: 'no-subnets'; readonly network: string; readonly nodeId: number }
  | NetworkProblem;

/** The attachments of a pod, one for each network that it is in, or what is missing for them. */
type FoundAttachments =
  | { readonly kind: 'found'; readonly attachments: readonly [PodAttachment, ...PodAttachment[]] }
  | {
      readonly kind: 'missing';
      readonly problem: AttachmentProblem;
      /** Whether it usually comes by itself. Otherwise someone has to change an object. */
      readonly isAwaited: boolean;
    };

const awaited: ReadonlySet<AttachmentProblem['kind']> = new Set([
  'pod-unknown',
  'namespace-unknown',
  'node-unknown',
  'node-without-id',
  'pod-replaced',
  'none',
]);

function missing(problem: AttachmentProblem): FoundAttachments {
  return { kind: 'missing', problem, isAwaited: awaited.has(problem.kind) };
}

/** The subnet that has an address only, CIDR. */
function onlyAddress(address: string): string {
  return `${address}/${familyOf(address) === 6 ? 128 : 32}`;
}

/** Destinations that a pod reaches by the default network, beside Services: the addresses of its node, and the pods of the default network, as far as they are known. */
function byDefaultNetwork(node: Node, { clusterCidrs }: NodeSettings): readonly string[] {
  return [...internalIpsOf(node).map(onlyAddress), ...(node.spec?.podCIDRs ?? []), ...clusterCidrs];
}

/** An attachment with the addresses of Services that the default network reaches, by single routes. @param defaultServices without prefix length */
export function withDefaultServices(attachment: PodAttachment, defaultServices: readonly string[]): CompleteAttachment {
  const routed = [...defaultServices.map(onlyAddress), ...attachment.byDefaultNetwork];
  return { ...attachment, byDefaultNetwork: [...new Set(routed)], defaultServices };
}

/**
 * Finds the attachments of a pod: today that to the primary network of its namespace.
 *
 * @param uid of the pod as the runtime knows it; absent with older runtimes
 */
export function attachmentsOf(facts: PodFacts, uid: string | undefined, settings: NodeSettings): FoundAttachments {
  const { pod, namespace, node, nodeId, networks } = facts;
  if (node === undefined) return missing({ kind: 'node-unknown' });
  if (pod?.metadata.uid === undefined) return missing({ kind: 'pod-unknown' });
  if (uid !== undefined && uid !== pod.metadata.uid) return missing({ kind: 'pod-replaced', uid: pod.metadata.uid });
  if (pod.spec.nodeName !== undefined && pod.spec.nodeName !== node.metadata.name) {
    return missing({ kind: 'on-other-node', node: pod.spec.nodeName });
  }
  if (namespace === undefined) return missing({ kind: 'namespace-unknown' });
  const found = networkOfPods(namespace, networks);
  if (found.kind !== 'found') return missing(found);
  const { network } = found;
  if (nodeId === undefined) return missing({ kind: 'node-without-id' });
  const allocatedSubnets = podSubnetsOf(node, network.networkName);
  const subnets = podSubnetsOn(network, { id: nodeId, allocatedSubnets });
  if (subnets === undefined || subnets.length === 0) {
    return missing({ kind: 'no-subnets', network: network.networkName, nodeId });
  }
  const key = { namespace: namespace.metadata.name, name: pod.metadata.name, uid: pod.metadata.uid };
  const attachment: PodAttachment = {
    pod: key,
    networkName: network.networkName,
    definition: `${key.namespace}/${network.metadata.name}`,
    portName: logicalPortName(key, network.metadata.name),
    switchName: logicalNetworkNames(network.networkName, node.metadata.name).nodeSwitch,
    subnets,
    networkSubnets: [
      ...network.subnets.map(({ cidr }) => cidr),
      ...addressFamilies.flatMap((family) => joinSubnet(network.joinSubnets, family) ?? []),
    ],
    mtu: network.mtu ?? settings.defaultNetworkMtu,
    byDefaultNetwork: byDefaultNetwork(node, settings),
  };
  return { kind: 'found', attachments: [attachment] };
}

/**
 * Chooses the attachment to the network that a runtime names. A pod in one network gets that one, whichever NetworkAttachmentDefinition its annotation
 * selects (docs/design/networks.md, "Multus").
 */
export function attachmentTo(
  network: string,
  [first, ...others]: readonly [PodAttachment, ...PodAttachment[]],
): PodAttachment {
  return others.find(({ networkName }) => networkName === network) ?? first;
}

/**
 * The network of a pod in its annotation.
 *
 * @param defaultServices absent for pods of older agents
 */
export function annotatedNetwork(
  { definition, subnets, networkSubnets }: PodAttachment,
  { addresses, mac }: Pick<LogicalPort, 'addresses' | 'mac'>,
  defaultServices: readonly string[] | undefined,
): AnnotatedNetwork {
  return {
    definition,
    addresses: addressesWithLength(addresses, subnets),
    mac,
    gateways: podGateways(addresses, subnets),
    subnets: networkSubnets,
    ...(defaultServices && { defaultServices }),
  };
}
