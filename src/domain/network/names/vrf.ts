import { INTERFACE_NAME_BYTES } from '../../basics/conventions.ts';
import { isInterfaceName, isTakenForNumber, utf8Length } from '../../basics/names/interface-name.ts';
import { isNamespaced, nameOfNetwork, type NetworkKey } from '../key.ts';
import type { Network } from '../network.ts';
import { vrfTable } from './numbers.ts';

const vrfNameById = (networkId: number) => `mp${networkId}-udn-vrf`;

/**
 * Name of a network's own VRF device: the network's name where it can be one, else a name by its id. Absent where that id is needed and
 * not allocated yet (OVN-Kubernetes, util.GetNetworkVRFName).
 */
export function ownVrfName(network: string, networkId: number | undefined): string | undefined {
  if (utf8Length(network) <= INTERFACE_NAME_BYTES && network !== 'default') return network;
  return networkId === undefined ? undefined : vrfNameById(networkId);
}

/**
 * Name of the own VRF device of a network by its key; absent where its id is needed and not allocated yet. That of a UserDefinedNetwork is named by its id, as
 * other namespaces may have one of the same name.
 */
export function ownVrfOf(key: NetworkKey, networkId: number | undefined): string | undefined {
  if (!isNamespaced(key)) return ownVrfName(nameOfNetwork(key), networkId);
  return networkId === undefined ? undefined : vrfNameById(networkId);
}

/** The VRF of a network that ovn-uplinks provides. */
export function vrfOfNetwork(
  { key }: Pick<Network, 'key'>,
  networkId: number,
): { readonly name: string; readonly table: number } {
  return { name: ownVrfOf(key, networkId) ?? vrfNameById(networkId), table: vrfTable(networkId) };
}

/** Names that the kernel keeps for itself, as the settings of all devices and of new ones are under them (Linux, devinet.c). */
const keptNames: ReadonlySet<string> = new Set(['all', 'default']);

/** Whether the kernel would make a VRF device of the name, and ip would never take it for another device. */
export function isVrfName(name: string): boolean {
  return isInterfaceName(name) && !keptNames.has(name) && !isTakenForNumber(name);
}
