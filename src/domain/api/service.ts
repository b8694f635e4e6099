import Type from 'typebox';
import { objectMetaSchema } from './object-meta.ts';
import { partOf, type Shape } from './schema.ts';

/** Schema of what is read of a Service (Kubernetes API reference, Service v1). */
export const serviceSchema = partOf({
  metadata: objectMetaSchema,
  spec: partOf({
    /** `None` for a Service without an address. */
    clusterIPs: Type.Optional(Type.Array(Type.String())),
    ports: Type.Optional(
      Type.Array(
        partOf({
          /** Absent where there is one port only. */
          name: Type.Optional(Type.String()),
          protocol: Type.Optional(Type.String()),
          port: Type.Integer(),
        }),
      ),
    ),
  }),
});

export type Service = Shape<typeof serviceSchema>;
