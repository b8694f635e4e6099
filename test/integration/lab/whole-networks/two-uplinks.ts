import type { LabUplink } from '../packets/tenant.ts';
import type { WholePlace } from './whole-node.ts';

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
