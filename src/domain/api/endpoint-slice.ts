import Type from 'typebox';
import { objectMetaSchema } from './object-meta.ts';
import { partOf, type Shape } from './schema.ts';

/** Schema of what is read of an EndpointSlice (Kubernetes API reference, EndpointSlice discovery.k8s.io/v1). */
export const endpointSliceSchema = partOf({
  metadata: objectMetaSchema,
  endpoints: Type.Optional(Type.Union([Type.Array(partOf({ addresses: Type.Array(Type.String()) })), Type.Null()])),
  ports: Type.Optional(
    Type.Union([
      Type.Array(
        partOf({
          /** As in the Service. */
          name: Type.Optional(Type.String()),
          protocol: Type.Optional(Type.String()),
          port: Type.Optional(Type.Integer()),
        }),
      ),
      Type.Null(),
    ]),
  ),
});

export type EndpointSlice = Shape<typeof endpointSliceSchema>;
