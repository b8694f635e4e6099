/** Numbers of a network that follow from its id, beside the marks of its connections (docs/design/networks.md, "Numbers"). */
import { MANAGEMENT_PORT_PREFIX, PACKET_MARK_BASE, TRANSIT_SWITCH_KEY_BASE } from '../../basics/conventions.ts';
import type { Table } from '../../snapshot/node-snapshot.ts';
import { managementPortName } from './management-port.ts';

/** The tunnel key of a Layer3 network's transit switch. The key of a node's port on it is the id of the node. */
export function transitSwitchKey(networkId: number): number {
  return TRANSIT_SWITCH_KEY_BASE + networkId;
}

/** The mark that OVN-Kubernetes sets on packets of a network. */
export function packetMark(networkId: number): number {
  return PACKET_MARK_BASE + networkId;
}

/** The tables of VRF devices that OVN-Kubernetes does not remove at its start end here (docs/design/networks.md, "Numbers"). */
const LAST_LOW_TABLE = 999;

const LOW_TABLE_BASE = 299;

/** OVN-Kubernetes numbers the tables of DPUs, which have no management ports, from here (OVN-Kubernetes, util.CalculateRouteTableID). */
const HIGH_TABLE_BASE = 100_000;

/** The routing table of the VRF of a network that ovn-uplinks provides. */
export function vrfTable(networkId: number): number {
  const low = LOW_TABLE_BASE + networkId;
  return low <= LAST_LOW_TABLE ? low : HIGH_TABLE_BASE + networkId;
}

/**
 * Whether a device is the management port of the network whose VRF has a table: both have the number of the network. What is in the table, or in the VRF, by
 * that device is part of the logical network; anything else there is for its uplink.
 */
export function isManagementPortIn(table: Table | undefined, device: string): boolean {
  const networkId = Number(device.slice(MANAGEMENT_PORT_PREFIX.length));
  return vrfTable(networkId) === table && managementPortName(networkId) === device;
}
