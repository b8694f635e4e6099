/**
 * Clusters in short form: lists of objects without what has its usual value. Metadata is beside the name.
 */
import {
  CLUSTER_NETWORK_NAME_PREFIX,
  NETWORK_ID_ANNOTATION,
  NETWORK_NAME_ANNOTATION,
} from '../domain/basics/conventions.ts';
import { apiVersionOf } from '../domain/api/kind.ts';
import { type KindKey, kinds } from '../domain/api/kinds.ts';
import { withSortedKeys } from '../domain/basics/names/ordering.ts';
import type { ReadableObjects } from '../domain/snapshot/cluster-snapshot.ts';

/** The fields of an object, or of a part of it. */
type Fields = Readonly<Record<string, unknown>>;

/** An object in short form: its name, other metadata, and its fields, or abbreviations of them. */
export type BriefObject = Fields & { readonly name: string };

/** A cluster in short form: the lists that have objects. */
export type BriefCluster = { readonly [Key in KindKey]?: readonly BriefObject[] };

/** Fields of metadata, which are beside the name in the short form (Kubernetes API reference, ObjectMeta). */
const METADATA: ReadonlySet<string> = new Set([
  'name',
  'namespace',
  'uid',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
]);

/** How objects of a kind are abbreviated. */
interface Abbreviation {
  /** Names of the abbreviations. */
  readonly names: readonly string[];
  /** The field that they make. */
  readonly field: 'spec' | 'annotations';
  /** Present if every object of the kind has the field, so that it is made without any abbreviation too. */
  readonly isRequired?: true;
  expand(this: void, abbreviations: Fields, name: string): Fields;
  /** The abbreviations of a field. Those that do not make the same field again are not used. */
  abbreviate(this: void, field: Fields, name: string): Fields;
}

/** The value at a path of fields and places of lists; undefined if there is none. */
function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (found, step) => (typeof found === 'object' && found !== null ? (found as Fields)[step] : undefined),
    value,
  );
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(withSortedKeys(left)) === JSON.stringify(withSortedKeys(right));
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A subnet is its CIDR, unless it says more. */
const subnetOf = (brief: unknown): unknown => (typeof brief === 'string' ? { cidr: brief } : brief);

function briefSubnet(subnet: unknown): unknown {
  const cidr = at(subnet, 'cidr');
  return isSame(subnet, { cidr }) ? cidr : subnet;
}

const USUAL_SUBNETS = ['10.20.0.0/16'];

const abbreviations: { readonly [Key in KindKey]?: Abbreviation } = {
  uplinks: {
    names: ['hostInterfaceName'],
    field: 'spec',
    expand: ({ hostInterfaceName }) => ({
      nodeConfigs: [{ type: 'OVSBridge', nodeSelector: {}, hostInterfaceName }],
    }),
    abbreviate: (spec) => ({ hostInterfaceName: at(spec, 'nodeConfigs', 0, 'hostInterfaceName') }),
  },
  clusterUserDefinedNetworks: {
    names: ['tenant', 'subnets', 'uplinks'],
    field: 'spec',
    isRequired: true,
    expand: ({ tenant, subnets = USUAL_SUBNETS, uplinks }, name) => ({
      namespaceSelector: { matchLabels: { tenant: tenant ?? name } },
      network: { topology: 'Layer3', layer3: { role: 'Primary', subnets: listOf(subnets).map(subnetOf) } },
      ...(uplinks !== undefined && { uplinks }),
    }),
    abbreviate: (spec, name) => {
      const tenant = at(spec, 'namespaceSelector', 'matchLabels', 'tenant');
      const subnets = listOf(at(spec, 'network', 'layer3', 'subnets')).map(briefSubnet);
      return {
        ...(tenant !== name && { tenant }),
        ...(!isSame(subnets, USUAL_SUBNETS) && { subnets }),
        ...(spec['uplinks'] !== undefined && { uplinks: spec['uplinks'] }),
      };
    },
  },
  networkAttachmentDefinitions: {
    names: ['networkId'],
    field: 'annotations',
    expand: ({ networkId }, name) => ({
      [NETWORK_NAME_ANNOTATION]: `${CLUSTER_NETWORK_NAME_PREFIX}${name}`,
      [NETWORK_ID_ANNOTATION]: String(networkId),
    }),
    abbreviate: (annotations) => ({ networkId: Number(annotations[NETWORK_ID_ANNOTATION]) }),
  },
  routeAdvertisements: {
    names: ['targetVRF', 'network'],
    field: 'spec',
    isRequired: true,
    expand: ({ targetVRF, network }, name) => ({
      ...(targetVRF !== undefined && { targetVRF }),
      advertisements: ['PodNetwork'],
      nodeSelector: {},
      frrConfigurationSelector: {},
      networkSelectors: [
        {
          networkSelectionType: 'ClusterUserDefinedNetworks',
          clusterUserDefinedNetworkSelector: {
            networkSelector: { matchLabels: { 'k8s.ovn.org/metadata.name': network ?? name } },
          },
        },
      ],
    }),
    abbreviate: ({ targetVRF, networkSelectors }, name) => {
      const selector = ['clusterUserDefinedNetworkSelector', 'networkSelector', 'matchLabels'];
      const network = at(networkSelectors, 0, ...selector, 'k8s.ovn.org/metadata.name');
      return { ...(targetVRF !== undefined && { targetVRF }), ...(network !== name && { network }) };
    },
  },
  frrConfigurations: {
    names: ['vrfs'],
    field: 'spec',
    expand: ({ vrfs }) => ({ bgp: { routers: listOf(vrfs).map((vrf) => ({ asn: 64_512, vrf })) } }),
    abbreviate: (spec) => ({ vrfs: listOf(at(spec, 'bgp', 'routers')).map((router) => at(router, 'vrf')) }),
  },
};

/** The namespace of objects of a kind that do not say theirs. */
const namespaces: { readonly [Key in KindKey]?: (name: string) => string } = {
  networkAttachmentDefinitions: (name) => name,
  configMaps: () => 'ovn-uplinks',
  frrConfigurations: () => 'frr-k8s-system',
};

/** Fields whose names are meant, and all others. */
function split(fields: Fields, isMeant: (name: string) => boolean): readonly [Fields, Fields] {
  const entries = Object.entries(fields);
  return [
    Object.fromEntries(entries.filter(([name]) => isMeant(name))),
    Object.fromEntries(entries.filter(([name]) => !isMeant(name))),
  ];
}

/** The whole object of one in short form. @throws where it has a field and abbreviations of it: one of them would have no effect */
function completeObject(key: KindKey, brief: BriefObject): Fields {
  const abbreviation = abbreviations[key];
  const { name } = brief;
  const [short, said] = split(brief, (field) => abbreviation?.names.includes(field) === true);
  const isExpanded =
    abbreviation !== undefined &&
    said[abbreviation.field] === undefined &&
    (abbreviation.isRequired === true || Object.keys(short).length > 0);
  if (abbreviation !== undefined && !isExpanded && Object.keys(short).length > 0) {
    const both = `${Object.keys(short).join(', ')} and ${abbreviation.field}`;
    throw new Error(`${kinds[key].kind} ${name} has ${both}: expected one of them`);
  }
  const expanded = isExpanded && { [abbreviation.field]: abbreviation.expand(short, name) };
  const namespace = namespaces[key]?.(name);
  const [metadata, fields] = split({ ...(namespace !== undefined && { namespace }), ...said, ...expanded }, (field) =>
    METADATA.has(field),
  );
  return { apiVersion: apiVersionOf(kinds[key]), kind: kinds[key].kind, metadata, ...fields };
}

/** An object in short form, which `completeObject` makes the same object of. */
function briefObject(key: KindKey, object: ReadableObjects[KindKey][number]): BriefObject {
  const abbreviation = abbreviations[key];
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...fields } = object;
  const { name, namespace, ...others } = metadata as Fields & { readonly name: string };
  const isUsual = namespace === namespaces[key]?.(name);
  const whole: BriefObject = { name, ...(!isUsual && { namespace }), ...others, ...fields };
  const field = abbreviation && (whole[abbreviation.field] as Fields | undefined);
  if (abbreviation === undefined || field === undefined) return whole;
  const { [abbreviation.field]: _field, ...rest } = whole;
  const short = { ...rest, ...abbreviation.abbreviate(field, name) };
  return isSame(completeObject(key, short), object) ? short : whole;
}

/** The objects of a cluster in short form, as an API server has them. */
export function completeObjects(brief: BriefCluster): readonly Fields[] {
  return (Object.keys(kinds) as KindKey[]).flatMap((key) =>
    (brief[key] ?? []).map((object) => completeObject(key, object)),
  );
}

/** A cluster in short form, which `completeObjects` makes the same objects of. */
export function briefClusterOf(cluster: ReadableObjects): BriefCluster {
  const lists = (Object.keys(kinds) as KindKey[]).map(
    (key) => [key, cluster[key].map((object) => briefObject(key, object))] as const,
  );
  return Object.fromEntries(lists.filter(([, objects]) => objects.length > 0));
}
