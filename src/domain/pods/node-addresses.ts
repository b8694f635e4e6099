/**
 * From which addresses does a node reach its pods?
 */
import { familyOf, subnetContains } from '../ip-address.ts';
import { distinct } from '../ordering.ts';
import type { Link } from '../snapshot/node-snapshot.ts';

/** Where kube-proxy has the addresses of all Services, to be delivered to this node (Kubernetes, pkg/proxy/ipvs, defaultDummyDevice): nothing is sent from them. */
const SERVICES_DEVICE = 'kube-ipvs0';

/** Loopback, and IPv6 addresses of one link, which each interface of a pod has: packets to a pod’s address come from neither. */
const others = ['127.0.0.0/8', '::1/128', 'fe80::/10'];

/** All addresses of a node that its packets to pods may come from, on whatever interface, in order. */
export function nodeAddresses(links: readonly Link[]): readonly string[] {
  const all = links
    .filter(({ name }) => name !== SERVICES_DEVICE)
    .flatMap(({ addresses }) => addresses.map(({ address }) => address));
  return distinct(all).filter(
    (address) => !others.some((subnet) => familyOf(subnet) === familyOf(address) && subnetContains(subnet, address)),
  );
}
