/**
 * Which subnets do the Services of a cluster have? Those of the settings, and those of its ServiceCIDRs, which are added and deleted while the cluster runs (Kubernetes, "Virtual
 * IPs and Service Proxies", Extend Service IP Ranges).
 */
import { networkOf } from '../../basics/addresses/ip-address.ts';
import { lastByObject, lazyByObjects } from '../../basics/incremental/by-identity.ts';
import { distinct } from '../../basics/names/ordering.ts';
import type { ClusterSnapshot } from '../../snapshot/cluster-snapshot.ts';
import type { ClusterSettings } from '../../snapshot/settings.ts';

type ServiceCidrs = ClusterSnapshot['serviceCidrs'];

/** The subnets of ServiceCIDRs in name order, CIDR. A text that is none is left out: no API server accepts one. */
function subnetsOf(objects: ServiceCidrs): readonly string[] {
  return distinct(objects.flatMap(({ spec }) => (spec?.cidrs ?? []).flatMap((cidr) => networkOf(cidr) ?? [])));
}

const lastSettings = lastByObject<ClusterSettings>();

const joined = lazyByObjects((objects: ServiceCidrs, settings: ClusterSettings): ClusterSettings => {
  const known = new Set(settings.serviceCidrs.map((cidr) => networkOf(cidr) ?? cidr));
  const added = subnetsOf(objects).filter((cidr) => !known.has(cidr));
  if (added.length === 0) return settings;
  return lastSettings(settings, added, () => ({ ...settings, serviceCidrs: [...settings.serviceCidrs, ...added] }));
});

/** Settings with all subnets of the Services of a cluster: the same object as long as these are the same. */
export function withServiceCidrs<Settings extends ClusterSettings>(
  settings: Settings,
  { serviceCidrs }: Pick<ClusterSnapshot, 'serviceCidrs'>,
): Settings {
  // They are the settings that are given, with another list.
  return joined(serviceCidrs, settings) as Settings;
}
