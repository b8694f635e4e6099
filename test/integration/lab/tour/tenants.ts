import { clusterOf } from '../clusters.ts';
import { bridgeOf, common, type LabUplink } from '../packets/tenant.ts';
import type { WholePlace } from '../whole-networks/whole-node.ts';

/** The tenants. Each has a namespace, and on each node an uplink and a VRF. */
export const tenants = ['blue', 'red'] as const;

/** A node by its number, with an uplink of each tenant to another provider. Both uplinks have the same addresses. */
function placeOf(name: string, number: number): WholePlace & { readonly uplinks: readonly LabUplink[] } {
  const uplinks = tenants.map((tenant, index): LabUplink => ({
    name: tenant,
    macAddress: `02:00:00:00:0${index + 1}:0${6 + number}`,
    addresses: [`192.0.2.${6 + number}`, `2001:db8:b::${6 + number}`],
    nodeSubnets: [`10.20.${number}.0/24`, number === 0 ? 'fd20::/64' : `fd20:0:0:${number}::/64`],
  }));
  return { name, address: `198.51.100.${10 + number}`, podSubnet: `10.244.${number}.0/24`, uplinks };
}

/** Two nodes. */
export const places = [placeOf('worker-a', 0), placeOf('worker-b', 1)] as const;

/** The Uplinks of the tenants, their networks, which have the same subnets, and what advertises these in VRFs. */
export const { uplinks, clusterUserDefinedNetworks, routeAdvertisements, frrConfigurations } = clusterOf(
  places[0].uplinks.map((uplink) => ({
    name: uplink.name,
    device: bridgeOf(uplink),
    targetVRF: 'auto',
    subnets: common.clusterSubnets,
  })),
);
