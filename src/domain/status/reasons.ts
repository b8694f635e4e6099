/**
 * Every reason of every condition: its rank, and what a person should know of it.
 *
 * The order of the keys is the order of precedence: where several apply, the first is told. `docs/conditions.md` is printed from this
 * file.
 */

import type { NetworkFailure } from '../network-readiness/network-check.ts';

/** What a person should know of a reason. */
export interface ReasonText {
  /** What is the case. */
  readonly meaning: string;
  /** Where more of it can be seen. */
  readonly see: string;
  /** What makes it go away. */
  readonly mend: string;
}

const nothingToMend = '–';
const stateOfNode = '`kubectl get uplinkstate -l k8s.ovn.org/uplink=UPLINK,k8s.ovn.org/node=NODE -o yaml`';
const explainNetwork = '`ovn-uplinks explain NETWORK NODE …`';

/** Reasons of condition Ready of an UplinkState (API decisions, UplinkState condition Ready). */
export const readyReasons = {
  Ready: {
    meaning: 'The interface, its bridge and its addresses were found; the uplink is usable on the node.',
    see: stateOfNode,
    mend: nothingToMend,
  },
  NodeSelectorOverlap: {
    meaning: 'More than one item of the Uplink’s `nodeConfigs` applies to the node, so none does.',
    see: '`kubectl get node NODE --show-labels` beside the Uplink’s selectors',
    mend: 'Make the selectors exclude each other, or change the node’s labels.',
  },
  HostInterfaceNotFound: {
    meaning:
      'The node has no interface of the name that the Uplink selects for it, or commands cannot be sure to reach one of that name, such as `if2`.',
    see: '`ip link show` on the node',
    mend: 'Create the interface or rename it, or correct `hostInterfaceName`.',
  },
  GatewayInfoUnavailable: {
    meaning: 'The interface has no usable MAC address, is down, or has no global address.',
    see: '`ip -details address show dev INTERFACE` on the node',
    mend: 'Bring the interface up and give it an address that is not secondary, temporary, deprecated or virtual.',
  },
  BridgeNotFound: {
    meaning: 'The interface belongs to no Open vSwitch bridge of the node.',
    see: '`ovs-vsctl iface-to-br INTERFACE` on the node',
    mend: 'Use a bridge’s own interface, or add an internal port to the bridge.',
  },
  BridgeInvalid: {
    meaning:
      'The bridge serves another purpose, has a name that cannot stand in bridge mappings, or its physical port is missing, ambiguous, an Open vSwitch bond, down, or the host interface itself.',
    see: '`ovs-vsctl show` on the node',
    mend: 'Give the bridge one physical port that is up, or name one with `ovs-vsctl br-set-external-id BRIDGE bridge-uplink PORT`. Make it anew under another name where its own has a comma or a colon.',
  },
  MTUInvalid: {
    meaning: 'The interface or the physical port has a smaller MTU than a network that must pass.',
    see: '`ip link show` on the node',
    mend: 'Raise the MTU of both, or lower the network’s.',
  },
  WaitingForDPUHost: {
    meaning: 'The DPU waits for the addresses that the host publishes.',
    see: stateOfNode,
    mend: 'Look at the agent on the host.',
  },
  WaitingForDPU: {
    meaning: 'The host has published its addresses; the DPU has not answered yet.',
    see: stateOfNode,
    mend: 'Look at the agent on the DPU.',
  },
} as const satisfies Record<string, ReasonText>;

/** A reason of condition Ready. */
export type ReadyReason = keyof typeof readyReasons;

/** Reasons of condition Degraded of an Uplink (API decisions, Uplink condition Degraded): its own, then those of the states in the seed's order. */
export const degradedReasons = {
  AllNodesReady: {
    meaning: 'Every selected node is ready (Degraded is False).',
    see: stateOfNode,
    mend: nothingToMend,
  },
  NoNodesSelected: {
    meaning: 'The Uplink selects no node (Degraded is False).',
    see: '`kubectl get nodes --show-labels`',
    mend: 'Label nodes, or change the selectors, if nodes should be selected.',
  },
  NodeSelectorInvalid: {
    meaning:
      'A selector was accepted by the API server and no node can be matched against it, such as `Exists` with values.',
    see: 'the message, which names the selector',
    mend: 'Correct the selector.',
  },
  NodeSelectorOverlap: {
    meaning: 'Several items of `nodeConfigs` apply to one node.',
    see: readyReasons.NodeSelectorOverlap.see,
    mend: readyReasons.NodeSelectorOverlap.mend,
  },
  UplinkStateMissing: {
    meaning: 'A selected node has not reported on this uplink, or reported on what was selected before.',
    see: stateOfNode,
    mend: 'Look at the agent on the node: it is not running, too old for the uplink’s type, or behind.',
  },
  HostInterfaceNotFound: readyReasons.HostInterfaceNotFound,
  BridgeNotFound: readyReasons.BridgeNotFound,
  BridgeInvalid: readyReasons.BridgeInvalid,
  MTUInvalid: readyReasons.MTUInvalid,
  GatewayInfoUnavailable: readyReasons.GatewayInfoUnavailable,
  WaitingForDPU: readyReasons.WaitingForDPU,
  WaitingForDPUHost: readyReasons.WaitingForDPUHost,
} as const satisfies Record<string, ReasonText>;

/** A reason of condition Degraded. */
export type DegradedReason = keyof typeof degradedReasons;

/** The causes of UplinkVRFAttachmentFailed that planning finds, in the order in which they are looked for. */
export const attachmentCauses = {
  'name-refused': {
    says: 'the kernel refuses a VRF device of the name, `ip` takes the name for a device’s number, or it is a management port’s',
    mend: 'Name a VRF in the RouteAdvertisements that can be a device’s name: up to 15 bytes without `/` and blanks, and not `if` and a number. A network whose own name is the trouble is made anew under another one.',
  },
  missing: {
    says: 'the VRF does not exist',
    mend: 'Create the VRF that the RouteAdvertisements name, or name another one.',
  },
  'other-device': {
    says: 'the device of the name is no VRF, or has the name as an alternative one',
    mend: 'Rename the device, or take the alternative name away: `ip link property del dev DEVICE altname NAME`; or name another VRF in the RouteAdvertisements.',
  },
  'other-table': {
    says: 'the VRF exists with another table',
    mend: 'Remove or rename that VRF: one with the right table is then made.',
  },
  'table-taken': {
    says: 'somebody else’s VRF has the table that the network’s own one needs',
    mend: 'Give that VRF another table, or remove it: the table of a network’s VRF follows from the number of its management port.',
  },
  occupied: {
    says: 'the VRF has to be made again, and something is in it or on it by somebody else’s hand',
    mend: 'Take what the message names away from the VRF: an interface with `ip link set dev DEVICE nomaster`.',
  },
  'other-master': {
    says: 'the interface is a slave of something else by somebody else’s hand',
    mend: 'Take it out of there: `ip link set dev INTERFACE nomaster`.',
  },
  'cuts-node-off': {
    says: 'moving the interface would cut the node off',
    mend: 'Use an interface for the uplink that bears no InternalIP of the Node and not its last default route.',
  },
  'takes-up': {
    says: 'moving the interface would take up a VLAN device on it that is down',
    mend: 'Set the VLAN device up, or remove it.',
  },
  'cannot-be-put-back': {
    says: 'moving the interface would lose something that cannot be put back',
    mend: 'Remove what the message names, or make it without the attribute; where the kernel would not take it again, mend what it says: the address by which the gateway was reached, the other way out, the source.',
  },
  'in-the-way': {
    says: 'somebody else’s route, rule or neighbour stands where ours, or one that moves with the interface, has to be',
    mend: 'Remove it, or make it say the same.',
  },
} as const satisfies Record<
  Extract<NetworkFailure, { reason: 'UplinkVRFAttachmentFailed' }>['cause'],
  Pick<ReasonText, 'mend'> & { readonly says: string }
>;

/** Reasons in `networks[]` of an UplinkState (API decisions, networks[] reasons). */
export const networkReasons = {
  Ready: {
    meaning: 'Everything that the network needs on the node is as it should be.',
    see: stateOfNode,
    mend: nothingToMend,
  },
  NetworkNotAllocated: {
    meaning: 'OVN-Kubernetes has not given the network an id yet.',
    see: '`kubectl get network-attachment-definitions -A -o yaml`, annotation `k8s.ovn.org/network-id`',
    mend: 'Wait; else look at OVN-Kubernetes’ cluster manager.',
  },
  PrerequisiteMissing: {
    meaning:
      'Something that OVN-Kubernetes provides on the node is not there; the message names it. Without the management port of the network the table of its VRF cannot be told. The network is held as it is.',
    see: '`ip link show` on the node; `kubectl -n ovn-kubernetes get pods -o wide`',
    mend: 'Wait until OVN-Kubernetes has made it; else look at its node pod there. Nothing has to be made by hand.',
  },
  UplinkConfigurationConflict: {
    meaning:
      'Networks share a bridge outside the default routing domain, share a VRF, or one is asked into two VRFs. All of them are held.',
    see: explainNetwork,
    mend: 'Give each network a bridge and a VRF of its own, or advertise all of them in the default VRF.',
  },
  UplinkNotReadyForNode: {
    meaning: 'The network’s uplink is not ready on the node. The network is held as it is.',
    see: 'condition Ready of the UplinkState',
    mend: 'As the reason of condition Ready says.',
  },
  UplinkVRFAttachmentFailed: {
    meaning:
      'The VRF, the interface’s membership in it, its routes, rules or settings cannot be made, or would do harm: the node would be cut off, something on the interface would be lost for good, or somebody else’s thing stands in the way and says something else. A message that begins with “failed” tells of an operation that failed.',
    see: `${explainNetwork}, which names the file of a capture for each cause; on the node \`ip -details link show type vrf\`, \`ip rule\`, \`ip route show table all\`, \`ip neighbour show nud permanent nud noarp\``,
    mend: 'As the message says; what mends each cause stands at the end of docs/conditions.md. An operation that failed is tried again.',
  },
  AddressFamilyMissing: {
    meaning: 'The network has an address family that its uplink has no address of.',
    see: stateOfNode,
    mend: 'Give the interface an address of the family.',
  },
  UplinkBridgeMappingFailed: {
    meaning:
      'The bridge mapping or the flows of the network cannot be made: somebody else maps the network to another bridge, or the operation failed.',
    see: '`ovs-vsctl get Open_vSwitch . external_ids` on the node: `ovn-bridge-mappings` is everybody’s, `ovn-uplinks-bridge-mappings` holds the entries of this project',
    mend: 'Take the entry that the message names out of `ovn-bridge-mappings`, or give the Uplink the interface of its bridge. An operation that failed is tried again.',
  },
  GatewayRouterFailed: {
    meaning: 'The network’s gateway router in OVN cannot be made.',
    see: '`ovn-nbctl show` on the node',
    mend: 'As the message says.',
  },
} as const satisfies Record<string, ReasonText>;

/** Reasons of condition UplinksReady of a ClusterUserDefinedNetwork (API decisions, CUDN condition UplinksReady). */
export const uplinksReadyReasons = {
  UplinksReady: {
    meaning: 'The network has no uplinks, or they are ready on every active node.',
    see: explainNetwork,
    mend: nothingToMend,
  },
  UplinkUnsupportedGatewayMode: {
    meaning: 'The cluster runs in local gateway mode, where uplinks are not supported.',
    see: 'OVN-Kubernetes’ configuration',
    mend: 'Use shared gateway mode, or a network without uplinks.',
  },
  UplinkUnsupportedTransport: {
    meaning: 'The network’s transport, topology or role does not go with uplinks.',
    see: 'the network’s `spec.network`',
    mend: 'Create the network again as a primary Layer2 or Layer3 network without EVPN.',
  },
  UplinkNotFound: {
    meaning: 'The Uplink that the network refers to does not exist.',
    see: '`kubectl get uplinks`',
    mend: 'Create the Uplink, or create the network again with another one.',
  },
  UplinkConfigurationConflict: networkReasons.UplinkConfigurationConflict,
  UplinkOverlapOnNode: {
    meaning: 'Several items of the Uplink’s `nodeConfigs` apply to an active node.',
    see: readyReasons.NodeSelectorOverlap.see,
    mend: readyReasons.NodeSelectorOverlap.mend,
  },
  UplinkNotFoundForNode: {
    meaning: 'No item of the Uplink’s `nodeConfigs` applies to an active node.',
    see: readyReasons.NodeSelectorOverlap.see,
    mend: 'Add an item for the node, or label it.',
  },
  UplinkNotReadyForNode: {
    meaning: 'The uplink is not ready on an active node, or the node has not reported on the network yet.',
    see: 'condition Ready of the UplinkStates',
    mend: 'As the reason of condition Ready says.',
  },
  UplinkVRFAttachmentFailed: networkReasons.UplinkVRFAttachmentFailed,
  UplinkBridgeMappingFailed: networkReasons.UplinkBridgeMappingFailed,
  NetworkNotAllocated: networkReasons.NetworkNotAllocated,
  PrerequisiteMissing: networkReasons.PrerequisiteMissing,
  AddressFamilyMissing: networkReasons.AddressFamilyMissing,
  GatewayRouterFailed: networkReasons.GatewayRouterFailed,
} as const satisfies Record<string, ReasonText>;

/** A reason of condition UplinksReady. */
export type UplinksReadyReason = keyof typeof uplinksReadyReasons;

/**
 * Compares reasons by their rank in a vocabulary. One that the vocabulary does not hold, perhaps of a newer version, comes last, by
 * name.
 */
export function byPrecedence(
  vocabulary: Readonly<Record<string, ReasonText>>,
): (left: string, right: string) => number {
  const ranks = new Map(Object.keys(vocabulary).map((reason, rank) => [reason, rank]));
  const rankOf = (reason: string) => ranks.get(reason) ?? ranks.size;
  return (left, right) => rankOf(left) - rankOf(right) || (left < right ? -1 : Number(left > right));
}
