import type { Service } from '../api/service.ts';
import { canonicalAddress } from '../basics/addresses/ip-address.ts';
import type { ClusterView } from '../plan/view/cluster-view.ts';
import { networkOfServices } from '../plan/view/network-of-services.ts';
import { keyOf, namespaceOf } from '../services/services-by-namespace.ts';
import { SharedAddresses, type SharedWith } from '../services/shared-addresses.ts';

const addressesOf = ({ spec: { clusterIPs = [] } }: Service) => clusterIPs.map((address) => canonicalAddress(address));

/** The addresses of a Service that others of its network have too, with these. */
export function sharedAddresses(service: Service, view: ClusterView): SharedWith {
  const own = new Set(addressesOf(service));
  const addresses = new SharedAddresses();
  for (const each of view.snapshot.services)
    if (addressesOf(each).some((address) => own.has(address)))
      addresses.set(keyOf(each), each, networkOfServices(namespaceOf(each), view));
  return addresses.with(keyOf(service));
}
