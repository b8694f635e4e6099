import Type from 'typebox';
import { kindOf } from './kind.ts';
import { conditionSchema } from './condition.ts';
import { labelSelectorSchema } from './label-selector.ts';
import { objectMetaSchema } from './object-meta.ts';
import { partOf, type Shape } from './schema.ts';

const networkSelector = partOf({
  networkSelectionType: Type.String(),
  clusterUserDefinedNetworkSelector: Type.Optional(partOf({ networkSelector: Type.Optional(labelSelectorSchema()) })),
});

/** Schema of what is read of RouteAdvertisements (OVN-Kubernetes, RouteAdvertisements v1). */
const routeAdvertisementsSchema = partOf({
  apiVersion: Type.String(),
  kind: Type.String(),
  metadata: objectMetaSchema,
  spec: partOf({
    targetVRF: Type.Optional(Type.String()),
    advertisements: Type.Optional(Type.Array(Type.String())),
    nodeSelector: Type.Optional(labelSelectorSchema()),
    frrConfigurationSelector: Type.Optional(labelSelectorSchema()),
    networkSelectors: Type.Optional(Type.Array(networkSelector)),
  }),
  status: Type.Optional(partOf({ conditions: Type.Optional(Type.Array(conditionSchema)) })),
});

/** Which networks' routes are advertised from which nodes, and by which VRF: this decides a network's routing domain. */
export type RouteAdvertisements = Shape<typeof routeAdvertisementsSchema>;

/** The kind RouteAdvertisements. */
export const routeAdvertisementsKind = kindOf({
  group: 'k8s.ovn.org',
  version: 'v1',
  kind: 'RouteAdvertisements',
  plural: 'routeadvertisements',
  namespaced: false,
  defined: false,
  schema: routeAdvertisementsSchema,
  isOptional: true,
  isRelevantToNodes: true,
  ifUnreadable: 'networks are left as they are on nodes: it may decide their routing domains',
});
