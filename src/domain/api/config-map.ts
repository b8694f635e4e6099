import Type from 'typebox';
import { objectMetaSchema } from './object-meta.ts';
import { partOf, type Shape, stringMap } from './schema.ts';

/**
 * Schema of what is read of a ConfigMap (Kubernetes API reference, ConfigMap v1): they have the claims of ids, and what nodes
 * report of them (docs/design/networks.md, "Ids").
 */
export const configMapSchema = partOf({
  apiVersion: Type.String(),
  kind: Type.String(),
  metadata: objectMetaSchema,
  data: Type.Optional(stringMap()),
});

/** A ConfigMap with ids. */
export type ConfigMap = Shape<typeof configMapSchema>;
