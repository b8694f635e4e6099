/** Names of a pod in OVN and on the node. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { entityPrefix } from '../network/names/logical-network.ts';

/** A pod: one that is deleted and created again is another one. */
export interface PodKey {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** A pod as the key of a map or set. Names have no spaces. */
export function textOfKey({ namespace, name, uid }: PodKey): string {
  return `${namespace}/${name} ${uid}`;
}

/** A pod as messages name it. */
export function podText({ namespace, name }: Pick<PodKey, 'namespace' | 'name'>): string {
  return `Pod/${namespace}/${name}`;
}

/**
 * The name of the logical switch port of a pod, which is also the `iface-id` of its interface (OVN-Kubernetes, GetUserDefinedNetworkLogicalPortName).
 *
 * @param definition name of the network's NetworkAttachmentDefinition, which is in the namespace of the pod
 */
export function logicalPortName({ namespace, name }: Pick<PodKey, 'namespace' | 'name'>, definition: string): string {
  return `${entityPrefix(`${namespace}/${definition}`)}${namespace}_${name}`;
}

/** Prefix of the names of the host's ends of pods' interfaces; 12 hexadecimal digits follow. */
const HOST_INTERFACE_PREFIX = 'ovu';

/** Whether a device is the host's end of the interface of some pod in a network of its own, by its name. */
export function isHostInterfaceName(name: string): boolean {
  return /^ovu[0-9a-f]{12}$/.test(name);
}

/** The name of the host's end of a pod's interface, of 15 characters. */
export function hostInterfaceName(containerId: string, ifname: string): string {
  return `${HOST_INTERFACE_PREFIX}${bytesToHex(sha256(utf8ToBytes(`${containerId} ${ifname}`))).slice(0, 12)}`;
}
