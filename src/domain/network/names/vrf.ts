import { INTERFACE_NAME_BYTES } from '../../basics/conventions.ts';
import { isInterfaceName, isTakenForNumber, utf8Length } from '../../basics/names/interface-name.ts';
import type { Network } from '../network.ts';
import { vrfTable } from './numbers.ts';

/**
 * Name of a network's own VRF device: the network's name where it can be one, else a name by its id. Absent where that id is needed and
 * not allocated yet (OVN-Kubernetes, util.GetNetworkVRFName).
 */
export function ownVrfName(network: string, networkId: number | undefined): string | undefined {
  if (utf8Length(network) <= INTERFACE_NAME_BYTES && network !== 'default') return network;
  return networkId === undefined ? undefined : `mp${networkId}-udn-vrf`;
}

/** The VRF of a network that ovn-uplinks provides: that of a UserDefinedNetwork is named by its id, as other namespaces may have one of the same name. */
export function vrfOfNetwork(
  { kind, metadata: { name } }: Pick<Network, 'kind' | 'metadata'>,
  networkId: number,
): { readonly name: string; readonly table: number } {
  const byId = `mp${networkId}-udn-vrf`;
  return {
    name: kind === 'UserDefinedNetwork' ? byId : (ownVrfName(name, networkId) ?? byId),
    table: vrfTable(networkId),
  };
}

/** Names that the kernel keeps for itself, as the settings of all devices and of new ones are under them (Linux, devinet.c). */
const keptNames: ReadonlySet<string> = new Set(['all', 'default']);

/** Whether the kernel would make a VRF device of the name, and ip would never take it for another device. */
export function isVrfName(name: string): boolean {
  return isInterfaceName(name) && !keptNames.has(name) && !isTakenForNumber(name);
}
