import Type from 'typebox';
import { kindOf } from './kind.ts';
import { datedObjectMetaSchema } from './object-meta.ts';
import { partOf, type Shape } from './schema.ts';

/** Schema of what is read of a NetworkAttachmentDefinition (OKEP-5193, NetworkAttachmentDefinition Rendering). */
const networkAttachmentDefinitionSchema = partOf({
  apiVersion: Type.String(),
  kind: Type.String(),
  metadata: datedObjectMetaSchema,
  spec: Type.Optional(partOf({ config: Type.Optional(Type.String()) })),
});

/** A network in one namespace: its annotations have the network's name and id, and its config is what a CNI plugin is started with. */
export type NetworkAttachmentDefinition = Shape<typeof networkAttachmentDefinitionSchema>;

/** The kind NetworkAttachmentDefinition. */
export const networkAttachmentDefinitionKind = kindOf({
  group: 'k8s.cni.cncf.io',
  version: 'v1',
  kind: 'NetworkAttachmentDefinition',
  plural: 'network-attachment-definitions',
  namespaced: true,
  defined: false,
  schema: networkAttachmentDefinitionSchema,
  isOptional: true,
  isForProvided: 'more than metadata',
  isRelevantToNodes: true,
  ifUnreadable: 'with Dynamic UDN no network is removed from a node that it is not active on',
});
