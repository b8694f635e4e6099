/**
 * Advertisements of networks: RouteAdvertisements and the FRRConfigurations that carry them out.
 */
import fc from 'fast-check';
import type { FrrConfiguration } from '../../domain/api/frr-configuration.ts';
import type { LabelSelector } from '../../domain/api/label-selector.ts';
import type { RouteAdvertisements } from '../../domain/api/route-advertisements.ts';
import { networkNames, someOf } from './names.ts';
import { nodeSelectors } from './selectors.ts';

const ovn = 'k8s.ovn.org';

/** The subject of an advertisement, in the words of its fields. */
interface AdvertisementFields {
  readonly targetVRF: string | undefined;
  readonly advertisements: string[];
  readonly nodeSelector: LabelSelector;
  readonly networks: readonly string[];
}

const conflictingAdvertisementFields: fc.Arbitrary<AdvertisementFields> = fc.record({
  targetVRF: fc.constantFrom('auto', 'auto', 'auto', undefined, 'default', 'corp', 'blue'),
  advertisements: fc.constantFrom(['PodNetwork'], ['PodNetwork', 'EgressIP'], ['EgressIP']),
  nodeSelector: fc.oneof(
    { withCrossShrink: true },
    { weight: 3, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: nodeSelectors },
  ),
  networks: fc.oneof(fc.constant([...networkNames]), someOf(networkNames)),
});

const consistentAdvertisementFields: fc.Arbitrary<AdvertisementFields> = fc.record({
  targetVRF: fc.constantFrom('auto', 'auto', 'auto', 'auto', 'auto', 'auto', 'corp', undefined),
  advertisements: fc.constant(['PodNetwork']),
  nodeSelector: fc.constant({}),
  networks: fc.oneof(fc.constant([...networkNames]), someOf(networkNames)),
});

const sharedAdvertisementFields: fc.Arbitrary<AdvertisementFields> = fc.record({
  targetVRF: fc.constantFrom(undefined, 'default'),
  advertisements: fc.constant(['PodNetwork']),
  nodeSelector: fc.constant({}),
  networks: fc.oneof(fc.constant([...networkNames]), someOf(networkNames)),
});

function routeAdvertisements(of: fc.Arbitrary<AdvertisementFields>) {
  return (name: string): fc.Arbitrary<RouteAdvertisements> =>
    of.map(({ targetVRF, advertisements, nodeSelector, networks }) => ({
      apiVersion: `${ovn}/v1`,
      kind: 'RouteAdvertisements',
      metadata: { name },
      spec: {
        ...(targetVRF !== undefined && { targetVRF }),
        advertisements,
        nodeSelector,
        frrConfigurationSelector: {},
        networkSelectors: networks.map((selected) => ({
          networkSelectionType: 'ClusterUserDefinedNetworks',
          clusterUserDefinedNetworkSelector: {
            networkSelector: { matchLabels: { [`${ovn}/metadata.name`]: selected } },
          },
        })),
      },
    }));
}

/** RouteAdvertisements into any VRF, of any networks and perhaps of some nodes only, so that several contradict each other. */
export const conflictingAdvertisement = routeAdvertisements(conflictingAdvertisementFields);

/** RouteAdvertisements that mostly say the same of every network: into a VRF of its own, on every node. */
export const consistentAdvertisement = routeAdvertisements(consistentAdvertisementFields);

/** RouteAdvertisements into the default VRF, which networks share, on every node. */
export const sharedAdvertisement = routeAdvertisements(sharedAdvertisementFields);

/** An FRRConfiguration, mostly of every node. */
export function frrConfiguration(name: string): fc.Arbitrary<FrrConfiguration> {
  const everywhere = { weight: 3, arbitrary: fc.constant({}) };
  return fc
    .oneof({ withCrossShrink: true }, everywhere, { weight: 1, arbitrary: nodeSelectors })
    .map((nodeSelector) => ({
      apiVersion: 'frrk8s.metallb.io/v1beta1',
      kind: 'FRRConfiguration',
      metadata: { name, namespace: 'frr-k8s-system' },
      spec: { nodeSelector },
    }));
}
