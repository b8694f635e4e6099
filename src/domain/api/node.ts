import Type from 'typebox';
import { kindOf } from './kind.ts';
import { datedObjectMetaSchema } from './object-meta.ts';
import { partOf, type Shape } from './schema.ts';

/** Schema of what is read of a Node (Kubernetes API reference, Node v1). */
const nodeSchema = partOf({
  apiVersion: Type.String(),
  kind: Type.String(),
  metadata: datedObjectMetaSchema,
  spec: Type.Optional(partOf({ podCIDRs: Type.Optional(Type.Array(Type.String())) })),
  status: Type.Optional(
    partOf({
      addresses: Type.Optional(Type.Array(partOf({ type: Type.String(), address: Type.String() }))),
    }),
  ),
});

/** A node of the cluster: its labels say which uplinks select it. */
export type Node = Shape<typeof nodeSchema>;

/** The type of the addresses by which the cluster reaches a node. */
export const INTERNAL_IP = 'InternalIP';

/** The addresses by which the cluster reaches a node (Kubernetes API reference, NodeAddress, InternalIP). */
export function internalIpsOf({ status }: Node): readonly string[] {
  return (status?.addresses ?? []).filter(({ type }) => type === INTERNAL_IP).map(({ address }) => address);
}

/** The kind Node. */
export const nodeKind = kindOf({
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  namespaced: false,
  defined: false,
  schema: nodeSchema,
  ifUnreadable: 'its states are left as they are, and nothing is changed on it',
});
