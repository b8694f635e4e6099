import Type from 'typebox';
import { IDS_LABEL, IDS_LABEL_OF_CLAIMS, ID_CLAIMS_NAME, NODE_REPORT_PREFIX } from '../basics/conventions.ts';
import { labelValue } from '../basics/names/label-value.ts';
import { kindOf } from './kind.ts';
import { objectMetaSchema } from './object-meta.ts';
import { partOf, type Shape, stringMap } from './schema.ts';

/**
 * Schema of what is read of a ConfigMap (Kubernetes API reference, ConfigMap v1): they have the claims of ids, and what nodes
 * report of them (docs/design/networks.md, "Ids").
 */
const configMapSchema = partOf({
  apiVersion: Type.String(),
  kind: Type.String(),
  metadata: objectMetaSchema,
  data: Type.Optional(stringMap()),
});

/** A ConfigMap with ids. */
export type ConfigMap = Shape<typeof configMapSchema>;

/** The kind ConfigMap. */
export const configMapKind = kindOf({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
  isRead: (name) => name === ID_CLAIMS_NAME || name.startsWith(NODE_REPORT_PREFIX),
  defined: false,
  schema: configMapSchema,
  isForProvided: 'objects',
  isInOwnNamespace: true,
  // The claims of ids and the report of a node are in one list: its events come in order, so who sees a report knows all claims that were stored before it.
  selectors: ({ node }) => ({
    labelSelector: `${IDS_LABEL}${node === undefined ? '' : ` in (${IDS_LABEL_OF_CLAIMS},${labelValue(node)})`}`,
  }),
  ifUnreadable: 'no ids are given',
});
