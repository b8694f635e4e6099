/**
 * From which addresses does a node reach its pods?
 */
import { familyOf, subnetContains } from '../basics/addresses/ip-address.ts';
import { distinct } from '../basics/names/ordering.ts';
import { isManagementPortName } from '../network/names/management-port.ts';
import type { Link } from '../snapshot/node-snapshot.ts';

/** Where kube-proxy has the addresses of all Services, to be delivered to this node (Kubernetes, pkg/proxy/ipvs, defaultDummyDevice): nothing is sent from them. */
const SERVICES_DEVICE = 'kube-ipvs0';

/** Loopback, and IPv6 addresses of one link, which each interface of a pod has: packets to a pod’s address come from neither. */
const others = ['127.0.0.0/8', '::1/128', 'fe80::/10'];

/** VRFs of networks, by their management ports. That of the default network is in none: probes come from its address. */
function vrfsOfNetworks(links: readonly Link[]): ReadonlySet<string> {
  return new Set(links.flatMap(({ name, master }) => (isManagementPortName(name) ? (master ?? []) : [])));
}

/**
 * The addresses of a node that its packets to pods by the default network may come from, in order: those of all interfaces but the ones in VRFs of
 * networks, which come and go with networks.
 */
export function nodeAddresses(links: readonly Link[]): readonly string[] {
  const vrfs = vrfsOfNetworks(links);
  const all = links
    .filter(({ name, master }) => name !== SERVICES_DEVICE && !vrfs.has(name) && !vrfs.has(master ?? ''))
    .flatMap(({ addresses }) => addresses.map(({ address }) => address));
  return distinct(all).filter(
    (address) => !others.some((subnet) => familyOf(subnet) === familyOf(address) && subnetContains(subnet, address)),
  );
}
