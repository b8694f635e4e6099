/** What the fault tests do to a node: a tenant with everything an administrator may have on a bridge, and a second one beside it. */
import type { ClusterSnapshot } from '../../../../../src/domain/index.ts';
import { bridge } from '../../bridge.ts';
import { clusterOf } from '../../clusters.ts';
import { ip } from '../../commands.ts';
import type { ArgumentVector } from '../../node.ts';

/** A bridge for tenant blue, with what an administrator puts on one. */
export const blueBridge: readonly ArgumentVector[] = [
  ...bridge('br-blue', { addresses: ['192.0.2.6/24', '2001:db8:b::6/64'], physicalPort: 'eth1' }),
  ip`link add link br-blue name br-blue.5 up type vlan id 5`,
  ip`address add 198.51.120.1/24 dev br-blue.5`,
  ip`route add default via 192.0.2.1 dev br-blue metric 100`,
  ip`route add default via 2001:db8:b::1 dev br-blue metric 100`,
  ip`route add 203.0.113.128/25 via 192.0.2.2 dev br-blue proto static`,
  ip`route add 198.51.104.0/24 via 192.0.2.1 dev br-blue table 77`,
  ip`neighbour add 192.0.2.77 lladdr 02:00:00:00:77:77 dev br-blue nud permanent`,
];

/** A bridge for tenant red, on which nothing is in anybody's way. */
export const redBridge: readonly ArgumentVector[] = [
  ...bridge('br-red', { addresses: ['192.0.3.6/24'], physicalPort: 'eth2' }),
  ip`route add default via 192.0.3.1 dev br-red metric 101`,
];

/** Network blue in a VRF of its own, on its bridge. */
export const blue = { name: 'blue', device: 'br-blue', targetVRF: 'auto' };

const red = { name: 'red', device: 'br-red', subnets: ['10.21.0.0/16'] };

/** A cluster with both, and one that has neither. */
export const withTenants: ClusterSnapshot = clusterOf([blue, red]);
export const withoutTenants: ClusterSnapshot = {
  ...withTenants,
  clusterUserDefinedNetworks: [],
  routeAdvertisements: [],
};
