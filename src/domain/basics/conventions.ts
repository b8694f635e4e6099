/**
 * Names and numbers shared with OVN-Kubernetes, Open vSwitch, the kernel and Kubernetes.
 *
 * Each is part of a contract with other software, and is declared here once, with its origin.
 */

/** Finalizer that keeps an Uplink while a network refers to it (OKEP-6019, UplinkSpec). */
export const UPLINK_FINALIZER = 'k8s.ovn.org/uplink-protection';

/** Label and annotation with the Uplink's name on an UplinkState (OKEP-6019, UplinkState). */
export const UPLINK_KEY = 'k8s.ovn.org/uplink';

/** Label and annotation with the node's name on an UplinkState (OKEP-6019, UplinkState). */
export const NODE_KEY = 'k8s.ovn.org/node';

/** Label that every ClusterUserDefinedNetwork carries, with its own name as the value (OVN-Kubernetes, RouteAdvertisements). */
export const METADATA_NAME_LABEL = 'k8s.ovn.org/metadata.name';

/** Annotation of a NetworkAttachmentDefinition with the network's id, a positive integer (OVN-Kubernetes, network id allocator). */
export const NETWORK_ID_ANNOTATION = 'k8s.ovn.org/network-id';

/** Annotation of a NetworkAttachmentDefinition with the network's name (OVN-Kubernetes, NAD controller). */
export const NETWORK_NAME_ANNOTATION = 'k8s.ovn.org/network-name';

/** Annotation of a Node with the default network's gateway, JSON; read for its bridge-id, never written (OVN-Kubernetes, node annotator). */
export const L3_GATEWAY_CONFIG_ANNOTATION = 'k8s.ovn.org/l3-gateway-config';

/** Prefix of the network name of a ClusterUserDefinedNetwork (OVN-Kubernetes, util.GenerateCUDNNetworkName). */
export const CLUSTER_NETWORK_NAME_PREFIX = 'cluster_udn_';

/** Name prefix of FRRConfigurations that OVN-Kubernetes generates, which never count (OVN-Kubernetes, RouteAdvertisements controller). */
export const GENERATED_FRR_CONFIGURATION_PREFIX = 'ovnk-generated-';

/** OVN's integration bridge (ovn-architecture(7)). */
export const INTEGRATION_BRIDGE = 'br-int';

/**
 * Priority of the rules by which packets with the mark of a network use its table. OVN-Kubernetes deletes unknown rules of priority 2000
 * (docs/design/field-facts.md, "Rules and routes").
 */
export const OWN_RULE_PRIORITY = 1999;

/**
 * Priority of the rules by which packets of networks that leave by the node use the main table: before the kernel's rule for VRFs, 1000 (Linux,
 * Documentation/networking/vrf.rst).
 */
export const EGRESS_RULE_PRIORITY = 998;

/** Packet mark of a network = its id + this (OVN-Kubernetes, pktMarkBase). */
export const PACKET_MARK_BASE = 0x1000;

/** Metric of the unreachable default route that ends a network's table (Linux, Documentation/networking/vrf.rst). */
export const FALLBACK_ROUTE_METRIC = 4_278_198_272;

/** Number of the kernel's main routing table (rtnetlink(7), RT_TABLE_MAIN). */
export const MAIN_TABLE = 254;

/**
 * Addresses of a masquerade subnet, by their offset in it: the host's own, the host's where external traffic stays local, a next hop that no device has,
 * and the source of what a pod sends to itself by a Service (OVN-Kubernetes, config.allocateV4MasqueradeIPs).
 */
export const MASQUERADE_OFFSETS = { host: 2, hostLocal: 3, dummyNextHop: 4, hairpin: 5 } as const;

/** First two bytes of the MAC address that OVN-Kubernetes derives from an IPv4 address, whose four bytes follow (OVN-Kubernetes, util.IPAddrToHWAddr). */
export const IP_MAC_PREFIX = [0x0a, 0x58] as const;

/** Open_vSwitch external_ids key with the bridge mappings of ovn-controller, shared with others (ovn-controller(8)). */
export const BRIDGE_MAPPINGS_KEY = 'ovn-bridge-mappings';

/** Service subnets of a cluster by default, CIDR (OVN-Kubernetes, config.Kubernetes.RawServiceCIDRs). */
export const DEFAULT_SERVICE_CIDRS = ['10.96.0.0/16'] as const;

/** Default gateway bridge where no node annotation names one (OVN-Kubernetes, shared gateway mode). */
export const FALLBACK_DEFAULT_BRIDGE = 'br-ex';

/** Name prefix of a network's management port; the network id follows (OVN-Kubernetes, types.K8sMgmtIntfNamePrefix). */
export const MANAGEMENT_PORT_PREFIX = 'ovn-k8s-mp';

/** Routing table of a network's VRF = ifindex of its management port + this (OVN-Kubernetes, util.CalculateRouteTableID). */
export const VRF_TABLE_OFFSET = 1000;

/** Prefix of the link alias of managed VRF devices; the network's name follows (docs/design/ownership.md, "Three rules"). */
export const VRF_ALIAS_PREFIX = 'ovn-uplinks:';

/** Longest link alias, in bytes (Linux, IFALIASZ - 1). */
export const ALIAS_BYTES = 255;

/** Longest name of a network device, in bytes (Linux, IFNAMSIZ - 1). */
export const INTERFACE_NAME_BYTES = 15;

/** Rtnetlink protocol of managed routes, rules and neighbours, as a number (unassigned in rtnetlink.h). */
export const OWN_ROUTE_PROTOCOL = '94';

/** Rtnetlink protocol of adopted neighbours, as a number (unassigned in rtnetlink.h). */
export const ADOPTED_NEIGHBOUR_PROTOCOL = '95';

/** Open_vSwitch external_ids key with the managed entries of the bridge mappings (docs/design/ownership.md, "Three rules"). */
export const OWN_BRIDGE_MAPPINGS_KEY = 'ovn-uplinks-bridge-mappings';

/** Open_vSwitch external_ids key by which ovn-controller makes tunnels to the chassis of other zones (ovn-controller(8)). */
export const INTERCONNECTION_KEY = 'ovn-is-interconn';

/** Open_vSwitch external_ids key that is there while ovn-uplinks has set that one (docs/design/ownership.md, "Three rules"). */
export const OWN_INTERCONNECTION_KEY = 'ovn-uplinks-is-interconn';

/** Open_vSwitch external_ids key with the keys of the settings of ovn-controller that ovn-uplinks has written, separated by commas (docs/design/ownership.md, "Three rules"). */
export const OWN_CONTROLLER_KEY = 'ovn-uplinks-controller';

/** Interface external_ids key of managed management ports, with the name of their network in OVN (docs/design/ownership.md, "Three rules"). */
export const MANAGEMENT_PORT_KEY = 'ovn-uplinks-management-port';

/** Interface external_ids key with the logical port that an interface is (ovn-controller(8), iface-id). */
export const LOGICAL_PORT_KEY = 'iface-id';

/** Bridge external_ids key that names the physical port (OVN-Kubernetes, gateway bridge set-up). */
export const BRIDGE_UPLINK_KEY = 'bridge-uplink';

/** Masquerade subnets, CIDR; addresses in them belong to OVN-Kubernetes' datapath (OVN-Kubernetes, config.Gateway). */
export const DEFAULT_MASQUERADE_SUBNETS = ['169.254.0.0/17', 'fd69::/112'] as const;

/** The Service of the cluster’s DNS, as kubeadm and others have it (OVN-Kubernetes, dns-service-namespace and dns-service-name). */
export const DEFAULT_DNS_SERVICE = { namespace: 'kube-system', name: 'kube-dns' } as const;

/** The Service by which clients in pods find the API server (Kubernetes documentation, "Accessing the Kubernetes API from a Pod"). */
export const API_SERVICE = { namespace: 'default', name: 'kubernetes' } as const;

/** MTU of the default network in bytes, also for networks without one of their own (OVN-Kubernetes, config.Default.MTU). */
export const DEFAULT_NETWORK_MTU = 1400;

/** Offset between a network's id and the conntrack mark of its connections; 2 marks those of the host (OVN-Kubernetes, ctMarkUDNBase, ctMarkHost). */
export const CONNECTION_MARK_BASE = 3;

/** Conntrack mark of the host's own connections (OVN-Kubernetes, ctMarkHost). */
export const HOST_CONNECTION_MARK = 2;

/** Packet mark of egress IP traffic that must leave with the node's address (OVN-Kubernetes, ovnKubeNodeSNATMark). */
export const NODE_SNAT_MARK = 0x3f0;

/** UDP port of Geneve (RFC 8926, section 3.3). */
export const GENEVE_PORT = 6081;

/** First conntrack zone of uplinks; each has a block of four (docs/design/flows.md, "Zones"). OVN-Kubernetes has 64000 to 64004. */
export const FIRST_ZONE = 64_100;

/** Annotation of a Node with its id, an integer from 1 on (OVN-Kubernetes, OvnNodeID). */
export const NODE_ID_ANNOTATION = 'k8s.ovn.org/node-id';

/** Annotation of a Node with the subnets of its pods, JSON: network name to a list of CIDRs (OVN-Kubernetes, ovnNodeSubnets). */
export const NODE_SUBNETS_ANNOTATION = 'k8s.ovn.org/node-subnets';

/** Annotation of a Node with the name of its chassis (OVN-Kubernetes, ovnNodeChassisID). */
export const CHASSIS_ID_ANNOTATION = 'k8s.ovn.org/node-chassis-id';

/** Annotation of a pod: its addresses in each network, JSON by NetworkAttachmentDefinition (OKEP-5193). */
export const POD_NETWORKS_ANNOTATION = 'k8s.ovn.org/pod-networks';

/** Annotation of a pod: the ports at which the default network reaches it, YAML (OVN-Kubernetes documentation, "User Defined Networks"). */
export const OPEN_PORTS_ANNOTATION = 'k8s.ovn.org/open-default-ports';

/** Annotation of a Node with the addresses where its tunnels end, a JSON list (OVN-Kubernetes, OVNNodeEncapIPs). */
export const ENCAPSULATION_IPS_ANNOTATION = 'k8s.ovn.org/node-encap-ips';

/** Open_vSwitch external_ids key with the name of the node's chassis (ovn-controller(8)). */
export const CHASSIS_KEY = 'system-id';

/** Open_vSwitch external_ids key with the name of the integration bridge (ovn-controller(8), ovn-bridge). */
export const INTEGRATION_BRIDGE_KEY = 'ovn-bridge';

/** Open_vSwitch external_ids key with the addresses where the tunnels of the node end, separated by commas (ovn-controller(8), ovn-encap-ip). */
export const ENCAPSULATION_ADDRESSES_KEY = 'ovn-encap-ip';

/** Subnets of the addresses between gateway routers and cluster routers, CIDR, of networks without their own (OVN-Kubernetes, types.UserDefinedPrimaryNetworkJoinSubnetV4). */
export const DEFAULT_JOIN_SUBNETS = ['100.65.0.0/16', 'fd99::/64'] as const;

/** Address of the cluster router in a join subnet, by its offset (OVN-Kubernetes, gateway router LRP IPs). */
export const CLUSTER_ROUTER_OFFSET = 1;

/** Address of the management port in a node's pod subnet, by its offset (OVN-Kubernetes, util.GetNodeManagementIfAddr). */
export const MANAGEMENT_PORT_OFFSET = 2;

/** Offset of the first network's own masquerade addresses (OVN-Kubernetes, config.Gateway, UDN masquerade IPs). */
export const NETWORK_MASQUERADE_BASE = 10;

/** Number of conntrack zones of each uplink (docs/design/flows.md, "Zones"). */
export const ZONES_PER_UPLINK = 4;

/** Cookie of managed flows (docs/design/ownership.md, "Three rules"). */
export const FLOW_COOKIE = '0x75706c6b';

/** Cookie of flows that managed flows learn (docs/design/ownership.md, "Three rules"). */
export const LEARNED_FLOW_COOKIE = '0x75706c6c';

/** Cookie of the flows by which Services are reached from the wire (docs/design/ownership.md, "Three rules"). */
export const SERVICE_FLOW_COOKIE = '0x75706c6d';

/** First two bytes of a virtual next-hop MAC address (docs/design/flows.md, "Neighbours"). */
export const VIRTUAL_MAC_PREFIX = [0x0a, 0x5a] as const;

/** Subnets of the addresses between routers of different nodes, CIDR (OVN-Kubernetes, config.ClusterManager.V4TransitSubnet). */
export const TRANSIT_SUBNETS = ['100.88.0.0/16', 'fd97::/64'] as const;

/** Tunnel key of the transit switch of a Layer3 network = this + its id (OVN-Kubernetes, zoneinterconnect.BaseTransitSwitchTunnelKey). */
export const TRANSIT_SWITCH_KEY_BASE = 16_711_683;

/** Prefix length of the pod subnet of a node, for networks without one of their own (OVN-Kubernetes, config.ParseClusterSubnetEntries). */
export const DEFAULT_HOST_PREFIX_LENGTHS = { 4: 24, 6: 64 } as const;

/** Address of the router in a node's pod subnet, by its offset (OVN-Kubernetes, util.GetNodeGatewayIfAddr). */
export const POD_ROUTER_OFFSET = 1;

/** Subnets between the routers of the default network, CIDR (OVN-Kubernetes, config.Gateway.V4JoinSubnet). */
export const DEFAULT_NETWORK_JOIN_SUBNETS = ['100.64.0.0/16', 'fd98::/64'] as const;

/** Label of namespaces that may have a primary network, set when they are created (OKEP-5193, UDN Namespace label). */
export const PRIMARY_NETWORK_LABEL = 'k8s.ovn.org/primary-user-defined-network';

/** Finalizer of networks and their NetworkAttachmentDefinitions (OKEP-5193, CRD Spec). */
export const NETWORK_FINALIZER = 'k8s.ovn.org/user-defined-network-protection';

/** Label of NetworkAttachmentDefinitions of networks (OVN-Kubernetes, userdefinednetwork controller). */
export const NETWORK_LABEL = 'k8s.ovn.org/user-defined-network';

/**
 * Label of the NetworkAttachmentDefinitions of networks that ovn-uplinks provides, with an empty value: the admission policies select by it
 * (config/networks/pods.yaml). Other implementations set NETWORK_LABEL too.
 */
export const OWN_DEFINITION_LABEL = 'ovn-uplinks/primary';

/** Type of the CNI plugin in NetworkAttachmentDefinitions of networks that ovn-uplinks provides. */
export const CNI_PLUGIN = 'ovn-uplinks-cni';

/** Version of the CNI specification of these configurations: one that all versions of Multus and container runtimes in use know. */
export const CNI_VERSION = '1.0.0';

/** Name of the ConfigMap with the claims of ids (docs/design/networks.md, "Ids"). */
export const ID_CLAIMS_NAME = 'ovn-uplinks-ids';

/** Annotation of a Node that reports which ids it uses: the name of the ConfigMap with its report (docs/design/networks.md, "Ids"). */
export const NODE_REPORT_ANNOTATION = 'ovn-uplinks/node-report';

/** Prefix of the names of ConfigMaps with reports of nodes. */
export const NODE_REPORT_PREFIX = 'ovn-uplinks-node';

/** Label of the ConfigMaps with ids: the claims have the value `claims`, the report of a node its name (docs/design/networks.md, "Ids"). */
export const IDS_LABEL = 'ovn-uplinks/ids';

/** The value of that label of the claims. */
export const IDS_LABEL_OF_CLAIMS = 'claims';

/** Name of the default network, also in the annotation with the subnets of nodes (OVN-Kubernetes, types.DefaultNetworkName). */
export const DEFAULT_NETWORK = 'default';

/** Label of a Service, and of its EndpointSlices, with the name of the proxy that serves it instead of kube-proxy (Kubernetes, well-known labels). */
export const SERVICE_PROXY_LABEL = 'service.kubernetes.io/service-proxy-name';

/** The value of that label of Services in networks that ovn-uplinks provides. */
export const SERVICE_PROXY = 'ovn-uplinks';

/** Label of an EndpointSlice with the name of its Service (Kubernetes documentation, "EndpointSlices"). */
export const SERVICE_NAME_LABEL = 'kubernetes.io/service-name';

/** Label of an EndpointSlice of a headless Service, with an empty value: kube-proxy leaves it out (Kubernetes, well-known labels). */
export const HEADLESS_LABEL = 'service.kubernetes.io/headless';

/** Label of an EndpointSlice with the name of what manages it (Kubernetes documentation, "EndpointSlices"). */
export const MANAGED_BY_LABEL = 'endpointslice.kubernetes.io/managed-by';

/** The value of that label of those that ovn-uplinks writes. */
export const MIRROR_MANAGER = 'ovn-uplinks';

/**
 * Annotation of a headless Service without a selector: the pods of its namespace to which its names lead, with their addresses in the network. As kubectl
 * takes label selectors.
 */
export const NAMES_SELECTOR_ANNOTATION = 'ovn-uplinks/selector';

/** The value of that label of those that kube-controller-manager writes by the selector of a Service. */
export const SELECTOR_MANAGER = 'endpointslice-controller.k8s.io';

/** Label of the mirror of an EndpointSlice with the name of the Service (OVN-Kubernetes, types.LabelUserDefinedServiceName). */
export const MIRRORED_SERVICE_LABEL = 'k8s.ovn.org/service-name';

/** Annotation of the mirror of an EndpointSlice with the name of that slice (OVN-Kubernetes, types.SourceEndpointSliceAnnotation). */
export const SOURCE_SLICE_ANNOTATION = 'k8s.ovn.org/source-endpointslice';

/** Annotation of the mirror of an EndpointSlice with the name of the network in OVN (OVN-Kubernetes, types.UserDefinedNetworkEndpointSliceAnnotation). */
export const NETWORK_NAME_OF_SLICE_ANNOTATION = 'k8s.ovn.org/endpointslice-network';

/** Annotation of the mirror of an EndpointSlice with the proxy that the label of that slice names, empty without it: agents see a slice with their own as long as it is there. */
export const PROXY_OF_SOURCE_ANNOTATION = 'ovn-uplinks/proxy-of-source';

/** Label of the mirror of an EndpointSlice with the id of the network: an agent selects by it those of the networks of its node. */
export const SLICE_NETWORK_LABEL = 'ovn-uplinks/network';

/** Label of a Node with the name of its zone (Kubernetes, well-known labels). */
export const ZONE_LABEL = 'topology.kubernetes.io/zone';

/** Kernel setting: 1 where TCP sockets that are bound to no VRF answer in all of them, for IPv4 and IPv6 (Linux, Documentation/networking/vrf.rst). */
export const TCP_IN_VRFS_SETTING = 'net.ipv4.tcp_l3mdev_accept';
