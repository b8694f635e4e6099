import Type, { type Static, type TSchema } from 'typebox';
import { kindOf } from './kind.ts';
import { objectMetaSchema } from './object-meta.ts';
import { partOf, type Shape } from './schema.ts';

const endpointSchema = partOf({
  addresses: Type.Array(Type.String()),
  conditions: Type.Optional(
    partOf({
      ready: Type.Optional(Type.Boolean()),
      serving: Type.Optional(Type.Boolean()),
      terminating: Type.Optional(Type.Boolean()),
    }),
  ),
  hostname: Type.Optional(Type.String()),
  /** The pod that it is; absent for one that a user has written. */
  targetRef: Type.Optional(
    partOf({
      kind: Type.Optional(Type.String()),
      namespace: Type.Optional(Type.String()),
      name: Type.Optional(Type.String()),
      uid: Type.Optional(Type.String()),
    }),
  ),
  nodeName: Type.Optional(Type.String()),
  zone: Type.Optional(Type.String()),
  /** For whom it is meant: zones, and nodes. */
  hints: Type.Optional(
    partOf({
      forZones: Type.Optional(Type.Array(partOf({ name: Type.String() }))),
      forNodes: Type.Optional(Type.Array(partOf({ name: Type.String() }))),
    }),
  ),
});

/** A list that is null where it is empty, as API servers print it. */
const nullableList = <Item extends TSchema>(items: Item) =>
  Type.Unsafe<Static<Item>[] | null>({ type: ['array', 'null'], items });

const portSchema = partOf({
  /** As in the Service. */
  name: Type.Optional(Type.String()),
  protocol: Type.Optional(Type.String()),
  port: Type.Optional(Type.Integer()),
  appProtocol: Type.Optional(Type.String()),
});

/** Schema of what is read of an EndpointSlice (Kubernetes API reference, EndpointSlice discovery.k8s.io/v1). */
const endpointSliceSchema = partOf({
  apiVersion: Type.String(),
  kind: Type.String(),
  metadata: objectMetaSchema,
  addressType: Type.Optional(Type.String()),
  endpoints: Type.Optional(nullableList(endpointSchema)),
  ports: Type.Optional(nullableList(portSchema)),
});

/** Some of the addresses and ports behind a Service. */
export type EndpointSlice = Shape<typeof endpointSliceSchema>;

/** One of what is behind a Service. */
export type Endpoint = Shape<typeof endpointSchema>;

export type SlicePort = Shape<typeof portSchema>;

/** The kind EndpointSlice. */
export const endpointSliceKind = kindOf({
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  namespaced: true,
  defined: false,
  schema: endpointSliceSchema,
  isForProvided: 'objects',
  isForManager: true,
  ifUnreadable: 'pods do not reach in the default network what it names, and its mirror stays as it is',
});
