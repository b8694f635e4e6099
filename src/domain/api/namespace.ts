import Type from 'typebox';
import { kindOf } from './kind.ts';
import { objectMetaSchema } from './object-meta.ts';
import { partOf, type Shape } from './schema.ts';

/** Schema of what is read of a Namespace (Kubernetes API reference, Namespace v1). */
const namespaceSchema = partOf({
  apiVersion: Type.String(),
  kind: Type.String(),
  metadata: objectMetaSchema,
});

/** A namespace: its labels say which networks its pods are in. */
export type Namespace = Shape<typeof namespaceSchema>;

/** The kind Namespace. */
export const namespaceKind = kindOf({
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
  defined: false,
  schema: namespaceSchema,
  isRelevantToNodes: true,
  ifUnreadable: 'with Dynamic UDN no network is removed from a node that it is not active on',
});
