import Type from 'typebox';
import { kindOf } from './kind.ts';
import { datedObjectMetaSchema } from './object-meta.ts';
import { partOf, type Shape } from './schema.ts';

/** A port by its number, or by its name in the container. */
export const portReference = Type.Unsafe<number | string>({ type: ['integer', 'string'] });

const request = partOf({
  port: portReference,
  /** Empty for the pod’s own address. */
  host: Type.Optional(Type.String()),
});

const probe = partOf({
  httpGet: Type.Optional(request),
  tcpSocket: Type.Optional(request),
  grpc: Type.Optional(request),
});

const containerSchema = partOf({
  /** `Always` for an init container that runs beside the others. */
  restartPolicy: Type.Optional(Type.String()),
  ports: Type.Optional(
    Type.Array(
      partOf({
        name: Type.Optional(Type.String()),
        containerPort: Type.Integer(),
        protocol: Type.Optional(Type.String()),
      }),
    ),
  ),
  livenessProbe: Type.Optional(probe),
  readinessProbe: Type.Optional(probe),
  startupProbe: Type.Optional(probe),
  lifecycle: Type.Optional(partOf({ postStart: Type.Optional(probe), preStop: Type.Optional(probe) })),
});

/** Schema of what is read of a Pod (Kubernetes API reference, Pod v1). */
const podSchema = partOf({
  apiVersion: Type.String(),
  kind: Type.String(),
  metadata: datedObjectMetaSchema,
  spec: partOf({
    nodeName: Type.Optional(Type.String()),
    hostNetwork: Type.Optional(Type.Boolean()),
    /** With the next one, its name within a Service; read by the cluster manager only. */
    hostname: Type.Optional(Type.String()),
    /** The name of that Service. */
    subdomain: Type.Optional(Type.String()),
    /** The part that probes use, of pods of an agent’s own node only; named ports, for the cluster manager. */
    containers: Type.Optional(Type.Array(containerSchema)),
    initContainers: Type.Optional(Type.Array(containerSchema)),
  }),
  status: Type.Optional(
    partOf({
      phase: Type.Optional(Type.String()),
      /** Whether it is ready; read by the cluster manager only. */
      conditions: Type.Optional(Type.Array(partOf({ type: Type.String(), status: Type.String() }))),
    }),
  ),
});

/** A pod: where it runs makes its networks active there. */
export type Pod = Shape<typeof podSchema>;

export type Container = Shape<typeof containerSchema>;

export type PortReference = Shape<typeof portReference>;

/** The kind Pod. */
export const podKind = kindOf({
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  namespaced: true,
  defined: false,
  schema: podSchema,
  selectors: ({ node, hasAllPods }) =>
    node === undefined || hasAllPods ? {} : { fieldSelector: `spec.nodeName=${node}` },
  ifUnreadable:
    'with Dynamic UDN no network is removed from a node that it is not active on, and names of headless Services in its namespace lead where they led before',
});
