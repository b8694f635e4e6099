/**
 * The node that every problem starts from. Networks blue and red are in their own VRFs. Network green is added with its problem, to a
 * bridge that exists before.
 */
import type { ClusterSnapshot } from '../../../../../src/domain/index.ts';
import { bridge } from '../../bridge.ts';
import { clusterOf, type TenantNetwork } from '../../clusters.ts';
import { ip, ovsVsctl } from '../../commands.ts';
import type { ArgumentVector } from '../../node.ts';
import { blue, blueBridge } from '../blue.ts';
import { readyCondition, readyNetwork } from '../node-agent.ts';

const red = { name: 'red', device: 'br-red', targetVRF: 'auto' };
const green = { name: 'green', device: 'br-green', targetVRF: 'auto' };

/** The bridges of three tenants, and a device that is a port of the third. */
export const healthyNode: readonly ArgumentVector[] = [
  ...blueBridge,
  ...bridge('br-red', { addresses: ['198.51.101.6/24', '2001:db8:c::6/64'], physicalPort: 'eth2' }),
  ...bridge('br-green', { addresses: ['198.51.102.6/24', '2001:db8:d::6/64'], physicalPort: 'eth3' }),
  ovsVsctl`br-set-external-id br-green bridge-uplink eth3`,
  ip`link add host4 up type dummy`,
  ip`address add 198.51.103.6/24 dev host4`,
  ovsVsctl`add-port br-green host4`,
];

function tenants(networks: readonly TenantNetwork[]): ClusterSnapshot {
  return clusterOf(networks, {
    devices: ['br-blue', 'br-red', 'br-green', 'host4'],
    names: ['blue', 'red', 'green'],
  });
}

/** Blue and red. */
export const healthyCluster = tenants([blue, red]);

/** Blue, and red with changes. */
export const withRedAs = (changes: Partial<TenantNetwork>): ClusterSnapshot => tenants([blue, { ...red, ...changes }]);

/** Blue and red, and green with changes, if any. */
export const withGreen = (changes: Partial<TenantNetwork> = {}): ClusterSnapshot =>
  tenants([blue, red, { ...green, ...changes }]);

/** Blue and red as Layer2 networks with the same subnets, which are both advertised in the default VRF, on one bridge. */
export const bothAdvertised: ClusterSnapshot = tenants(
  [blue, { ...red, device: 'br-blue' }].map((tenant) => ({ ...tenant, topology: 'Layer2', targetVRF: 'default' })),
);

/** The uplinks of the cluster, by tenant or device. */
export const uplinkOf = { blue: 'uplink-0', red: 'uplink-1', green: 'uplink-2', host4: 'uplink-3' } as const;

const isReady = readyCondition('True', 'Ready');

/** The pattern of each uplink's state without problems. */
export const healthyStates: readonly (readonly [uplink: string, pattern: string])[] = [
  [uplinkOf.blue, `${isReady}.*${readyNetwork('blue')}\\n      reason: Ready\\n      vrf: blue\\n`],
  [uplinkOf.red, `${isReady}.*${readyNetwork('red')}\\n      reason: Ready\\n      vrf: red\\n`],
  [uplinkOf.green, `${isReady}(?!.*\\n      name: green\\n)`],
  [uplinkOf.host4, isReady],
];
