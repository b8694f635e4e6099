import Type from 'typebox';
import { datedObjectMetaSchema } from './object-meta.ts';
import { partOf, type Shape } from './schema.ts';

/** Schema of what is read of a NetworkAttachmentDefinition (OKEP-5193, NetworkAttachmentDefinition Rendering). */
export const networkAttachmentDefinitionSchema = partOf({
  apiVersion: Type.String(),
  kind: Type.String(),
  metadata: datedObjectMetaSchema,
  spec: Type.Optional(partOf({ config: Type.Optional(Type.String()) })),
});

/** A network in one namespace: its annotations have the network's name and id, and its config is what a CNI plugin is started with. */
export type NetworkAttachmentDefinition = Shape<typeof networkAttachmentDefinitionSchema>;
