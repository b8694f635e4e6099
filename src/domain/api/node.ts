import Type from 'typebox';
import { objectMetaSchema } from './object-meta.ts';
import { partOf, type Shape } from './schema.ts';

/** Schema of what is read of a Node (Kubernetes API reference, Node v1). */
export const nodeSchema = partOf({
  apiVersion: Type.String(),
  kind: Type.String(),
  metadata: objectMetaSchema,
});

/** A node of the cluster: its labels say which uplinks select it. */
export type Node = Shape<typeof nodeSchema>;
