/**
 * Which RouteAdvertisements apply to a network, and on which nodes? (docs/design/api-decisions.md, "Routing domain")
 *
 * Intent decides: whether RouteAdvertisements are accepted, or their FRRConfigurations have a router in the VRF, changes nothing here.
 */
import type { Network } from '../network/network.ts';
import type { FrrConfiguration } from '../api/frr-configuration.ts';
import type { Node } from '../api/node.ts';
import type { RouteAdvertisements } from '../api/route-advertisements.ts';
import { GENERATED_FRR_CONFIGURATION_PREFIX } from '../basics/conventions.ts';
import { lazyByObjects } from '../basics/incremental/by-identity.ts';
import { groupBy } from '../basics/names/grouping.ts';
import { by } from '../basics/names/ordering.ts';
import type { LabelIndex } from '../selection/label-index.ts';
import { selects, type UnderstoodSelector, understandSelector } from '../selection/label-selector.ts';

/** RouteAdvertisements that advertise pod networks, with everything that decides where they count. */
export interface Advertisement {
  readonly routeAdvertisements: RouteAdvertisements;
  readonly nodeSelector: UnderstoodSelector;
  /** The FRRConfigurations that it selects, by namespace and name. */
  readonly frrConfigurations: readonly {
    readonly object: FrrConfiguration;
    readonly nodeSelector: UnderstoodSelector;
  }[];
}

/** An advertisement that counts on a node, and the FRRConfigurations by which it does. */
export interface EffectiveAdvertisement {
  readonly routeAdvertisements: RouteAdvertisements;
  readonly frrConfigurations: readonly FrrConfiguration[];
}

/** Name of an FRRConfiguration as people write it: `namespace/name`. */
export function frrConfigurationName({ metadata }: FrrConfiguration): string {
  return `${metadata.namespace ?? 'default'}/${metadata.name}`;
}

/** Whether OVN-Kubernetes has made an FRRConfiguration itself: then it never counts. */
export function isGenerated(name: string): boolean {
  return name.startsWith(GENERATED_FRR_CONFIGURATION_PREFIX);
}

/** An advertisement: the same object for the same FRRConfigurations, whatever networks there are. */
const advertisement = lazyByObjects(
  (routeAdvertisements: RouteAdvertisements, frrConfigurations: LabelIndex<FrrConfiguration>): Advertisement => {
    const { nodeSelector, frrConfigurationSelector } = routeAdvertisements.spec;
    return {
      routeAdvertisements,
      nodeSelector: understandSelector(nodeSelector),
      frrConfigurations: frrConfigurations
        .selectedBy(understandSelector(frrConfigurationSelector))
        .filter(({ metadata }) => !isGenerated(metadata.name))
        .map((object) => ({ object, nodeSelector: understandSelector(object.spec?.nodeSelector) }))
        .sort(by(({ object }) => frrConfigurationName(object))),
    };
  },
);

function networksSelectedBy({ spec }: RouteAdvertisements, networks: LabelIndex<Network>): ReadonlySet<string> {
  const selectors = (spec.networkSelectors ?? [])
    .filter(({ networkSelectionType }) => networkSelectionType === 'ClusterUserDefinedNetworks')
    .map(({ clusterUserDefinedNetworkSelector }) =>
      understandSelector(clusterUserDefinedNetworkSelector?.networkSelector),
    );
  return new Set(selectors.flatMap((selector) => networks.selectedBy(selector).map(({ metadata }) => metadata.name)));
}

/** Every network's advertisements, by network name; each list by the name of the RouteAdvertisements. */
export function advertisementsByNetwork(
  routeAdvertisements: readonly RouteAdvertisements[],
  networks: LabelIndex<Network>,
  frrConfigurations: LabelIndex<FrrConfiguration>,
): ReadonlyMap<string, readonly Advertisement[]> {
  const pairs = routeAdvertisements
    .filter(({ spec }) => spec.advertisements?.includes('PodNetwork') === true)
    .sort(by(({ metadata }) => metadata.name))
    .flatMap((object) => {
      const shared = advertisement(object, frrConfigurations);
      return [...networksSelectedBy(object, networks)].map((network) => ({ network, shared }));
    });
  const advertisements = groupBy(pairs, ({ network }) => network);
  return new Map([...advertisements].map(([network, ofNetwork]) => [network, ofNetwork.map(({ shared }) => shared)]));
}

/** The advertisements that apply to a node: their nodeSelector selects it, and so does that of an FRRConfiguration that they select. */
export function effectiveOn(node: Node, advertisements: readonly Advertisement[]): readonly EffectiveAdvertisement[] {
  return advertisements
    .filter(({ nodeSelector }) => selects(nodeSelector, node.metadata.labels))
    .map(({ routeAdvertisements, frrConfigurations }) => ({
      routeAdvertisements,
      frrConfigurations: frrConfigurations
        .filter(({ nodeSelector }) => selects(nodeSelector, node.metadata.labels))
        .map(({ object }) => object),
    }))
    .filter(({ frrConfigurations }) => frrConfigurations.length > 0);
}
