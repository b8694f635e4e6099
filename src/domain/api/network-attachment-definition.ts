import Type from 'typebox';
import { objectMetaSchema } from './object-meta.ts';
import { partOf, type Shape } from './schema.ts';

/** Schema of what is read of a NetworkAttachmentDefinition (OKEP-5193): its annotations. */
export const networkAttachmentDefinitionSchema = partOf({
  apiVersion: Type.String(),
  kind: Type.String(),
  metadata: objectMetaSchema,
});

/** OVN-Kubernetes' record of a network in one namespace; its annotations have the network's name and id. */
export type NetworkAttachmentDefinition = Shape<typeof networkAttachmentDefinitionSchema>;
