import Type from 'typebox';
import { datedObjectMetaSchema } from './object-meta.ts';
import { partOf, type Shape } from './schema.ts';

/** Schema of what is read of a Pod (Kubernetes API reference, Pod v1). */
export const podSchema = partOf({
  apiVersion: Type.String(),
  kind: Type.String(),
  metadata: datedObjectMetaSchema,
  spec: partOf({
    nodeName: Type.Optional(Type.String()),
    hostNetwork: Type.Optional(Type.Boolean()),
  }),
  status: Type.Optional(partOf({ phase: Type.Optional(Type.String()) })),
});

/** A pod: where it runs makes its networks active there. */
export type Pod = Shape<typeof podSchema>;
