import Type from 'typebox';
import { kindOf } from './kind.ts';
import { objectMetaSchema } from './object-meta.ts';
import { partOf, type Shape } from './schema.ts';

/** Schema of what is read of an EndpointSlice (Kubernetes API reference, EndpointSlice discovery.k8s.io/v1). */
const endpointSliceSchema = partOf({
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

/** The kind EndpointSlice. */
export const endpointSliceKind = kindOf({
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  namespaced: true,
  defined: false,
  schema: endpointSliceSchema,
  ifUnreadable: 'pods do not reach in the default network what it names',
});
