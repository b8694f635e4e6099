import Type from 'typebox';
import { labelSelectorSchema } from './label-selector.ts';
import { objectMetaSchema } from './object-meta.ts';
import { partOf, type Shape } from './schema.ts';

/** Schema of what is read of an FRRConfiguration (FRR-K8s, FRRConfiguration v1beta1). */
export const frrConfigurationSchema = partOf({
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
