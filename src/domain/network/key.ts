/**
 * The identity of a network, and its names. Neither names of objects nor of namespaces contain an underscore (RFC 1123), so that each follows from the other.
 */
import { CLUSTER_NETWORK_NAME_PREFIX } from '../basics/conventions.ts';

/** The object of a network: `ClusterUserDefinedNetwork/name` or `UserDefinedNetwork/namespace/name`. */
export type NetworkKey = `ClusterUserDefinedNetwork/${string}` | `UserDefinedNetwork/${string}/${string}`;

/** The object of a network. */
interface NetworkObject {
  readonly kind: 'ClusterUserDefinedNetwork' | 'UserDefinedNetwork';
  readonly metadata: { readonly namespace?: string; readonly name: string };
}

/** The key of a network by its object. */
export function keyOfNetwork({ kind, metadata: { namespace = 'default', name } }: NetworkObject): NetworkKey {
  return kind === 'UserDefinedNetwork' ? `${kind}/${namespace}/${name}` : clusterNetworkKey(name);
}

/** The key of a ClusterUserDefinedNetwork. */
export function clusterNetworkKey(name: string): NetworkKey {
  return `ClusterUserDefinedNetwork/${name}`;
}

/** The key of a UserDefinedNetwork by `namespace/name`. */
export function namespacedNetworkKey(path: string): NetworkKey {
  const [namespace = '', name = ''] = path.split('/');
  return `UserDefinedNetwork/${namespace}/${name}`;
}

/** Whether a key is that of a UserDefinedNetwork. */
export function isNamespaced(key: NetworkKey): boolean {
  return key.startsWith('UserDefinedNetwork/');
}

/** The name in OVN of a ClusterUserDefinedNetwork: the normalized network name of OVN-Kubernetes. */
export function clusterNetworkName(name: string): string {
  return CLUSTER_NETWORK_NAME_PREFIX + name;
}

/** The name in OVN of a UserDefinedNetwork. */
export function namespacedNetworkName({ namespace = 'default', name }: NetworkObject['metadata']): string {
  return `${namespace}_${name}`;
}

/** The name in OVN of the network with a key. */
export function networkNameOfKey(key: NetworkKey): string {
  const [kind, ...path] = key.split('/');
  return kind === 'UserDefinedNetwork' ? path.join('_') : clusterNetworkName(path.join('/'));
}

/** The key of the network with a name in OVN; undefined if no object leads to such a name. */
export function keyOfNetworkName(networkName: string): NetworkKey | undefined {
  if (networkName.startsWith(CLUSTER_NETWORK_NAME_PREFIX)) {
    return clusterNetworkKey(networkName.slice(CLUSTER_NETWORK_NAME_PREFIX.length));
  }
  const [namespace = '', name = '', ...others] = networkName.split('_');
  return name === '' || others.length > 0 ? undefined : `UserDefinedNetwork/${namespace}/${name}`;
}

/** Whether a text has the form of a key. */
export function isNetworkKey(text: string): text is NetworkKey {
  return /^(ClusterUserDefinedNetwork\/[^/]+|UserDefinedNetwork\/[^/]+\/[^/]+)$/.test(text);
}

/** The name of a network as people read it: that of its object, with its namespace if it has one (`namespace/name`). */
export function nameOfNetwork(key: NetworkKey): string {
  return key.slice(key.indexOf('/') + 1);
}
