import Type from 'typebox';
import { objectMetaSchema } from './object-meta.ts';
import { partOf, type Shape } from './schema.ts';

/** Schema of what is read of a Namespace (Kubernetes API reference, Namespace v1). */
export const namespaceSchema = partOf({
  apiVersion: Type.String(),
  kind: Type.String(),
  metadata: objectMetaSchema,
});

/** A namespace: its labels say which networks its pods are in. */
export type Namespace = Shape<typeof namespaceSchema>;
