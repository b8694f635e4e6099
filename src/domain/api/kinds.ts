import type { Static } from 'typebox';
import { uplinkKind } from './uplink.ts';
import { uplinkStateKind } from './uplink-state.ts';
import { clusterUserDefinedNetworkKind } from './cluster-user-defined-network.ts';
import { userDefinedNetworkKind } from './user-defined-network.ts';
import { nodeKind } from './node.ts';
import { namespaceKind } from './namespace.ts';
import { podKind } from './pod.ts';
import { networkAttachmentDefinitionKind } from './network-attachment-definition.ts';
import { configMapKind } from './config-map.ts';
import { routeAdvertisementsKind } from './route-advertisements.ts';
import { frrConfigurationKind } from './frr-configuration.ts';
import { serviceKind } from './service.ts';
import { endpointSliceKind } from './endpoint-slice.ts';
import { serviceCidrKind } from './service-cidr.ts';
import type { Immutable } from './schema.ts';

/** Every kind of object that this project reads, by the name of its list in a ClusterSnapshot. */
export const kinds = {
  uplinks: uplinkKind,
  uplinkStates: uplinkStateKind,
  clusterUserDefinedNetworks: clusterUserDefinedNetworkKind,
  userDefinedNetworks: userDefinedNetworkKind,
  nodes: nodeKind,
  namespaces: namespaceKind,
  pods: podKind,
  networkAttachmentDefinitions: networkAttachmentDefinitionKind,
  configMaps: configMapKind,
  routeAdvertisements: routeAdvertisementsKind,
  frrConfigurations: frrConfigurationKind,
  services: serviceKind,
  endpointSlices: endpointSliceKind,
  serviceCidrs: serviceCidrKind,
} as const;

/** Name of one list of objects in a ClusterSnapshot. */
export type KindKey = keyof typeof kinds;

/** The object type of each list. */
export type ObjectOf<Key extends KindKey> = Immutable<Static<(typeof kinds)[Key]['schema']>>;
