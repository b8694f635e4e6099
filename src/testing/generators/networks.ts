/**
 * Networks, the namespaces that they are for, and what OVN-Kubernetes keeps about them.
 */
import fc from 'fast-check';
import type { ClusterUserDefinedNetwork } from '../../domain/api/cluster-user-defined-network.ts';
import type { Namespace } from '../../domain/api/namespace.ts';
import type { NetworkAttachmentDefinition } from '../../domain/api/network-attachment-definition.ts';
import { networkNames, someOf, uplinkNames } from './names.ts';

const ovn = 'k8s.ovn.org';

/** A network before it is known which uplinks there are. */
export type UnattachedNetwork = (present: readonly string[]) => ClusterUserDefinedNetwork;

/** A network that refers to the uplink at a place among those that are there, to one that is perhaps not there, or to none. */
export function network(
  name: string,
  places: fc.Arbitrary<number> = fc.nat({ max: uplinkNames.length - 1 }),
): fc.Arbitrary<UnattachedNetwork> {
  const subnets = fc.constantFrom(['10.20.0.0/16'], ['10.20.0.0/16', 'fd20::/48'], ['fd20::/48']);
  return fc
    .record({
      place: places,
      uplinks: fc.oneof(
        { withCrossShrink: true },
        { weight: 16, arbitrary: fc.constant('present' as const) },
        { weight: 1, arbitrary: fc.constant('any' as const) },
        { weight: 1, arbitrary: fc.constant('none' as const) },
      ),
      topology: fc.constantFrom('Layer3', 'Layer2'),
      mtu: fc.constantFrom(undefined, 1300, 1400, 8900),
      subnets,
      transport: fc.oneof(
        { withCrossShrink: true },
        { weight: 30, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.constant('EVPN') },
      ),
    })
    .map(({ place, uplinks, topology, mtu, subnets: cidrs, transport }) => (present) => {
      const pool = uplinks === 'present' && present.length > 0 ? present : uplinkNames;
      const reference = pool[place % pool.length];
      const common = { role: 'Primary', ...(mtu !== undefined && { mtu }) };
      return {
        apiVersion: `${ovn}/v1`,
        kind: 'ClusterUserDefinedNetwork',
        metadata: { name },
        spec: {
          namespaceSelector: { matchLabels: { tenant: name } },
          network: {
            topology,
            ...(topology === 'Layer3'
              ? { layer3: { ...common, subnets: cidrs.map((cidr) => ({ cidr })) } }
              : { layer2: { ...common, subnets: cidrs } }),
            ...(transport !== undefined && { transport }),
          },
          uplinks: uplinks === 'none' || reference === undefined ? [] : [reference],
        },
      };
    });
}

/** A namespace of each network, of its name. */
export const namespaces: readonly Namespace[] = networkNames.map((name) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels: { tenant: name } },
}));

/** Most networks have an id; its place in the pool decides which. */
export const attachments: fc.Arbitrary<NetworkAttachmentDefinition[]> = fc
  .oneof(
    { withCrossShrink: true },
    { weight: 16, arbitrary: fc.constant([...networkNames]) },
    { weight: 1, arbitrary: someOf(networkNames) },
  )
  .map((names) =>
    names.map((name) => ({
      apiVersion: 'k8s.cni.cncf.io/v1',
      kind: 'NetworkAttachmentDefinition',
      metadata: {
        name,
        namespace: name,
        annotations: {
          [`${ovn}/network-name`]: `cluster_udn_${name}`,
          [`${ovn}/network-id`]: String(networkNames.indexOf(name) + 1),
        },
      },
    })),
  );
