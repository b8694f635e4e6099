/**
 * What one node looks like at one moment: the kernel's devices, addresses and routes, and Open vSwitch's bridges.
 *
 * The types follow what `ip -json -details` and OVSDB say, in this project's words; adapters translate. A list's order means
 * nothing. Later parts add what they read.
 */

/** One network device of the kernel (ip-link(8)). */
export interface Link {
  /** The kernel's number of the device. */
  readonly index: number;
  readonly name: string;
  /** Kind of virtual device, such as `vrf`, `bond` or `dummy`; absent for others, and open-ended. */
  readonly kind?: string;
  /** Name of the device that this one is a slave of. */
  readonly master?: string;
  /** Free text that an administrator or a program attached to the device. */
  readonly alias?: string;
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
  /** The address's flags in lower case, such as `secondary`, `temporary`, `deprecated`, `tentative`, `dynamic`. */
  readonly flags: readonly string[];
}

/** One next hop of a route. */
export interface NextHop {
  readonly device?: string;
  /** Address of the next router, of the route's own family; absent on a directly connected route. */
  readonly gateway?: string;
}

/** One route of any table (ip-route(8)). */
export interface Route {
  readonly family: 4 | 6;
  /** `unicast`, `local`, `unreachable` and so on. */
  readonly type: string;
  /** Destination, CIDR; `0.0.0.0/0` and `::/0` for the default route, a single address with its full prefix length. */
  readonly destination: string;
  /** Number of the table; 254 is main. */
  readonly table: number;
  /** The rtnetlink protocol, as name or number, as the tool printed it. */
  readonly protocol: string;
  /** Lower is better; 0 where the route has none. */
  readonly metric: number;
  /** Every next hop: one for a plain route, more for a multipath route, those of the nexthop object for a route that uses one. */
  readonly nextHops: readonly NextHop[];
}

/** One interface of Open vSwitch (ovs-vswitchd.conf.db(5), Interface). */
export interface SwitchInterface {
  readonly name: string;
  /** `internal`, `patch`, a tunnel type, or empty for a device of the system. */
  readonly type: string;
  /** Number of the OpenFlow port; absent while it has none. */
  readonly openFlowPort?: number;
  /** `up` or `down`; absent where Open vSwitch does not know. */
  readonly linkState?: string;
  /** MTU in bytes; absent where Open vSwitch does not know. */
  readonly mtu?: number;
  readonly externalIds: Readonly<Record<string, string>>;
}

/** One port of a bridge; with two or more interfaces it is a bond (ovs-vswitchd.conf.db(5), Port). */
export interface SwitchPort {
  readonly name: string;
  readonly tag?: number;
  readonly vlanMode?: string;
  readonly externalIds: Readonly<Record<string, string>>;
  readonly interfaces: readonly SwitchInterface[];
}

/** One bridge (ovs-vswitchd.conf.db(5), Bridge). */
export interface Bridge {
  readonly name: string;
  readonly externalIds: Readonly<Record<string, string>>;
  readonly ports: readonly SwitchPort[];
}

/** One devlink port (devlink-port(8)), as far as representors are told by it. */
export interface DevlinkPort {
  /** Network device of the port, on a representor the representor itself. */
  readonly device: string;
  /** `physical`, `pcipf`, `pcivf`, `pcisf` and so on. */
  readonly flavour: string;
  /** MAC address of the function behind a representor; absent where the driver does not say. */
  readonly functionMacAddress?: string;
}

/** One node, whole. */
export interface NodeSnapshot {
  /** Name of the Node object. */
  readonly nodeName: string;
  readonly links: readonly Link[];
  readonly routes: readonly Route[];
  /** external_ids of the Open_vSwitch row. */
  readonly switchExternalIds: Readonly<Record<string, string>>;
  readonly bridges: readonly Bridge[];
  readonly devlinkPorts: readonly DevlinkPort[];
  /** Kernel settings by their dotted names, such as `net.ipv4.tcp_l3mdev_accept`, where they were read. */
  readonly sysctls: Readonly<Record<string, string>>;
}
