import type { Static, TSchema } from 'typebox';
import { ID_CLAIMS_NAME, NODE_REPORT_PREFIX } from '../basics/conventions.ts';
import { clusterUserDefinedNetworkSchema } from './cluster-user-defined-network.ts';
import { configMapSchema } from './config-map.ts';
import { frrConfigurationSchema } from './frr-configuration.ts';
import { namespaceSchema } from './namespace.ts';
import { networkAttachmentDefinitionSchema } from './network-attachment-definition.ts';
import { nodeSchema } from './node.ts';
import { podSchema } from './pod.ts';
import { routeAdvertisementsSchema } from './route-advertisements.ts';
import type { Immutable } from './schema.ts';
import { uplinkSchema } from './uplink.ts';
import { uplinkStateSchema } from './uplink-state.ts';
import { userDefinedNetworkSchema } from './user-defined-network.ts';

/** A kind of object: its names, its scope and its schema. */
export interface Kind<Schema extends TSchema = TSchema> {
  /** API group; empty for Kubernetes' core group. */
  readonly group: string;
  /** The API version whose shape the schema describes. */
  readonly version: string;
  readonly kind: string;
  /** The kind in paths of the API. */
  readonly plural: string;
  readonly namespaced: boolean;
  /** Whether an object of a name is read; absent where all are. */
  readonly isRead?: (name: string) => boolean;
  /** Whether this project defines the kind: then unknown fields and other versions are findings. */
  readonly defined: boolean;
  readonly schema: Schema;
}

const kindOf = <Schema extends TSchema>(kind: Kind<Schema>): Kind<Schema> => kind;

/** Every kind of object that this project reads, by the name of its list in a ClusterSnapshot. */
export const kinds = {
  uplinks: kindOf({
    group: 'k8s.ovn.org',
    version: 'v1alpha1',
    kind: 'Uplink',
    plural: 'uplinks',
    namespaced: false,
    defined: true,
    schema: uplinkSchema,
  }),
  uplinkStates: kindOf({
    group: 'k8s.ovn.org',
    version: 'v1alpha1',
    kind: 'UplinkState',
    plural: 'uplinkstates',
    namespaced: false,
    defined: true,
    schema: uplinkStateSchema,
  }),
  clusterUserDefinedNetworks: kindOf({
    group: 'k8s.ovn.org',
    version: 'v1',
    kind: 'ClusterUserDefinedNetwork',
    plural: 'clusteruserdefinednetworks',
    namespaced: false,
    defined: false,
    schema: clusterUserDefinedNetworkSchema,
  }),
  userDefinedNetworks: kindOf({
    group: 'k8s.ovn.org',
    version: 'v1',
    kind: 'UserDefinedNetwork',
    plural: 'userdefinednetworks',
    namespaced: true,
    defined: false,
    schema: userDefinedNetworkSchema,
  }),
  nodes: kindOf({
    group: '',
    version: 'v1',
    kind: 'Node',
    plural: 'nodes',
    namespaced: false,
    defined: false,
    schema: nodeSchema,
  }),
  namespaces: kindOf({
    group: '',
    version: 'v1',
    kind: 'Namespace',
    plural: 'namespaces',
    namespaced: false,
    defined: false,
    schema: namespaceSchema,
  }),
  pods: kindOf({
    group: '',
    version: 'v1',
    kind: 'Pod',
    plural: 'pods',
    namespaced: true,
    defined: false,
    schema: podSchema,
  }),
  networkAttachmentDefinitions: kindOf({
    group: 'k8s.cni.cncf.io',
    version: 'v1',
    kind: 'NetworkAttachmentDefinition',
    plural: 'network-attachment-definitions',
    namespaced: true,
    defined: false,
    schema: networkAttachmentDefinitionSchema,
  }),
  configMaps: kindOf({
    group: '',
    version: 'v1',
    kind: 'ConfigMap',
    plural: 'configmaps',
    namespaced: true,
    isRead: (name) => name === ID_CLAIMS_NAME || name.startsWith(NODE_REPORT_PREFIX),
    defined: false,
    schema: configMapSchema,
  }),
  routeAdvertisements: kindOf({
    group: 'k8s.ovn.org',
    version: 'v1',
    kind: 'RouteAdvertisements',
    plural: 'routeadvertisements',
    namespaced: false,
    defined: false,
    schema: routeAdvertisementsSchema,
  }),
  frrConfigurations: kindOf({
    group: 'frrk8s.metallb.io',
    version: 'v1beta1',
    kind: 'FRRConfiguration',
    plural: 'frrconfigurations',
    namespaced: true,
    defined: false,
    schema: frrConfigurationSchema,
  }),
} as const;

/** Name of one list of objects in a ClusterSnapshot. */
export type KindKey = keyof typeof kinds;

/** The object type of each list. */
export type ObjectOf<Key extends KindKey> = Immutable<Static<(typeof kinds)[Key]['schema']>>;

/** The apiVersion of a kind as objects spell it. */
export function apiVersionOf(kind: Kind): string {
  return kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
}
