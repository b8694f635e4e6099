/** What the fault tests do to a node: a tenant with everything an administrator may have on a bridge, and a second one beside it. */
import type { ClusterSnapshot } from '../../../../../src/domain/index.ts';
import { bridge } from '../../bridge.ts';
import { clusterOf } from '../../clusters.ts';
import { ip } from '../../commands.ts';
import type { ArgumentVector } from '../../node.ts';
import { blue } from '../blue.ts';

/** A bridge for tenant red, on which nothing is in anybody's way. */
export const redBridge: readonly ArgumentVector[] = [
  ...bridge('br-red', { addresses: ['192.0.3.6/24'], physicalPort: 'eth2' }),
  ip`route add default via 192.0.3.1 dev br-red metric 101`,
];

const red = { name: 'red', device: 'br-red', subnets: ['10.21.0.0/16'] };

/** A cluster with both, and one that has neither. */
export const withTenants: ClusterSnapshot = clusterOf([blue, red]);
export const withoutTenants: ClusterSnapshot = {
  ...withTenants,
  clusterUserDefinedNetworks: [],
  routeAdvertisements: [],
};
