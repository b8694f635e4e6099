/** A cluster with one node, in steps: the networks that exist, and the VRF of each. */
import fc from 'fast-check';
import type { ClusterSnapshot } from '../../../../src/domain/index.ts';
import { clusterOf, type TenantNetwork } from '../clusters.ts';
import { type HostInterface, hostInterfaces, networks } from './administrator.ts';

/** A network that exists in most steps, mostly on the same interface. */
function tenantNetworks(name: string, device: HostInterface, absence: number): fc.Arbitrary<readonly TenantNetwork[]> {
  const network = fc.record(
    {
      name: fc.constant(name),
      device: fc.oneof(
        { weight: 6, arbitrary: fc.constant(device) },
        { weight: 1, arbitrary: fc.constantFrom(...hostInterfaces) },
      ),
      targetVRF: fc.constantFrom('auto', 'auto', 'corp'),
      subnets: fc.constantFrom(
        ...[['10.20.0.0/16', 'fd20::/48'], ['10.20.0.0/16', 'fd20::/48'], ['10.20.0.0/16'], ['fd20::/48']],
      ),
    },
    { requiredKeys: ['name', 'device', 'subnets'] },
  );
  return fc.oneof(
    { weight: 5, arbitrary: network.map((only) => [only]) },
    { weight: absence, arbitrary: fc.constant([]) },
  );
}

/** One to three steps. The first network is in most of them, on the interface with most configuration. */
export function clusterStories(mainInterface: HostInterface): fc.Arbitrary<readonly ClusterSnapshot[]> {
  const first = hostInterfaces.indexOf(mainInterface);
  const step = fc.tuple(
    ...networks.map((name, index) =>
      tenantNetworks(
        name,
        hostInterfaces[(first + index) % hostInterfaces.length] ?? mainInterface,
        index === 0 ? 1 : 6,
      ),
    ),
  );
  return fc
    .array(step, { minLength: 1, maxLength: 3 })
    .map((steps) => steps.map((present) => clusterOf(present.flat(), { devices: hostInterfaces, names: networks })));
}
