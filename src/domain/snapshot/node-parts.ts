/**
 * The parts of a node: the kernel's devices, addresses, routes, rules and neighbours, and the bridges of Open vSwitch.
 *
 * The types follow `ip -json -details` and OVSDB; adapters translate. Properties with a usual value are absent when they have it.
 */
/** A routing table: its number, such as 254 for main; or its name in the machine's rt_tables file, if ip printed only that. */
export type Table = number | string;

/** One network device of the kernel (ip-link(8)). */
export interface Link {
  /** Interface index. */
  readonly index: number;
  readonly name: string;
  /** Alternative names, which no other device can have; absent for none. Open vSwitch, settings and all other entities use the name. */
  readonly alternativeNames?: readonly string[];
  /** Kind of virtual device, such as `vrf`, `bond` or `dummy`; absent for others, and open-ended. */
  readonly kind?: string;
  /** Name of the master. */
  readonly master?: string;
  /** Link alias. */
  readonly alias?: string;
  /** Group of devices, as name or number (ip-link(8), group); absent for `default`. */
  readonly group?: string;
  /** Whether the device is administratively up. */
  readonly up: boolean;
  /** Operational state of RFC 2863 in lower case, such as `up`, `down`, `lowerlayerdown`, `unknown`. */
  readonly operationalState: string;
  /** MTU in bytes. */
  readonly mtu: number;
  /** Link-layer type, such as `ether`, `loopback`, `none`. */
  readonly type: string;
  /** Link-layer address, for Ethernet as `02:42:c0:00:02:06`; absent where the device has none. */
  readonly macAddress?: string;
  /** Routing table of a VRF device; absent on others. */
  readonly vrfTable?: number;
  /** Name of the device that this one is stacked on, such as the one under a VLAN device. */
  readonly lowerDevice?: string;
  /** Whether a VLAN device stays as it is while the one under it goes down or comes up (ip-link(8), loose_binding). */
  readonly looseBinding?: true;
  /**
   * How the kernel makes the IPv6 link-local address when the device comes up: `eui64` from its MAC address, `stable_secret` and `random` from a
   * secret (RFC 7217), `none` not at all (ip-link(8), addrgenmode). Absent if not read, and on VRF devices, which never have such an address.
   */
  readonly addressGeneration?: string;
  readonly addresses: readonly Address[];
}

/** One IP address of a device (ip-address(8)). */
export interface Address {
  /** The address as text, IPv4 or IPv6, without prefix length. */
  readonly address: string;
  readonly prefixLength: number;
  /** `global`, `link`, `host`, `site` or a number. */
  readonly scope: string;
  /** IPv4 label, by default the device's name. */
  readonly label?: string;
  /**
   * The address's flags in lower case, such as `secondary`, `temporary`, `deprecated`, `tentative`, `dynamic`, `nodad`,
   * `noprefixroute`, `mngtmpaddr`, `home`, in the order of their names.
   */
  readonly flags: readonly string[];
  /** The other end of a point-to-point connection. */
  readonly peer?: string;
  /** IPv4 broadcast address. */
  readonly broadcast?: string;
  /** Metric of the route to the address's subnet. */
  readonly metric?: number;
  /**
   * The protocol of the address, as `0x12`; absent for none, for addresses that the kernel adds, and if ip does not print it (before iproute2 6.3).
   * It has no effect.
   */
  readonly protocol?: string;
  /** Seconds until the kernel removes the address; absent: never. */
  readonly validSeconds?: number;
  /** Seconds until the address is no longer used for new connections; absent: never. */
  readonly preferredSeconds?: number;
}

/** One next hop of a route. */
export interface NextHop {
  readonly device?: string;
  /** Gateway; absent on a directly connected route. It may be of the other family (RFC 5549). */
  readonly gateway?: string;
  /** Weight in a multipath route, 1 to 256; absent for 1. */
  readonly weight?: number;
  /** Whether the gateway is `onlink`. */
  readonly onlink?: true;
  /** Whether nothing gets out by it now, as its device is down or has no carrier: `dead` or `linkdown` (rtnetlink(7), RTNH_F_DEAD). */
  readonly down?: true;
}

/** The key of a route in its table: the kernel has no two routes of one key (IPv6: only next hops of one). */
export interface RouteKey {
  readonly family: 4 | 6;
  readonly table: Table;
  /** Destination, CIDR; `0.0.0.0/0` and `::/0` for the default route, a single address with its full prefix length. */
  readonly destination: string;
  /** Lower is better; 0 for none. */
  readonly metric: number;
  /** Subnet that packets must come from, CIDR. */
  readonly source?: string;
  /** Type of service that packets must have, as `0x10`. */
  readonly typeOfService?: string;
}

/** One route of any table (ip-route(8)). */
export interface Route extends RouteKey {
  /** `unicast`, `local`, `unreachable` and so on. */
  readonly type: string;
  /** The rtnetlink protocol, as name or number, as the tool printed it. */
  readonly protocol: string;
  /** Every next hop: one for a plain route, more for a multipath route, those of the nexthop object for a route that uses one. */
  readonly nextHops: readonly NextHop[];
  /** Id of the nexthop object that the next hops are taken from (ip-nexthop(8)). */
  readonly nextHopObject?: number;
  /** IPv4: `link`, `host` or a number; absent for `global`, and for IPv6, which has none. */
  readonly scope?: string;
  /** Source address of what the node itself sends this way. */
  readonly preferredSource?: string;
  /** IPv6 router preference (RFC 4191), `low` or `high`; absent for `medium`. */
  readonly preference?: string;
  /** Metrics by their names in ip's output, such as `mtu`, `advmss`, `hoplimit`. */
  readonly metrics?: Readonly<Record<string, number | string>>;
  /** Seconds until the kernel removes the route; absent: never. */
  readonly expiresSeconds?: number;
  /** Names of unknown attributes, with which the route could not be restored. Absent for none. */
  readonly unknownAttributes?: readonly string[];
}

/** A next hop, or a group of them, that routes refer to by number (ip-nexthop(8)). */
export interface NextHopObject {
  readonly id: number;
  /** Family of the gateway, or of the packets of a device or blackhole; absent for groups. */
  readonly family?: 4 | 6;
  readonly device?: string;
  readonly gateway?: string;
  readonly onlink?: true;
  readonly blackhole?: true;
  /** The rtnetlink protocol, as name or number, as the tool printed it. */
  readonly protocol: string;
  /** Members of a group, each with its share of the packets, 1 to 256. */
  readonly group?: readonly { readonly id: number; readonly weight: number }[];
  /** As of a Route. */
  readonly unknownAttributes?: readonly string[];
}

/** One rule that picks a routing table (ip-rule(8)). */
export interface Rule {
  readonly family: 4 | 6;
  /** Rules are tried from the lowest to the highest. */
  readonly priority: number;
  /** The table that is looked up; absent for rules with another action. */
  readonly table?: Table;
  /** The rtnetlink protocol, as name or number, as the tool printed it. */
  readonly protocol: string;
  /** Packet mark that packets must have under the mask. */
  readonly mark?: number;
  /** Bits of the mark that count; absent: all of them. */
  readonly markMask?: number;
  /** Whether the device of its selector iif or oif does not exist, so that no packet is as it says. */
  readonly detached?: true;
  /** All other selectors and actions, by their names in ip's output, as JSON texts; empty for none. */
  readonly others: Readonly<Record<string, string>>;
}

/** One entry of the table of neighbours (ip-neighbour(8)). */
export interface Neighbour {
  readonly device: string;
  readonly address: string;
  readonly macAddress?: string;
  /** States in lower case, such as `permanent`, `reachable`, `stale`. */
  readonly states: readonly string[];
  /** The rtnetlink protocol, as name or number, as the tool printed it; absent where there is none. */
  readonly protocol?: string;
  /** Whether the neighbour is a router. */
  readonly router?: true;
}

/** A proxy entry: the device answers requests for the address (ip-neighbour(8), `proxy`). */
export interface NeighbourProxy {
  readonly device: string;
  readonly address: string;
  /** The rtnetlink protocol, as name or number, as the tool printed it; absent where there is none. */
  readonly protocol?: string;
  /** Whether it answers with the router flag. */
  readonly router?: true;
}

/** One interface of Open vSwitch (ovs-vswitchd.conf.db(5), Interface). */
export interface SwitchInterface {
  readonly name: string;
  /** `internal`, `patch`, a tunnel type, or empty for a device of the system. */
  readonly type: string;
  /** Number of the OpenFlow port; absent while it has none. */
  readonly openFlowPort?: number;
  /** Why Open vSwitch could not add it to its bridge, in the words of Open vSwitch; absent where it could. */
  readonly error?: string;
  /** `up` or `down`; absent where Open vSwitch does not know. */
  readonly linkState?: string;
  /** MTU in bytes; absent where Open vSwitch does not know. */
  readonly mtu?: number;
  /** The MAC address that is requested; absent for none: Open vSwitch then chooses one. */
  readonly macAddress?: string;
  /** The MTU in bytes that is requested; absent for none. */
  readonly requestedMtu?: number;
  readonly externalIds: Readonly<Record<string, string>>;
}

/** One port of a bridge; with two or more interfaces it is a bond (ovs-vswitchd.conf.db(5), Port). */
export interface SwitchPort {
  readonly name: string;
  readonly tag?: number;
  readonly vlanMode?: string;
  /** VLANs of a trunk; absent where there is no list, and a trunk carries all of them. */
  readonly trunks?: readonly number[];
  readonly externalIds: Readonly<Record<string, string>>;
  readonly interfaces: readonly SwitchInterface[];
}

/** One bridge (ovs-vswitchd.conf.db(5), Bridge). */
export interface Bridge {
  readonly name: string;
  readonly externalIds: Readonly<Record<string, string>>;
  readonly ports: readonly SwitchPort[];
}

/** One devlink port (devlink-port(8)), as far as it concerns representors. */
export interface DevlinkPort {
  /** Network device of the port, on a representor the representor itself. */
  readonly device: string;
  /** `physical`, `pcipf`, `pcivf`, `pcisf` and so on. */
  readonly flavour: string;
  /** MAC address of the function behind a representor; absent where the driver does not say. */
  readonly functionMacAddress?: string;
}
