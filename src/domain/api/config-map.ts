import Type from 'typebox';
import { objectMetaSchema } from './object-meta.ts';
import { partOf, stringMap } from './schema.ts';

/** Schema of what is read of a ConfigMap (Kubernetes API reference, ConfigMap v1): one has the claims of ids (docs/design/networks.md, "Ids"). */
export const configMapSchema = partOf({
  apiVersion: Type.String(),
  kind: Type.String(),
  metadata: objectMetaSchema,
  data: Type.Optional(stringMap()),
});
