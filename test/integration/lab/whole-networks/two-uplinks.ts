import { clusterOf } from '../clusters.ts';
import { bridgeOf, type LabUplink } from '../packets/tenant.ts';
import type { WholePlace } from './whole-node.ts';

/** The tenants, with the same subnets. Each has a namespace and an uplink. */
export const tenants = ['blue', 'red'] as const;

/** The uplinks of a node, each to another provider. Their addresses end with its number. */
function uplinksOf(number: number): readonly LabUplink[] {
  return [
    {
      name: 'blue',
      macAddress: `02:00:00:00:01:0${number}`,
      addresses: [`192.0.2.${number}`, `2001:db8:b::${number}`],
    },
    {
      name: 'red',
      macAddress: `02:00:00:00:02:0${number}`,
      addresses: [`203.0.113.${number}`, `2001:db8:c::${number}`],
      gateways: ['203.0.113.1', '2001:db8:c::1'],
    },
  ];
}

/** Two nodes, each with an uplink of each tenant. */
export const places = [
  { name: 'worker-a', address: '198.51.100.10', podSubnet: '10.244.0.0/24', uplinks: uplinksOf(6) },
  { name: 'worker-b', address: '198.51.100.11', podSubnet: '10.244.1.0/24', uplinks: uplinksOf(7) },
] as const satisfies readonly WholePlace[];

/** The networks of the tenants and their Uplinks. They are in the default routing domain, so pods leave with the address of the uplink of their node. */
export const { uplinks, clusterUserDefinedNetworks } = clusterOf(
  uplinksOf(0).map((uplink) => ({ name: uplink.name, device: bridgeOf(uplink) })),
);
