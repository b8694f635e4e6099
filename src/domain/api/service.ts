import Type from 'typebox';
import { kindOf } from './kind.ts';
import { objectMetaSchema } from './object-meta.ts';
import { portReference } from './pod.ts';
import { partOf, type Shape, stringMap } from './schema.ts';

const servicePortSchema = partOf({
  /** Absent where there is one port only. */
  name: Type.Optional(Type.String()),
  protocol: Type.Optional(Type.String()),
  port: Type.Integer(),
  /** By number, or by its name in the containers of a pod; absent where it is the same. */
  targetPort: Type.Optional(portReference),
  appProtocol: Type.Optional(Type.String()),
});

/** Schema of what is read of a Service (Kubernetes API reference, Service v1). */
const serviceSchema = partOf({
  apiVersion: Type.String(),
  kind: Type.String(),
  metadata: objectMetaSchema,
  spec: partOf({
    type: Type.Optional(Type.String()),
    /** `None` for a Service without an address. */
    clusterIPs: Type.Optional(Type.Array(Type.String())),
    /** The families of these, in their order. */
    ipFamilies: Type.Optional(Type.Array(Type.String())),
    /** The pods that Kubernetes finds for it; absent where others say what is behind it. */
    selector: Type.Optional(stringMap()),
    ports: Type.Optional(Type.Array(servicePortSchema)),
    /** `Local` if only endpoints on the node of a client are for it. */
    internalTrafficPolicy: Type.Optional(Type.String()),
    /** Whether an endpoint that is not ready is used like one that is. */
    publishNotReadyAddresses: Type.Optional(Type.Boolean()),
    /** `ClientIP` if a client stays with its endpoint. */
    sessionAffinity: Type.Optional(Type.String()),
    sessionAffinityConfig: Type.Optional(
      partOf({ clientIP: Type.Optional(partOf({ timeoutSeconds: Type.Optional(Type.Integer()) })) }),
    ),
  }),
});

/** A Service: an address for what is behind it. */
export type Service = Shape<typeof serviceSchema>;

export type ServicePort = Shape<typeof servicePortSchema>;

/** The kind Service. */
export const serviceKind = kindOf({
  group: '',
  version: 'v1',
  kind: 'Service',
  plural: 'services',
  namespaced: true,
  defined: false,
  schema: serviceSchema,
  isForProvided: 'objects',
  isForManager: true,
  ifUnreadable:
    'pods do not reach in the default network what it names, and what there is of it in its network stays as it is',
});
