/** Other nodes in OVN's Southbound database (ovn-sb(5), Chassis, Encap and Port_Binding). */

/** external_ids key of managed chassis; the value is the name of the Node (docs/design/ownership.md, "Three rules"). */
export const CHASSIS_OWNER_KEY = 'ovn-uplinks-node';

/** A chassis. */
export interface Chassis {
  readonly name: string;
  readonly hostname: string;
  /** The addresses where its Geneve tunnels end, sorted. */
  readonly addresses: readonly string[];
  /** Whether it is in another zone. */
  readonly isRemote: boolean;
  /** Name of the Node that ovn-uplinks has added it for; absent for unmanaged chassis. */
  readonly node?: string;
}

/** A port of another node that is bound to its chassis: packets to it are sent there. */
export interface RemotePort {
  /** Name of the logical port. */
  readonly port: string;
  /** Name of the chassis. */
  readonly chassis: string;
  /** The name in OVN of the network that ovn-uplinks has added the port for; absent for ports of other programs. */
  readonly network?: string;
  /** Present if OVN has not confirmed the binding: it is confirmed before the port is as desired. */
  readonly isUnconfirmed?: true;
}
