import { bridge } from '../bridge.ts';
import { ip } from '../commands.ts';
import type { ArgumentVector } from '../node.ts';

/** A bridge for tenant blue, with what an administrator puts on one. */
export const blueBridge: readonly ArgumentVector[] = [
  ...bridge('br-blue', {
    addresses: ['192.0.2.6/24', '2001:db8:b::6/64'],
    physicalPort: 'eth1',
    // The same where it is made again.
    macAddress: '02:00:00:00:01:06',
  }),
  ip`link add link br-blue name br-blue.5 up type vlan id 5`,
  ip`address add 198.51.120.1/24 dev br-blue.5`,
  ip`route add default via 192.0.2.1 dev br-blue metric 100`,
  ip`route add default via 2001:db8:b::1 dev br-blue metric 100`,
  ip`route add 203.0.113.128/25 via 192.0.2.2 dev br-blue proto static`,
  ip`route add 198.51.104.0/24 via 192.0.2.1 dev br-blue table 77`,
  ip`neighbour add 192.0.2.77 lladdr 02:00:00:00:77:77 dev br-blue nud permanent`,
];

/** Network blue in a VRF of its own, on that bridge. */
export const blue = { name: 'blue', device: 'br-blue', targetVRF: 'auto' };
