/**
 * Every reason of the conditions of networks that ovn-uplinks provides, as in `reasons.ts`.
 */
import type { ReasonText } from './reasons.ts';

const nothingToFix = '–';
const definitions = '`kubectl get network-attachment-definitions -n NAMESPACE -o yaml`';
const nodePlan = '`ovn-uplinks node --dry-run` on the node';
const networkOnNode = '`ovn-uplinks explain NETWORK NODE …`';
const reportsOfNodes = '`kubectl get configmaps -n ovn-uplinks -l ovn-uplinks/ids -o yaml`, keys `not-ready-ID`';
const reportOfNode = '`kubectl get configmap -n ovn-uplinks ovn-uplinks-node-NODE -o yaml`';
const claims = '`kubectl get configmap -n ovn-uplinks ovn-uplinks-ids -o yaml`, which lists the claims of all ids';

/** Reasons of condition NetworkCreated (docs/design/networks.md, "Namespaces"). */
export const networkCreatedReasons = {
  NetworkAttachmentDefinitionCreated: {
    meaning: 'All selected namespaces have the network.',
    see: definitions,
    fix: nothingToFix,
  },
  NetworkInUse: {
    meaning: 'The network is being deleted. It stays as long as pods use it.',
    see: '`kubectl get pods -n NAMESPACE`',
    fix: 'Delete the pods, or wait for them to end.',
  },
  NetworkUnsupported: {
    meaning: 'This version does not provide networks of this topology, role or transport.',
    see: 'the network’s spec',
    fix: 'Recreate it as a primary Layer3 network, or have another implementation provide it (`--networks`).',
  },
  SubnetsOverlap: {
    meaning:
      'A subnet of the network overlaps with one that its pods or nodes also use. Subnets of different networks may overlap.',
    see: 'the message, which names both',
    fix: 'Recreate the network with other subnets.',
  },
  NamespaceSelectorInvalid: {
    meaning: 'The API server accepted a selector that cannot be evaluated, such as `Exists` with values.',
    see: 'the message, which names the selector',
    fix: 'Correct the selector. Until then, the namespaces that have the network keep it.',
  },
  NetworkNotAllocated: {
    meaning: 'The network has no id yet.',
    see: 'condition `NetworkAllocationSucceeded`',
    fix: 'Wait. If it persists, see the reason of condition `NetworkAllocationSucceeded`.',
  },
  PrimaryNetworkExists: {
    meaning:
      'A selected namespace has another primary network. The one that was there first stays; new pods are refused there as long as several networks select the namespace, as one with an empty selector does.',
    see: definitions,
    fix: 'Change the selector of one network, or delete one.',
  },
  NamespaceLabelMissing: {
    meaning:
      'A selected namespace does not have the label `k8s.ovn.org/primary-user-defined-network`, by which it asks for a primary network.',
    see: '`kubectl get namespace NAMESPACE --show-labels`',
    fix: 'Recreate the namespace with the label, or leave it out of the selector.',
  },
  ForeignAttachmentDefinition: {
    meaning:
      'A selected namespace has a NetworkAttachmentDefinition of the network’s name that ovn-uplinks did not create for the network, as where another implementation provides it. It is left as it is.',
    see: definitions,
    fix: 'Delete the NetworkAttachmentDefinition, or recreate the network under another name. Networks that another implementation is to provide are left to it by `--networks`.',
  },
  PodsExist: {
    meaning: 'A selected namespace had pods before the network was added. They are not in the network.',
    see: '`kubectl get pods -n NAMESPACE`',
    fix: 'Delete the pods of the namespace; once they are recreated they are in the network.',
  },
  AttachmentDefinitionPending: {
    meaning:
      'The NetworkAttachmentDefinition of a selected namespace is not stored yet, or was changed and is not restored yet.',
    see: 'the log of the cluster manager, which names what it cannot write, and why',
    fix: 'Wait. If it persists, install the CustomResourceDefinition of NetworkAttachmentDefinitions, which comes with Multus, or fix what refuses the object.',
  },
} as const satisfies Record<string, ReasonText>;

/** A reason of condition NetworkCreated. */
export type NetworkCreatedReason = keyof typeof networkCreatedReasons;

/** Reasons of condition NetworkAllocationSucceeded (docs/design/networks.md, "Ids"). */
export const networkAllocationReasons = {
  NetworkAllocationSucceeded: {
    meaning: 'The network has an id, and all nodes have subnets of it.',
    see: claims,
    fix: nothingToFix,
  },
  NetworkIdMissing: {
    meaning: 'The network has no id yet, or gets none, since this version does not provide it.',
    see: claims,
    fix: 'Wait for its claim. Otherwise see condition `NetworkCreated`.',
  },
  NetworkIdClash: {
    meaning:
      'The id in the network’s annotations belongs to another network, or to a deleted one that nodes still use.',
    see: claims,
    fix: 'Remove the annotation `k8s.ovn.org/network-id` from the network and its NetworkAttachmentDefinitions, or wait until all nodes have removed the deleted network.',
  },
  NetworkIdInvalid: {
    meaning: 'The id in the network’s annotations cannot be used: ids are 1 to 4095, except 2560.',
    see: claims,
    fix: 'Remove the annotation `k8s.ovn.org/network-id` from the network and its NetworkAttachmentDefinitions.',
  },
  NetworkIdsExhausted: {
    meaning: 'All ids are claimed: for networks that exist, or for deleted ones that nodes still use.',
    see: claims,
    fix: 'Delete networks. Check the agents on nodes: a node that is cut off keeps the ids of deleted networks in use; delete its Node if it does not come back.',
  },
  SubnetsExhausted: {
    meaning: 'The network has no subnet left for some nodes. All others are in the network.',
    see: 'the message, which names the nodes',
    fix: 'Recreate the network with a larger `cidr` or another `hostSubnet`: a longer one makes more parts. A part has addresses for pods up to /29, of IPv6 up to /126.',
  },
  JoinSubnetTooSmall: {
    meaning: 'The network’s `joinSubnets` have no address for some nodes.',
    see: 'the message, which names the nodes',
    fix: 'Recreate the network with larger `joinSubnets`, or without that field.',
  },
  NodeIdClash: {
    meaning:
      'The annotation of a node has an id that belongs to another node, or is not the one that is claimed for it.',
    see: claims,
    fix: 'Remove the annotation `k8s.ovn.org/node-id` from the node that the message names first; the cluster manager then gives it an id (docs/troubleshooting.md).',
  },
  NodeIdInvalid: {
    meaning: 'The annotation of a node has an id that no node can have: ids of nodes are 2 to 32767.',
    see: 'the message, which names the nodes',
    fix: 'Remove the annotation `k8s.ovn.org/node-id` from these nodes; the cluster manager then gives them ids (docs/troubleshooting.md).',
  },
  NodeIdMissing: {
    meaning: 'Some nodes have no id yet.',
    see: claims,
    fix: 'Wait. If it persists, see the log of the cluster manager.',
  },
} as const satisfies Record<string, ReasonText>;

/** Reasons of condition NetworkReady, which are also those of single nodes (docs/design/networks.md, "Reports"). */
export const networkReadyReasons = {
  NetworkReady: {
    meaning:
      'OVN has processed the rows of the network on all nodes on which it is active. The message says how its pods leave the cluster, or that they have no way out.',
    see: 'the message',
    fix: nothingToFix,
  },
  NetworkUnsupported: {
    meaning: 'This version does not provide networks of this topology, role or transport.',
    see: 'condition `NetworkCreated`',
    fix: networkCreatedReasons.NetworkUnsupported.fix,
  },
  SubnetsOverlap: {
    meaning:
      'A subnet of the network overlaps with one that its pods or nodes also use. It is not programmed; where it was, it stays as it is.',
    see: 'condition `NetworkCreated`',
    fix: networkCreatedReasons.SubnetsOverlap.fix,
  },
  NetworkNotAllocated: {
    meaning: 'The network or some nodes have no id yet.',
    see: 'condition `NetworkAllocationSucceeded`',
    fix: 'Wait. If it persists, see the reason of condition `NetworkAllocationSucceeded`.',
  },
  EntityNamesEqual: {
    meaning:
      'OVN would give entities of several networks the same names, as with `my-net` and `my.net`, or they would have the same VRF. None of them is programmed.',
    see: nodePlan,
    fix: 'Recreate all but one of these networks under other names.',
  },
  ForeignEntity: {
    meaning:
      'On some nodes another program has a row in OVN’s databases, a port, a device, a VRF or a route in the place of one that the network needs.',
    see: nodePlan,
    fix: 'Delete it, or recreate the network under another name.',
  },
  SubnetsExhausted: {
    meaning: 'The network has no subnet or no address left for some nodes.',
    see: 'condition `NetworkAllocationSucceeded`',
    fix: 'Recreate the network with a larger `cidr` or another `hostSubnet`.',
  },
  LogicalNetworkFailed: {
    meaning:
      'The switches, routers and ports of the network cannot be changed in OVN’s Northbound database on some nodes, or ovn-controller has not processed them, as while the database, ovn-northd or ovn-controller does not run, or Open vSwitch refuses its flows. Changes are retried.',
    see: `the message; all nodes in ${reportsOfNodes}; ${networkOnNode}; \`ovn-nbctl show\` on the node`,
    fix: 'As the message says. Start what does not run.',
  },
  ManagementPortFailed: {
    meaning:
      'The management port of the network, by which the host and its pods reach each other, cannot be added to OVN’s integration bridge, changed or set up on some nodes, which is retried; or the network has IPv6 subnets, and the kernel of some nodes has no IPv6.',
    see: `the message; all nodes in ${reportsOfNodes}; \`ovs-vsctl --columns=name,error list Interface\` on the node`,
    fix: 'As the message says. Start ovsdb-server and ovs-vswitchd.',
  },
  InterconnectionFailed: {
    meaning:
      '`external_ids:ovn-is-interconn`, without which there are no tunnels to other nodes, cannot be set in Open vSwitch on some nodes. It is retried.',
    see: `the message; all nodes in ${reportsOfNodes}; \`ovs-vsctl get Open_vSwitch . external_ids\` on the node`,
    fix: 'As the message says. Start ovsdb-server.',
  },
  RemoteChassisFailed: {
    meaning:
      'The chassis of other nodes cannot be changed in OVN’s Southbound database on some nodes, as while it cannot be reached, or since another program has changed them. Tunnels to new nodes are missing. It is retried.',
    see: `the message; all nodes in ${reportsOfNodes}; \`ovn-sbctl list Chassis\` on the node`,
    fix: 'As the message says. Start the database, or correct `--ovn-southbound`.',
  },
  RemotePortFailed: {
    meaning:
      'Ports of the network on other nodes cannot be bound to the chassis of these nodes in OVN’s Southbound database on some nodes: ovn-northd has not added them, or the database cannot be reached. Pods there cannot be reached. It is retried.',
    see: `the message; all nodes in ${reportsOfNodes}; \`ovn-sbctl find Port_Binding type=remote\` on the node`,
    fix: 'As the message says. Start the database and ovn-northd.',
  },
  TunnelEndpointClash: {
    meaning:
      'Some nodes have published a chassis or an address of tunnels that another node has published too. At most the one whose Node has the address as InternalIP is reached from other nodes: pods on the others are cut off from those on other nodes.',
    see: 'the message, which names both nodes; annotations `k8s.ovn.org/node-chassis-id` and `k8s.ovn.org/node-encap-ips` of all nodes',
    fix: 'Delete the Node of a machine that is gone. Otherwise give each node a `system-id` and an `ovn-encap-ip` of its own in Open vSwitch; its agent publishes them.',
  },
  TunnelEndpointInvalid: {
    meaning:
      'Some nodes have published nothing to which a tunnel can lead: pods on them are cut off from those on other nodes.',
    see: 'the message; annotation `k8s.ovn.org/node-encap-ips` of the Node',
    fix: 'Set `external_ids:ovn-encap-ip` in Open vSwitch on the node to an address of one of its interfaces, without prefix length; its agent publishes it.',
  },
  ProgrammingFailed: {
    meaning: 'Other changes of Open vSwitch or the kernel for the network have failed on some nodes. They are retried.',
    see: `the message; all nodes in ${reportsOfNodes}; ${networkOnNode}`,
    fix: 'As the message says.',
  },
  EgressFailed: {
    meaning:
      'The filter of packets that leave by the node, or the rules by which they do, cannot be changed on some nodes. Pods there do not leave, or leave as before. It is retried.',
    see: `the message; all nodes in ${reportsOfNodes}; \`nft list table inet ovn-uplinks-egress\` and \`ip rule\` on the node`,
    fix: 'As the message says. Install nft, and a kernel with nf_tables.',
  },
  ClusterSubnetsUnknown: {
    meaning:
      'Pods of the network are to leave by their nodes, and nobody says which subnets the pods of the default network have, which must not be reached. They do not leave; where they did, they still do.',
    see: '`kubectl get nodes -o custom-columns=NAME:.metadata.name,PODS:.spec.podCIDRs`',
    fix: 'Set `--cluster-cidr` of agents and cluster manager to these subnets.',
  },
  ForwardingDisabled: {
    meaning:
      'Pods of the network are to leave by their nodes, and the kernel of some nodes forwards no packets of a family.',
    see: 'the message; `sysctl net.ipv4.ip_forward net.ipv6.conf.all.forwarding` on the node',
    fix: 'Set the setting that the message names to 1, also for the next boot.',
  },
  NoDefaultRoute: {
    meaning:
      'Pods of the network are to leave by their nodes, and some nodes have no default route of a family of the network.',
    see: 'the message; `ip route show default` and `ip -6 route show default` on the node',
    fix: 'Add a default route, or name the device that other routes lead to (`--egress-devices`).',
  },
  NodeNotReporting: {
    meaning:
      'Some nodes have not reported which ids they use: their agents do not run, or do not reach the API server.',
    see: '`kubectl get configmaps -n ovn-uplinks -l ovn-uplinks/ids`, and the log of the agent',
    fix: 'Start the agent on these nodes.',
  },
  NetworkPending: {
    meaning: 'Some nodes are being programmed, or have no integration bridge yet, which ovn-controller adds.',
    see: reportOfNode,
    fix: 'Wait. If it persists, see the log of the agent.',
  },
} as const satisfies Record<string, ReasonText>;

/** A reason of condition NetworkReady, or why a network is not ready on a node. */
export type NetworkReadyReason = keyof typeof networkReadyReasons;

/** A reason of condition NetworkAllocationSucceeded. */
export type NetworkAllocationReason = keyof typeof networkAllocationReasons;

const servicesOfNetwork = '`ovn-uplinks explain service/NAMESPACE/NAME NODE …`';

/** Reasons of condition ServicesReady, of which some are those of single nodes (docs/design/services.md, "Conditions"). */
export const servicesReadyReasons = {
  ServicesReady: {
    meaning: 'All nodes on which the network is active serve its Services.',
    see: servicesOfNetwork,
    fix: nothingToFix,
  },
  ServiceProgrammingFailed: {
    meaning:
      'OVN’s Northbound database refuses the load balancers of some Services on some nodes. All others are served. It is retried.',
    see: `the message; all nodes in ${reportsOfNodes.replace('not-ready-ID', 'services-not-ready-ID')}`,
    fix: 'As the message says.',
  },
  NodeNotReporting: networkReadyReasons.NodeNotReporting,
  ServicesPending: {
    meaning:
      'Some nodes have not made load balancers of the network as they should be for 10 s, or OVN has not confirmed them; or they have not begun, as they do not have the network yet.',
    see: `condition \`NetworkReady\`; the message; ${reportOfNode}`,
    fix: 'Wait. If it persists, see the log of the agent: start what does not run. Where load balancers do not stay as they are written, stop the program that changes them.',
  },
  EndpointsUnmapped: {
    meaning:
      'Some pods behind Services are ready and have no address in the network, as those that were there before it, or that were added by another CNI plugin. No packets are sent to them.',
    see: `the message; annotation \`k8s.ovn.org/pod-networks\` of the pods; ${servicesOfNetwork}`,
    fix: 'Delete these pods: those that replace them are in the network.',
  },
  ServicesRefused: {
    meaning:
      'Some Services have addresses that cannot be served: they are in subnets of the network, and belong to pods, or several Services of the network have them, as after a restored database.',
    see: `the message; ${servicesOfNetwork}`,
    fix: 'Delete these Services, and create them again with other addresses; of several with one address all but one. Events of the Services name the others.',
  },
  ServicesNotServed: {
    meaning:
      'Some Services do not have the label `service.kubernetes.io/service-proxy-name: ovn-uplinks` yet, so kube-proxy serves them: they lead to addresses of the default network.',
    see: 'the message; the log of the cluster manager, which names what it cannot write, and why',
    fix: 'Wait. If it persists, fix what refuses the label, such as an admission policy.',
  },
} as const satisfies Record<string, ReasonText>;

/** A reason of condition ServicesReady. */
export type ServicesReadyReason = keyof typeof servicesReadyReasons;
