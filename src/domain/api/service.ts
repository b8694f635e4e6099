import Type from 'typebox';
import { kindOf } from './kind.ts';
import { datedObjectMetaSchema } from './object-meta.ts';
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
  /** The port at the address of a node, or of an uplink; absent for a Service that has none. */
  nodePort: Type.Optional(Type.Integer()),
});

/** An address that a load balancer of the cluster has given a Service. */
const ingressSchema = partOf({
  ip: Type.Optional(Type.String()),
  /** `VIP` where packets arrive with that destination, as without a mode; `Proxy` where the load balancer ends connections itself. */
  ipMode: Type.Optional(Type.String()),
});

/** Schema of what is read of a Service (Kubernetes API reference, Service v1). */
const serviceSchema = partOf({
  apiVersion: Type.String(),
  kind: Type.String(),
  metadata: datedObjectMetaSchema,
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
    /** `Local` if only endpoints on the node that packets from outside come to are for it, which see their source. */
    externalTrafficPolicy: Type.Optional(Type.String()),
    /** The port at which each node tells load balancers whether it has endpoints; absent or 0 for none. */
    healthCheckNodePort: Type.Optional(Type.Integer()),
    /** Addresses outside of the cluster that its author asks for. */
    externalIPs: Type.Optional(Type.Array(Type.String())),
    /** Subnets from which the addresses of its load balancer are reached, CIDR; all without one. */
    loadBalancerSourceRanges: Type.Optional(Type.Array(Type.String())),
    /** Whether an endpoint that is not ready is used like one that is. */
    publishNotReadyAddresses: Type.Optional(Type.Boolean()),
    /** `ClientIP` if a client stays with its endpoint. */
    sessionAffinity: Type.Optional(Type.String()),
    sessionAffinityConfig: Type.Optional(
      partOf({ clientIP: Type.Optional(partOf({ timeoutSeconds: Type.Optional(Type.Integer()) })) }),
    ),
  }),
  status: Type.Optional(
    partOf({ loadBalancer: Type.Optional(partOf({ ingress: Type.Optional(Type.Array(ingressSchema)) })) }),
  ),
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
