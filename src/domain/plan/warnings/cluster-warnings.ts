/**
 * Warnings about a cluster's objects, which affect only these objects.
 */
import type { Network } from '../../network/network.ts';
import type { ClusterUserDefinedNetwork } from '../../api/cluster-user-defined-network.ts';
import type { FrrConfiguration } from '../../api/frr-configuration.ts';
import type { LabelSelector } from '../../api/label-selector.ts';
import type { NetworkAttachmentDefinition } from '../../api/network-attachment-definition.ts';
import type { RouteAdvertisements } from '../../api/route-advertisements.ts';
import type { Uplink } from '../../api/uplink.ts';
import { lastByObject, lazyByObject } from '../../basics/incremental/by-identity.ts';
import { idRanges } from '../../network/allocation/id-range.ts';
import { NETWORK_ID_ANNOTATION, NETWORK_NAME_ANNOTATION } from '../../basics/conventions.ts';
import { distinct } from '../../basics/names/ordering.ts';
import { frrConfigurationName } from '../../routing-domain/advertisement.ts';
import { understandSelector } from '../../selection/label-selector.ts';
import { isKnownType } from '../../selection/trusted-state.ts';
import { selectorSentence } from '../../status/sentences/selector-sentence.ts';
import { type ClusterView, parseNetworkId } from '../view/cluster-view.ts';
import { hostBitsWarnings } from './host-bits-warnings.ts';
import { networksIn } from '../view/provided-networks.ts';
import { claimedId } from '../view/stored-claims.ts';
import { type Warning, warningsOfEach } from '../view/warning.ts';

/** The ways in which RouteAdvertisements select networks (OVN-Kubernetes, RouteAdvertisements v1); only one is about CUDNs. */
const networkSelectionTypes: ReadonlySet<string> = new Set([
  'DefaultNetwork',
  'ClusterUserDefinedNetworks',
  'PrimaryUserDefinedNetworks',
  'SecondaryUserDefinedNetworks',
  'NetworkAttachmentDefinitions',
]);

function selectorWarning(
  object: string,
  path: string,
  selector: LabelSelector | undefined,
  consequence: string,
): readonly Warning[] {
  const understood = understandSelector(selector);
  if (understood.understood) return [];
  return [{ object, path, message: `${selectorSentence(understood.problem)}; ${consequence}` }];
}

const uplinkWarnings = warningsOfEach(({ metadata, spec }: Uplink) => {
  const unknown = distinct(spec.nodeConfigs.map(({ type }): string => type).filter((type) => !isKnownType(type)));
  return unknown.map((type) => ({
    object: `Uplink/${metadata.name}`,
    path: 'spec.nodeConfigs',
    message: `type ${JSON.stringify(type)} is not supported by this version; the nodes that it selects are not changed`,
  }));
});

const networkWarnings = warningsOfEach(({ metadata, spec }: ClusterUserDefinedNetwork) =>
  selectorWarning(
    `ClusterUserDefinedNetwork/${metadata.name}`,
    'spec.namespaceSelector',
    spec.namespaceSelector,
    'the namespaces that already have the network are used',
  ),
);

const advertisementWarnings = warningsOfEach(({ metadata, spec }: RouteAdvertisements) => {
  const object = `RouteAdvertisements/${metadata.name}`;
  const consequence = 'it selects nothing';
  return [
    ...selectorWarning(object, 'spec.nodeSelector', spec.nodeSelector, consequence),
    ...selectorWarning(object, 'spec.frrConfigurationSelector', spec.frrConfigurationSelector, consequence),
    ...(spec.networkSelectors ?? []).flatMap(({ networkSelectionType, clusterUserDefinedNetworkSelector }) =>
      networkSelectionTypes.has(networkSelectionType)
        ? selectorWarning(
            object,
            'spec.networkSelectors',
            clusterUserDefinedNetworkSelector?.networkSelector,
            consequence,
          )
        : [
            {
              object,
              path: 'spec.networkSelectors',
              message: `networkSelectionType ${JSON.stringify(networkSelectionType)} is not supported; ${consequence}`,
            },
          ],
    ),
  ];
});

const configurationWarnings = warningsOfEach((configuration: FrrConfiguration) =>
  selectorWarning(
    `FRRConfiguration/${frrConfigurationName(configuration)}`,
    'spec.nodeSelector',
    configuration.spec?.nodeSelector,
    'it does not apply to any node',
  ),
);

const attachmentWarnings = lazyByObject((definitions: readonly NetworkAttachmentDefinition[]): readonly Warning[] => {
  const ids = new Map<string, Set<string>>();
  const warnings = definitions.flatMap(({ metadata }): Warning[] => {
    const text = metadata.annotations?.[NETWORK_ID_ANNOTATION];
    const network = metadata.annotations?.[NETWORK_NAME_ANNOTATION];
    if (text === undefined || network === undefined) return [];
    if (parseNetworkId(text) !== undefined) {
      ids.set(network, (ids.get(network) ?? new Set()).add(text));
      return [];
    }
    return [
      {
        object: `NetworkAttachmentDefinition/${metadata.namespace ?? 'default'}/${metadata.name}`,
        path: `metadata.annotations["${NETWORK_ID_ANNOTATION}"]`,
        message: `expected a positive integer, found ${JSON.stringify(text)}; it is ignored`,
      },
    ];
  });
  const contradictions = [...ids].flatMap(([network, found]): Warning[] =>
    found.size < 2
      ? []
      : [
          {
            object: `Network/${network}`,
            message: `its NetworkAttachmentDefinitions have different network ids, ${distinct(found).join(', ')}; the lowest is used`,
          },
        ],
  );
  return [...warnings, ...contradictions];
});

/** Advice where pods use the address of a management port: ovn-uplinks does not allocate the id again, OVN-Kubernetes may. */
function remedyFor({ providedBy }: Network): string {
  if (providedBy === 'us') return 'create the network again, and it gets another id';
  return 'give NodeLocal DNSCache another address (nodelocaldns_ip): OVN-Kubernetes allocates ids, and may give a new network the same one';
}

/** The last warnings about ids with each settings. */
const lastWithheldIds = lastByObject<readonly Warning[]>();

/** Ids that are kept where they are, though they are not allocated any more. */
function withheldIdWarnings(view: ClusterView): readonly Warning[] {
  const { snapshot, settings } = view;
  const { configMaps, networkAttachmentDefinitions } = snapshot;
  const networks = networksIn(snapshot, settings);
  return lastWithheldIds(settings, [networks, configMaps, networkAttachmentDefinitions], () =>
    networks.flatMap((network) => withheldIdWarning(network, view)),
  );
}

function withheldIdWarning(network: Network, view: ClusterView): readonly Warning[] {
  const { networkName: name, metadata } = network;
  const id =
    claimedId('network', { name, uid: metadata.uid ?? '' }, view.snapshot, view.settings) ??
    parseNetworkId(metadata.annotations?.[NETWORK_ID_ANNOTATION]) ??
    view.networkIdByName(name);
  if (id === undefined || !idRanges.network.withheld.has(id)) return [];
  return [
    {
      object: network.key,
      message: `has network id ${id}: its management port has the masquerade address 169.254.25.10, which kubespray gives to NodeLocal DNSCache; where pods use that, ${remedyFor(network)}`,
    },
  ];
}

/** The warnings about a cluster's objects other than UplinkStates. */
export function clusterWarnings(view: ClusterView): readonly Warning[] {
  const { snapshot } = view;
  return [
    ...uplinkWarnings(snapshot.uplinks),
    ...networkWarnings(snapshot.clusterUserDefinedNetworks),
    ...hostBitsWarnings(snapshot),
    ...advertisementWarnings(snapshot.routeAdvertisements),
    ...configurationWarnings(snapshot.frrConfigurations),
    ...attachmentWarnings(snapshot.networkAttachmentDefinitions),
    ...withheldIdWarnings(view),
  ];
}
