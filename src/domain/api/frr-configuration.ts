import Type from 'typebox';
import { kindOf } from './kind.ts';
import { labelSelectorSchema } from './label-selector.ts';
import { objectMetaSchema } from './object-meta.ts';
import { partOf, type Shape } from './schema.ts';

/** Schema of what is read of an FRRConfiguration (FRR-K8s, FRRConfiguration v1beta1). */
const frrConfigurationSchema = partOf({
  apiVersion: Type.String(),
  kind: Type.String(),
  metadata: objectMetaSchema,
  spec: Type.Optional(
    partOf({
      nodeSelector: Type.Optional(labelSelectorSchema()),
      bgp: Type.Optional(partOf({ routers: Type.Optional(Type.Array(partOf({ vrf: Type.Optional(Type.String()) }))) })),
    }),
  ),
});

/** A routing daemon's configuration on the nodes that it selects. */
export type FrrConfiguration = Shape<typeof frrConfigurationSchema>;

/** The kind FRRConfiguration. */
export const frrConfigurationKind = kindOf({
  group: 'frrk8s.metallb.io',
  version: 'v1beta1',
  kind: 'FRRConfiguration',
  plural: 'frrconfigurations',
  namespaced: true,
  defined: false,
  schema: frrConfigurationSchema,
  isOptional: true,
  isRelevantToNodes: true,
  ifUnreadable: 'networks with RouteAdvertisements are left as they are on nodes: it may decide their routing domains',
});
