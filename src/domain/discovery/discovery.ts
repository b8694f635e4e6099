/**
 * The facts of an uplink on a node, or why it cannot be used (docs/design/api-decisions.md, "Ready")
 *
 * A chain of checks, each of which either adds to what was found or ends the chain with a failure. A check's type says what must
 * have been found before it, so the order of the list in `ready-checks.ts` is checked by the compiler.
 */
import type { Bridge, Link, SwitchPort } from '../snapshot/node-snapshot.ts';
import type { NodeView } from '../snapshot/node-view.ts';

/** The input of every check. */
export interface DiscoveryInput {
  readonly node: NodeView;
  readonly hostInterfaceName: string;
  /** Bridges that are not uplinks, each with its role. */
  readonly reservedBridges: ReadonlyMap<string, ReservedBridgeRole>;
  /** Subnets whose addresses are not published, CIDR. */
  readonly masqueradeSubnets: readonly string[];
  /** The MTU in bytes that the networks on this uplink need, and the network that needs it, if there is one. */
  readonly requiredMtu: { readonly bytes: number; readonly network?: string };
  /** Addresses (CIDR) that the node's state publishes already. */
  readonly publishedAddresses: readonly string[];
}

/** Why a bridge cannot be used by an uplink. */
export type ReservedBridgeRole = 'integration' | 'default-gateway' | 'egress-gateway';

/** The host interface was found. */
export interface FoundInterface {
  readonly link: Link;
}

/** It has a unicast MAC address. */
export interface FoundMacAddress {
  readonly macAddress: string;
}

/** It has addresses that can be published, and perhaps gateways. */
export interface FoundAddresses {
  /** CIDR, at most one a family, IPv4 first. */
  readonly ipAddresses: readonly string[];
  /** Addresses of next routers, best first. */
  readonly defaultGateways: readonly string[];
}

/** It is part of a bridge. */
export interface FoundBridge {
  readonly bridge: Bridge;
  /** The bridge's port that leads to the host: its LOCAL port, an internal port, or a representor. */
  readonly hostPort: SwitchPort;
  /** The interface of that port, by which flows and FDB entries name it: the host interface itself, or its representor. */
  readonly hostPortInterface: string;
}

/** The bridge has one physical port. */
export interface FoundPhysicalPort {
  readonly physicalPort: string;
  /** The interface of that port, by which flows name it; most have the name of their port. */
  readonly physicalInterface: string;
  /** MTU in bytes of the physical port. */
  readonly physicalMtu: number;
}

/** The narrowest device of the uplink is wide enough. */
export interface FoundWidth {
  /** MTU in bytes of that device, and its name. */
  readonly narrowest: { readonly mtu: number; readonly device: string };
}

/** The evidence of the checks that passed. */
export type Evidence = Partial<
  FoundInterface & FoundMacAddress & FoundAddresses & FoundBridge & FoundPhysicalPort & FoundWidth
>;

/** Why the chain ended, with the facts for the message, which `status/ready.ts` writes. */
export type DiscoveryFailure =
  | {
      readonly reason: 'HostInterfaceNotFound';
      readonly cause: 'absent' | 'impossible-name' | 'taken-for-number' | 'equals-sign';
    }
  | { readonly reason: 'GatewayInfoUnavailable'; readonly cause: 'no-mac-address'; readonly macAddress?: string }
  | { readonly reason: 'GatewayInfoUnavailable'; readonly cause: 'down'; readonly state: string }
  | { readonly reason: 'GatewayInfoUnavailable'; readonly cause: 'no-address' }
  | { readonly reason: 'BridgeNotFound' }
  | {
      readonly reason: 'BridgeInvalid';
      readonly cause: 'reserved';
      readonly bridge: string;
      readonly role: ReservedBridgeRole;
    }
  | {
      readonly reason: 'BridgeInvalid';
      readonly cause: 'name-twice';
      readonly name: string;
      readonly bridges: readonly string[];
    }
  | {
      readonly reason: 'BridgeInvalid';
      readonly cause: 'several-representors';
      readonly representors: readonly string[];
    }
  /** The name cannot be used in the bridge mappings. */
  | { readonly reason: 'BridgeInvalid'; readonly cause: 'unmappable-name'; readonly bridge: string }
  | { readonly reason: 'BridgeInvalid'; readonly cause: 'host-interface-is-physical'; readonly bridge: string }
  /** The port to the host carries no untagged frames both ways. */
  | {
      readonly reason: 'BridgeInvalid';
      readonly cause: 'no-untagged-frames';
      readonly bridge: string;
      readonly port: string;
      /** `trunk`, `native-tagged` or `dot1q-tunnel` (ovs-vswitchd.conf.db(5), Port, vlan_mode). */
      readonly mode: string;
    }
  /** The physical port does not carry the uplink's VLAN as it is; 0 stands for untagged frames. */
  | {
      readonly reason: 'BridgeInvalid';
      readonly cause: 'vlan-not-carried';
      readonly bridge: string;
      readonly port: string;
      readonly vlan: number;
    }
  /** Open vSwitch has not added the port to the bridge. */
  | {
      readonly reason: 'BridgeInvalid';
      readonly cause: 'port-not-added';
      readonly bridge: string;
      readonly port: string;
      /** The reason in the words of Open vSwitch; absent where it says none. */
      readonly error?: string;
    }
  | {
      readonly reason: 'BridgeInvalid';
      readonly cause: 'no-physical-port';
      readonly bridge: string;
      /** Ports that do not count, and the key of external_ids by which each is a guest's; absent for none. */
      readonly guests?: readonly { readonly port: string; readonly key: string }[];
    }
  | {
      readonly reason: 'BridgeInvalid';
      readonly cause: 'several-physical-ports';
      readonly bridge: string;
      readonly ports: readonly string[];
    }
  | {
      readonly reason: 'BridgeInvalid';
      readonly cause: 'named-port-unusable';
      readonly bridge: string;
      readonly port: string;
      readonly why: 'absent' | 'not-physical';
    }
  | { readonly reason: 'BridgeInvalid'; readonly cause: 'switch-bond'; readonly bridge: string; readonly port: string }
  | {
      readonly reason: 'BridgeInvalid';
      readonly cause: 'physical-port-down';
      readonly bridge: string;
      readonly port: string;
      /** Its interface. */
      readonly device: string;
      readonly state: string;
    }
  | {
      readonly reason: 'MTUInvalid';
      /** MTU in bytes of the narrowest device, and its name. */
      readonly mtu: number;
      readonly device: string;
      readonly required: number;
      /** The network that needs it; absent where it is the default network's MTU. */
      readonly network?: string;
    };

/** The result of a check: what it adds, or the failure. */
export type CheckResult<Gives> =
  { readonly ok: true; readonly found: Gives } | { readonly ok: false; readonly failure: DiscoveryFailure };

/** One check. */
export interface Check<Needs, Gives> {
  readonly name: string;
  readonly run: (input: DiscoveryInput, found: Needs) => CheckResult<Gives>;
}

/** Facts that were found of an uplink, up to the check that failed. */
export interface UplinkFacts {
  readonly macAddress?: string;
  /** CIDR, at most one a family, IPv4 first. */
  readonly ipAddresses?: readonly string[];
  /** Best first. */
  readonly defaultGateways?: readonly string[];
  readonly bridge?: string;
  /** The interface of the bridge's port that leads to the host: the host interface itself, or its representor. */
  readonly hostPort?: string;
  /** Access VLAN of the port that leads to the host; absent where it has none. */
  readonly vlan?: number;
  readonly physicalPort?: string;
  /** The interface of that port. */
  readonly physicalInterface?: string;
  /** The narrowest device. */
  readonly narrowest?: FoundWidth['narrowest'];
}

/** The result of the checks, and where they ended; without a failure the uplink is usable. */
export interface Discovery {
  readonly facts: UplinkFacts;
  readonly failure?: DiscoveryFailure;
}
