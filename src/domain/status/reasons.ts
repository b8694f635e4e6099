/**
 * Every reason of every condition: its precedence and its explanation.
 *
 * The order of the keys is the order of precedence: if several reasons apply, the first is reported. `docs/conditions.md` is printed from
 * this file.
 */

import type { NetworkFailure } from '../network-readiness/network-check.ts';

/** The explanation of a reason. */
export interface ReasonText {
  /** The meaning of the reason. */
  readonly meaning: string;
  /** Where to see more. */
  readonly see: string;
  /** How to fix it. */
  readonly fix: string;
}

const nothingToFix = '–';
const stateOfNode = '`kubectl get uplinkstate -l k8s.ovn.org/uplink=UPLINK,k8s.ovn.org/node=NODE -o yaml`';
const explainNetwork = '`ovn-uplinks explain NETWORK NODE …`';

/** Reasons of condition Ready of an UplinkState (docs/design/api-decisions.md, "Ready"). */
export const readyReasons = {
  Ready: {
    meaning: 'The interface, its bridge and its addresses were found. The uplink is ready on the node.',
    see: stateOfNode,
    fix: nothingToFix,
  },
  NodeSelectorOverlap: {
    meaning: 'More than one item of the Uplink’s `nodeConfigs` applies to the node. None of them is used.',
    see: '`kubectl get node NODE --show-labels`, compared with the Uplink’s selectors',
    fix: 'Make the selectors mutually exclusive, or change the node’s labels.',
  },
  HostInterfaceNotFound: {
    meaning:
      'The interface that the Uplink selects for the node does not exist, or has a name that is unsafe in commands, such as `if2`.',
    see: '`ip link show` on the node',
    fix: 'Create or rename the interface, or correct `hostInterfaceName`.',
  },
  GatewayInfoUnavailable: {
    meaning: 'The interface has no usable MAC address, is down, or has no global address.',
    see: '`ip -details address show dev INTERFACE` on the node',
    fix: 'Bring the interface up and give it an address that is not secondary, temporary, deprecated or virtual.',
  },
  BridgeNotFound: {
    meaning: 'The interface is not on an Open vSwitch bridge.',
    see: '`ovs-vsctl iface-to-br INTERFACE` on the node',
    fix: 'Select the bridge’s own interface, or add an internal port to the bridge and select that.',
  },
  BridgeInvalid: {
    meaning:
      'The bridge is reserved for another purpose, its name cannot be used in bridge mappings, or its physical port is missing, ambiguous, an Open vSwitch bond, down, or the host interface itself; or Open vSwitch could not add the physical port or that of the interface to the bridge; or the port of the interface or the physical port leaves out the frames of the uplink’s VLAN.',
    see: '`ovs-vsctl show` on the node',
    fix: 'Give the bridge one physical port that is up, or select one with `ovs-vsctl br-set-external-id BRIDGE bridge-uplink PORT`. Where Open vSwitch could not add a port, the message has its error: free the device, such as from another bridge, a bond or a macvlan, and add the port again. Recreate a bridge whose name contains a comma or a colon under another name. Set `vlan_mode`, `tag` and `trunks` of a port as the message says, with `ovs-vsctl set Port PORT …`.',
  },
  MTUInvalid: {
    meaning: 'The MTU of the interface or of the physical port is smaller than the MTU of a network on the uplink.',
    see: '`ip link show` on the node',
    fix: 'Raise the MTU of both, or lower the MTU of the network.',
  },
  WaitingForDPUHost: {
    meaning: 'The DPU waits for the addresses that the agent on the host publishes.',
    see: stateOfNode,
    fix: 'Check the agent on the host.',
  },
  WaitingForDPU: {
    meaning: 'The host has published its addresses. The agent on the DPU has not reported yet.',
    see: stateOfNode,
    fix: 'Check the agent on the DPU.',
  },
} as const satisfies Record<string, ReasonText>;

/** A reason of condition Ready. */
export type ReadyReason = keyof typeof readyReasons;

/**
 * Reasons of condition Degraded of an Uplink (docs/design/api-decisions.md, "Degraded"): its own, then those of the UplinkStates in the
 * order of OKEP-6019.
 */
export const degradedReasons = {
  AllNodesReady: {
    meaning: 'Every selected node is ready (Degraded is False).',
    see: stateOfNode,
    fix: nothingToFix,
  },
  NoNodesSelected: {
    meaning: 'The Uplink selects no nodes (Degraded is False).',
    see: '`kubectl get nodes --show-labels`',
    fix: 'If nodes should be selected, label them or change the selectors.',
  },
  NodeSelectorInvalid: {
    meaning: 'The API server accepted a selector that cannot be evaluated, such as `Exists` with values.',
    see: 'the message, which names the selector',
    fix: 'Correct the selector.',
  },
  NodeSelectorOverlap: {
    meaning: 'More than one item of `nodeConfigs` applies to a node.',
    see: readyReasons.NodeSelectorOverlap.see,
    fix: readyReasons.NodeSelectorOverlap.fix,
  },
  UplinkStateMissing: {
    meaning: 'A selected node has not reported on this uplink, or its report is about an earlier selection.',
    see: stateOfNode,
    fix: 'Check the agent on the node: it is not running, does not support the uplink’s type, or has not caught up yet.',
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

/** The causes of UplinkVRFAttachmentFailed that planning finds, in the order in which they are checked. */
export const attachmentCauses = {
  'name-refused': {
    says: 'the name cannot be the name of a VRF: the kernel refuses it, `ip` takes it for an interface index, or it is reserved for a management port',
    fix: 'Name another VRF in the RouteAdvertisements: 1 to 15 bytes without `/`, `:` or white space, and not `if` and a number. If the network’s own name is the problem, recreate the network under another name.',
  },
  missing: {
    says: 'the VRF does not exist',
    fix: 'Create the VRF that the RouteAdvertisements name, or name another one there.',
  },
  'other-device': {
    says: 'a device of that name is not a VRF, or the name is the alternative name of a device',
    fix: 'Rename the device, remove its alternative name (`ip link property del dev DEVICE altname NAME`), or name another VRF in the RouteAdvertisements.',
  },
  'other-table': {
    says: 'the VRF has another table',
    fix: 'Delete or rename that VRF. A VRF with the expected table is then created.',
  },
  'table-taken': {
    says: 'another VRF, not managed by ovn-uplinks, has the table that the network’s own VRF needs',
    fix: 'Recreate that VRF with another table, or delete it. The table of a network’s VRF is derived from the interface index of its management port.',
  },
  occupied: {
    says: 'the VRF must be recreated, but has members, addresses or routes that are not managed by ovn-uplinks',
    fix: 'Remove what the message names from the VRF; an interface with `ip link set dev DEVICE nomaster`.',
  },
  'other-master': {
    says: 'the interface has another master, which was not set by ovn-uplinks, or in which another network is held',
    fix: 'Release it: `ip link set dev INTERFACE nomaster`; if a network is held there, fix that network.',
  },
  'cuts-node-off': {
    says: 'enslaving the interface would cut the node off',
    fix: 'Use an interface without an InternalIP of the Node that is not used by the node’s last default route. Default routes that are down, by devices in a VRF, or by tunnels, do not count.',
  },
  'cuts-tunnels': {
    says: 'tunnels of the node end at an address of the interface, and would carry nothing once it is in a VRF',
    fix: 'Use an interface without an address of `external_ids:ovn-encap-ip` in Open vSwitch, or let the tunnels end at another interface.',
  },
  'takes-up': {
    says: 'changing the master of the interface would set a VLAN device on it up that is administratively down',
    fix: 'Set the VLAN device up, or delete it.',
  },
  'cannot-be-put-back': {
    says: 'changing the master of the interface would drop something that cannot be restored',
    fix: 'Remove what the message names, or recreate it without the attribute. If the kernel would not accept it again, fix what the message says: the address that makes the gateway reachable, the other next hop, or the source address.',
  },
  'in-the-way': {
    says: 'a route, rule or neighbour that is not managed by ovn-uplinks conflicts with one that the network needs, or that is restored with the interface',
    fix: 'Remove it, or give it the same content.',
  },
} as const satisfies Record<
  Extract<NetworkFailure, { reason: 'UplinkVRFAttachmentFailed' }>['cause'],
  Pick<ReasonText, 'fix'> & { readonly says: string }
>;

/** Reasons in `networks[]` of an UplinkState (docs/design/api-decisions.md, "networks[]"). */
export const networkReasons = {
  Ready: {
    meaning: 'The network is programmed on the node.',
    see: stateOfNode,
    fix: nothingToFix,
  },
  NetworkNotAllocated: {
    meaning: 'No network id is allocated yet.',
    see: '`kubectl get network-attachment-definitions -A -o yaml`, annotation `k8s.ovn.org/network-id`',
    fix: 'Wait. If it persists, see condition `NetworkAllocationSucceeded` where ovn-uplinks provides the network; if it is to provide it, and does not yet, give `--networks all`, or beside OVN-Kubernetes `with-uplinks`. Otherwise check OVN-Kubernetes’ cluster manager.',
  },
  PrerequisiteMissing: {
    meaning:
      'Where OVN-Kubernetes provides the network, something that it creates does not exist; the message names it: its management port, without which the table of its VRF is unknown, an annotation of the Node, or a row of OVN’s Northbound database. Where ovn-uplinks provides the network, it is not programmed as a whole; the message says why. Or RouteAdvertisements or an FRRConfiguration, which may decide its routing domain, break the schema of this version. The network is held.',
    see: '`ip link show` and `ovn-nbctl show` on the node; `kubectl get node NODE -o yaml`; `kubectl -n ovn-kubernetes get pods -o wide`',
    fix: 'Wait until OVN-Kubernetes has created it. If it persists, check OVN-Kubernetes’ pod on the node. Do not create it by hand. Where ovn-uplinks provides the network, see its conditions `NetworkCreated` and `NetworkReady`; if it is to provide it, and does not yet, give `--networks all`, or beside OVN-Kubernetes `with-uplinks`. Fix or delete an object that cannot be read: the log says what is wrong with it.',
  },
  UplinkConfigurationConflict: {
    meaning:
      'Networks share a bridge outside the default routing domain, networks share a VRF, the names of networks differ only in characters that OVN does not tell apart (`-` and `.`), or RouteAdvertisements name different VRFs for one network. All networks in conflict are held.',
    see: explainNetwork,
    fix: 'Give each network its own bridge and VRF, or advertise all of them in the default VRF. Recreate a network whose name another one has in OVN with another name.',
  },
  UplinkNotReadyForNode: {
    meaning: 'The network’s uplink is not ready on the node. The network is held.',
    see: 'condition `Ready` of the UplinkState',
    fix: 'See the reason of condition `Ready`.',
  },
  UplinkVRFAttachmentFailed: {
    meaning:
      'The VRF, the membership of the interface, or routes, rules, neighbours or settings cannot be programmed, or must not be: it would cut the node off, drop something that cannot be restored, or conflict with something that is not managed by ovn-uplinks. A message that begins with `failed` is about an operation that failed.',
    see: `${explainNetwork}, which names the captured file of each fact; on the node \`ip -details link show type vrf\`, \`ip rule\`, \`ip route show table all\`, \`ip neighbour show nud permanent nud noarp\``,
    fix: 'See the message, and the causes at the end of docs/conditions.md. A failed operation is retried.',
  },
  AddressFamilyMissing: {
    meaning: 'The network has an address family of which its uplink has no address.',
    see: stateOfNode,
    fix: 'Add an address of the family to the interface. If the message says that the kernel has no IPv6, boot the node without `ipv6.disable=1`, or recreate the network with IPv4 subnets alone.',
  },
  SubnetsOverlap: {
    meaning:
      'The subnet of the uplink on the node is equal to or part of a subnet of the network, of its pods on any node or between its routers (`joinSubnets`, by default 100.65.0.0/16 and fd99::/64), or such a subnet contains the address or a gateway of the uplink, so that the gateway router could not tell them apart. Or networks that are advertised in the default routing domain on one bridge have overlapping pod subnets, so that a packet from outside could be for a pod of either: all of them are held.',
    see: 'the message, which names both; `kubectl get node NODE -o yaml`: annotation `k8s.ovn.org/node-subnets`; the network’s `spec.network`',
    fix: 'Recreate the network with other `subnets` or `joinSubnets`, or give the uplink addresses of another subnet. Of networks that overlap with each other, recreate all but one, give them bridges of their own, or advertise one of them in a VRF of its own.',
  },
  UplinkBridgeMappingFailed: {
    meaning:
      'The bridge mapping of the network, or its flows, cannot be programmed: an entry that is not managed by ovn-uplinks maps the network to another bridge, a flow or static FDB entry that is not managed by ovn-uplinks would be replaced, the patch port does not appear, ovs-vswitchd does not run, or the operation failed.',
    see: '`ovn-uplinks flows NODE`; `ovs-vsctl get Open_vSwitch . external_ids` on the node: `ovn-bridge-mappings` has all entries, `ovn-uplinks-bridge-mappings` those managed by ovn-uplinks; where there is `ovn-bridge-mappings-CHASSIS`, with the `system-id` of the node, that list counts instead',
    fix: 'Remove the entry that the message names from `ovn-bridge-mappings`, or from that list of the chassis, or select the interface of that bridge in the Uplink. Remove the flow or FDB entry that the message names. A failed operation is retried.',
  },
  GatewayRouterFailed: {
    meaning:
      'The network’s gateway router in OVN cannot be programmed: a row that is not managed by ovn-uplinks has the name of one of the network’s, or the operation failed, as it does while the Northbound database cannot be reached, or if OVN does not confirm it.',
    see: '`ovn-nbctl show` on the node',
    fix: 'A row of another implementation comes again if it is removed: let that one provide the network, or ovn-uplinks, not both (docs/guide.md, “Beside OVN-Kubernetes”). Any other row that the message names can be removed. A failed operation is retried.',
  },
} as const satisfies Record<string, ReasonText>;

/** Reasons of condition UplinksReady of a network (docs/design/api-decisions.md, "UplinksReady"). */
export const uplinksReadyReasons = {
  UplinksReady: {
    meaning: 'The network has no uplinks, or they are ready on all active nodes.',
    see: explainNetwork,
    fix: nothingToFix,
  },
  UplinkUnsupportedGatewayMode: {
    meaning: 'The cluster uses local gateway mode, which does not support uplinks.',
    see: 'the configuration of OVN-Kubernetes',
    fix: 'Use shared gateway mode, or a network without uplinks.',
  },
  UplinkUnsupportedTransport: {
    meaning: 'The network’s transport, topology or role does not support uplinks.',
    see: 'the network’s `spec.network`',
    fix: 'Recreate the network as a primary Layer2 or Layer3 network without EVPN.',
  },
  UplinkNotFound: {
    meaning: 'The Uplink that the network names, or has by `--egress uplink=NAME`, does not exist.',
    see: '`kubectl get uplinks`',
    fix: 'Create the Uplink, recreate the network with another one, or correct `--egress`.',
  },
  UplinkConfigurationConflict: networkReasons.UplinkConfigurationConflict,
  UplinkOverlapOnNode: {
    meaning: 'More than one item of the Uplink’s `nodeConfigs` applies to an active node.',
    see: readyReasons.NodeSelectorOverlap.see,
    fix: readyReasons.NodeSelectorOverlap.fix,
  },
  UplinkNotFoundForNode: {
    meaning: 'No item of the Uplink’s `nodeConfigs` applies to an active node.',
    see: readyReasons.NodeSelectorOverlap.see,
    fix: 'Add an item for the node, or label the node.',
  },
  UplinkNotReadyForNode: {
    meaning: 'The uplink is not ready on an active node, or the node has not reported on the network yet.',
    see: 'condition `Ready` of the UplinkStates',
    fix: 'See the reason of condition `Ready`.',
  },
  UplinkVRFAttachmentFailed: networkReasons.UplinkVRFAttachmentFailed,
  UplinkBridgeMappingFailed: networkReasons.UplinkBridgeMappingFailed,
  NetworkNotAllocated: networkReasons.NetworkNotAllocated,
  PrerequisiteMissing: networkReasons.PrerequisiteMissing,
  AddressFamilyMissing: networkReasons.AddressFamilyMissing,
  SubnetsOverlap: networkReasons.SubnetsOverlap,
  GatewayRouterFailed: networkReasons.GatewayRouterFailed,
} as const satisfies Record<string, ReasonText>;

/** A reason of condition UplinksReady. */
export type UplinksReadyReason = keyof typeof uplinksReadyReasons;

/**
 * Compares reasons by their precedence in a vocabulary. Unknown reasons, such as those of a newer version, come last, by name.
 */
export function byPrecedence(
  vocabulary: Readonly<Record<string, ReasonText>>,
): (left: string, right: string) => number {
  const ranks = new Map(Object.keys(vocabulary).map((reason, rank) => [reason, rank]));
  const rankOf = (reason: string) => ranks.get(reason) ?? ranks.size;
  return (left, right) => rankOf(left) - rankOf(right) || (left < right ? -1 : Number(left > right));
}
