import { bridge, physicalPort } from '../bridge.ts';
import { ip } from '../commands.ts';
import type { ArgumentVector } from '../node.ts';

/** Properties of the bridge that are the same after it is deleted and created again. */
const macAddress = '02:00:00:00:01:06';
const addresses = ['192.0.2.6/24', '2001:db8:b::6/64'];
const port = 'eth1';

/** The configuration of an administrator on the bridge. */
const administratorConfig: readonly ArgumentVector[] = [
  ip`link add link br-blue name br-blue.5 up type vlan id 5`,
  ip`address add 198.51.120.1/24 dev br-blue.5`,
  ip`route replace default via 192.0.2.1 dev br-blue metric 100`,
  ip`route replace default via 2001:db8:b::1 dev br-blue metric 100`,
  ip`route replace 203.0.113.128/25 via 192.0.2.2 dev br-blue proto static`,
  ip`route replace 198.51.104.0/24 via 192.0.2.1 dev br-blue table 77`,
  ip`neighbour replace 192.0.2.77 lladdr 02:00:00:00:77:77 dev br-blue nud permanent`,
];

/** A bridge for tenant blue, with the configuration of an administrator. */
export const blueBridge: readonly ArgumentVector[] = [
  ...bridge('br-blue', { addresses, physicalPort: port, macAddress }),
  ...administratorConfig,
];

/** The bridge for tenant blue while an agent runs: without its physical port until the end, so that it is not an uplink while it is incomplete. */
export const blueBridgeAgain: readonly ArgumentVector[] = [
  ...bridge('br-blue', { addresses, macAddress }),
  ...administratorConfig,
  ...physicalPort('br-blue', port, macAddress),
];

/** Network blue in a VRF of its own, on that bridge. */
export const blue = { name: 'blue', device: 'br-blue', targetVRF: 'auto' };
