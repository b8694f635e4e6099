/** The tenants of the fault tests: one with all that an administrator may configure on a bridge, and a second one. */
import type { ClusterSnapshot } from '../../../../../src/domain/index.ts';
import { bridge } from '../../bridge.ts';
import { clusterOf } from '../../clusters.ts';
import { ip } from '../../commands.ts';
import type { ArgumentVector } from '../../node.ts';
import { blue } from '../blue.ts';

/** A bridge for tenant red, without any obstacle. */
export const redBridge: readonly ArgumentVector[] = [
  ...bridge('br-red', { addresses: ['192.0.3.6/24'], physicalPort: 'eth2' }),
  ip`route add default via 192.0.3.1 dev br-red metric 101`,
];

const red = { name: 'red', device: 'br-red', subnets: ['10.21.0.0/16'] };

/** A cluster with both tenants, and one with neither. */
export const withTenants: ClusterSnapshot = clusterOf([blue, red]);
export const withoutTenants: ClusterSnapshot = {
  ...withTenants,
  clusterUserDefinedNetworks: [],
  routeAdvertisements: [],
};
