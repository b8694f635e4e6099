import { InvalidArgumentError } from 'commander';
import type { ServiceName } from '../../adapters/kubernetes/kubernetes-services.ts';

/** Socket of Open vSwitch's database where distributions put it. */
export const DATABASE_SOCKET = '/var/run/openvswitch/db.sock';

/** Socket of the CNI plugin, where the plugin looks for it. */
export const CNI_SOCKET = '/run/ovn-uplinks/cni.sock';

/** Where the cluster’s DNS is, as kubeadm and others have it; the same as OVN-Kubernetes’ dns-service-namespace and dns-service-name. */
export const DNS_SERVICE = 'kube-system/kube-dns';

/** Folder of the kernel's network settings. */
export const NETWORK_SETTINGS = '/proc/sys/net';

/** Parses the name of a Service, as `kube-system/kube-dns`. */
export function serviceName(text: string): ServiceName {
  const [namespace = '', name = '', ...others] = text.split('/');
  if (namespace === '' || name === '' || others.length > 0) {
    throw new InvalidArgumentError('Expected a namespace and a name, such as kube-system/kube-dns.');
  }
  return { namespace, name };
}
