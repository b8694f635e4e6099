/**
 * CustomResourceDefinitions, generated from the schemas of objects (Kubernetes, "Extend the Kubernetes API with CustomResourceDefinitions").
 */
import type { TSchema } from 'typebox';
import type { Kind } from '../kind.ts';
import { type KindKey, kinds } from '../kinds.ts';
import { clusterUserDefinedNetworkDefinitionSchema } from './cluster-user-defined-network-definition.ts';
import { EXPECTED } from '../schema.ts';
import { userDefinedNetworkDefinitionSchema } from './user-defined-network-definition.ts';

/**
 * Annotation of this project's CustomResourceDefinitions, with the version of their schemas: other implementations serve kinds of the same names with
 * other fields.
 */
export const SCHEMA_ANNOTATION = 'ovn-uplinks/schema';

/** The version of the schemas. It rises with every change that an older component does not understand. */
export const SCHEMA_VERSION = '1';

/** A column that `kubectl get` prints. */
interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'date';
  readonly jsonPath: string;
  readonly description?: string;
  /** Only printed with `--output wide`. */
  readonly priority?: 1;
}

/** The part of a CustomResourceDefinition beside the schema. */
interface CustomResource {
  readonly key: KindKey;
  readonly description: string;
  readonly shortNames: readonly string[];
  readonly columns: readonly PrinterColumn[];
  /** The schema, where it is not the one by which objects are read. */
  readonly schema?: TSchema;
}

/** A CustomResourceDefinition as the API server takes it. */
export interface CustomResourceDefinition {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'CustomResourceDefinition';
  readonly metadata: { readonly name: string; readonly annotations: Readonly<Record<string, string>> };
  readonly spec: object;
}

const column = (name: string, jsonPath: string, description: string): PrinterColumn => ({
  name,
  type: 'string',
  jsonPath,
  description,
});

const wide = (name: string, jsonPath: string, description: string): PrinterColumn => ({
  ...column(name, jsonPath, description),
  priority: 1,
});

const ofCondition = (type: string, field: string) => `.status.conditions[?(@.type=="${type}")].${field}`;

/** Reason and age of an object; with `--output wide` also what its condition says. */
const whyColumns = (type: string): readonly PrinterColumn[] => [
  column('Reason', ofCondition(type, 'reason'), `Reason of the condition ${type}.`),
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  wide('Message', ofCondition(type, 'message'), `Message of the condition ${type}.`),
];

/** Whether nodes have a network that ovn-uplinks provides, and how many pods; with `--output wide` also how many nodes, and which do not. */
const providedColumns: readonly PrinterColumn[] = [
  column('Ready', ofCondition('NetworkReady', 'status'), 'Whether the network is programmed on its nodes.'),
  {
    name: 'Pods',
    type: 'integer',
    jsonPath: '.status.attachedPods',
    description: 'How many pods have addresses in the network.',
  },
  wide(
    'Nodes',
    ofCondition('NetworkReady', 'message'),
    'On how many nodes it is, and the first ones on which it is not.',
  ),
];

const notReady = (field: string) => `.status.networks[?(@.ready=="False")].${field}`;

/** The kinds that this project can serve. */
const customResources: readonly CustomResource[] = [
  {
    key: 'uplinks',
    description: 'Uplink connects nodes to an outside network: it names the host interface for each group of nodes.',
    shortNames: ['ul'],
    columns: [
      column('Degraded', ofCondition('Degraded', 'status'), 'Whether any selected node is not ready.'),
      ...whyColumns('Degraded'),
      {
        name: 'Deleted',
        type: 'date',
        jsonPath: '.metadata.deletionTimestamp',
        description: 'When its deletion was requested; it stays as long as networks refer to it.',
        priority: 1,
      },
    ],
  },
  {
    key: 'uplinkStates',
    description:
      'UplinkState is what one node has found out about one Uplink, and what it has programmed for the networks that use it.',
    shortNames: ['uls'],
    columns: [
      column('Uplink', '.status.uplinkName', 'Uplink that the state belongs to.'),
      column('Node', '.status.nodeName', 'Node that the state belongs to.'),
      column('Interface', '.status.hostInterfaceName', 'Interface that the Uplink selects for the node.'),
      column('Bridge', '.status.ovsBridge.name', 'Open vSwitch bridge behind the interface.'),
      column('Ready', ofCondition('Ready', 'status'), 'Whether the uplink can be used on the node.'),
      ...whyColumns('Ready'),
      column('Failed Network', notReady('name'), 'First network that is not programmed completely.'),
      column('Failure', notReady('reason'), 'Why that network is not.'),
      wide('Failure Message', notReady('message'), 'What has failed there.'),
      wide('MAC', '.status.macAddress', 'MAC address of the interface.'),
      wide('Address', '.status.ipAddresses[0]', 'First address of the interface.'),
      wide('Gateway', '.status.defaultGateways[0]', 'First default gateway.'),
    ],
  },
  {
    key: 'clusterUserDefinedNetworks',
    description:
      'ClusterUserDefinedNetwork is a network for the pods of all namespaces that its selector matches; with uplinks it leaves the nodes by them.',
    shortNames: ['cudn'],
    columns: [
      column('Topology', '.spec.network.topology', 'Layer2 or Layer3.'),
      column('Uplink', '.spec.uplinks[0]', 'Uplink that carries the network out of the nodes.'),
      column('Uplinks Ready', ofCondition('UplinksReady', 'status'), 'Whether the network can use its uplinks.'),
      ...whyColumns('UplinksReady'),
      ...providedColumns,
      wide('Namespaces', '.status.activeNamespaces', 'Namespaces that have the network.'),
    ],
    schema: clusterUserDefinedNetworkDefinitionSchema,
  },
  {
    key: 'userDefinedNetworks',
    description: 'UserDefinedNetwork is a network for the pods of its namespace.',
    shortNames: ['udn'],
    columns: [
      column('Topology', '.spec.topology', 'Layer2 or Layer3.'),
      column('Created', ofCondition('NetworkCreated', 'status'), 'Whether the namespace has the network.'),
      ...whyColumns('NetworkCreated'),
      column(
        'Allocated',
        ofCondition('NetworkAllocationSucceeded', 'status'),
        'Whether the network has an id, and nodes have subnets of it.',
      ),
      ...providedColumns,
      wide(
        'Uplinks Ready',
        ofCondition('UplinksReady', 'status'),
        'Whether the network can use the Uplink that it has by --egress uplink=NAME.',
      ),
    ],
    schema: userDefinedNetworkDefinitionSchema,
  },
];

/** The CustomResourceDefinitions of this project. */
export function customResourceDefinitions(): readonly CustomResourceDefinition[] {
  return customResources.map(definitionOf);
}

/** The schema of a kind in its CustomResourceDefinition; absent for kinds that this project cannot serve. */
export function definitionSchemaOf(key: KindKey): TSchema | undefined {
  const resource = customResources.find((each) => each.key === key);
  return resource && (resource.schema ?? kinds[key].schema);
}

function definitionOf(resource: CustomResource): CustomResourceDefinition {
  const kind: Kind = kinds[resource.key];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${kind.plural}.${kind.group}`, annotations: { [SCHEMA_ANNOTATION]: SCHEMA_VERSION } },
    spec: {
      group: kind.group,
      scope: kind.namespaced ? 'Namespaced' : 'Cluster',
      names: {
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        plural: kind.plural,
        singular: kind.kind.toLowerCase(),
        shortNames: resource.shortNames,
        categories: ['ovn-uplinks'],
      },
      versions: [
        {
          name: kind.version,
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: resource.columns,
          schema: { openAPIV3Schema: structuralSchema(resource.schema ?? kind.schema, resource.description) },
        },
      ],
    },
  };
}

/** The fields that the API server itself checks in every object, and documents there. */
const ownOfApiServer = {
  apiVersion: { type: 'string', description: 'Version of the schema of this object, with its API group.' },
  kind: { type: 'string', description: 'Kind of this object.' },
  metadata: { type: 'object' },
};

function structuralSchema(schema: TSchema, description: string): object {
  const { properties, required } = withoutOwnKeywords(schema) as {
    readonly properties: Readonly<Record<string, object>>;
    readonly required: readonly string[];
  };
  const wanted = required.filter((name) => !Object.hasOwn(ownOfApiServer, name));
  return {
    type: 'object',
    description,
    ...(wanted.length > 0 && { required: wanted }),
    properties: { ...properties, ...ownOfApiServer },
  };
}

/** The keywords of a schema that a CustomResourceDefinition has. */
function withoutOwnKeywords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOwnKeywords);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([keyword]) => keyword !== EXPECTED);
  return Object.fromEntries(kept.map(([keyword, inner]) => [keyword, withoutOwnKeywords(inner)]));
}
