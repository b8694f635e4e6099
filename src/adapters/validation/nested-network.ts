/** Networks whose topology's fields stand beside `topology`, as in early examples of OKEP-5193, and not in the part of the spec for the topology. */
import type { Kind } from '../../domain/api/kind.ts';
import { isJsonObject, type JsonObject } from '../json/json-object.ts';
import type { ObjectFinding } from './object-finding.ts';

/** An object with the fields of its topology where they belong, and what says so. */
interface NestedNetwork {
  readonly object: JsonObject;
  /** None if the fields were there already. */
  readonly findings: readonly ObjectFinding[];
}

/** The part of a network's spec for a topology. */
interface TopologyPart {
  readonly name: string;
  /** Names of the fields in the part, by those beside the topology; absent if the topology is not supported. */
  readonly fields?: ReadonlyMap<string, string>;
}

const layer2Fields = new Map([
  ...['role', 'mtu', 'subnets', 'joinSubnets', 'ipam'].map((name) => [name, name] as const),
  ['ipamLifecycle', 'ipam.lifecycle'],
]);

const layer3Fields = new Map([
  ...['role', 'mtu', 'joinSubnets'].map((name) => [name, name] as const),
  ['subnets', 'subnets[].cidr and subnets[].hostSubnet'],
]);

const topologyParts: ReadonlyMap<unknown, TopologyPart> = new Map([
  ['Layer2', { name: 'layer2', fields: layer2Fields }],
  ['Layer3', { name: 'layer3', fields: layer3Fields }],
  ['Localnet', { name: 'localnet' }],
]);

const topologyFields: ReadonlySet<string> = new Set([...layer2Fields.keys(), 'excludeSubnets']);

/**
 * Puts the fields of a network's topology where the API has them, so that all else can be checked there. Objects of other kinds and of unknown
 * topologies are returned as they are.
 */
export function nestedNetwork({ kind }: Kind, object: JsonObject): NestedNetwork {
  const { spec } = object;
  if (!isJsonObject(spec)) return { object, findings: [] };
  if (kind === 'UserDefinedNetwork') {
    const { network, messages } = nestFields(spec, 'spec');
    return { object: { ...object, spec: network }, findings: findingsAt('spec', messages) };
  }
  return kind === 'ClusterUserDefinedNetwork' ? nestedInCluster(object, spec) : { object, findings: [] };
}

function nestedInCluster(object: JsonObject, spec: JsonObject): NestedNetwork {
  const { template, ...rest } = spec;
  const isTemplate = rest['network'] === undefined && isJsonObject(template);
  const written = isTemplate ? template : rest['network'];
  if (!isJsonObject(written)) return { object, findings: [] };
  const { network, messages } = nestFields(written, 'spec.network');
  return {
    object: { ...object, spec: { ...(isTemplate ? rest : spec), network } },
    findings: isTemplate
      ? findingsAt('spec.template', ['the field is called spec.network', ...messages])
      : findingsAt('spec.network', messages),
  };
}

function findingsAt(path: string, messages: readonly string[]): readonly ObjectFinding[] {
  return messages.length === 0 ? [] : [{ path, message: messages.join('; '), severity: 'error' }];
}

function nestFields(network: JsonObject, path: string) {
  const { topology } = network;
  const part = topologyParts.get(topology);
  const names = Object.keys(network).filter((name) => topologyFields.has(name));
  if (part === undefined || names.length === 0) return { network, messages: [] };
  const others = Object.fromEntries(Object.entries(network).filter(([name]) => !topologyFields.has(name)));
  const place = `fields of topology ${String(topology)} belong below ${path}.${part.name}`;
  const { name, fields } = part;
  if (fields === undefined) return { network: others, messages: [`${place}, which is not supported`] };
  const known = names.filter((each) => fields.has(each));
  const unknown = names.filter((each) => !fields.has(each));
  return {
    network: known.length === 0 ? others : { ...others, [name]: withFields(network[name] ?? {}, network, known) },
    messages: [
      ...(known.length === 0 ? [] : [`${place}: ${known.map((each) => renaming(each, fields)).join(', ')}`]),
      ...unknown.map((each) => `${each} is not supported`),
    ],
  };
}

/** Such as `ipamLifecycle as ipam.lifecycle`. */
function renaming(name: string, fields: ReadonlyMap<string, string>): string {
  const called = fields.get(name) ?? name;
  return called === name ? name : `${name} as ${called}`;
}

/** The part of a topology with fields that stood beside it; what the part has itself stays. */
function withFields(part: unknown, network: JsonObject, names: readonly string[]): unknown {
  if (!isJsonObject(part)) return part;
  const { ipamLifecycle, ...moved } = Object.fromEntries(names.map((name) => [name, network[name]]));
  return withLifecycle({ ...moved, ...part }, ipamLifecycle);
}

function withLifecycle(part: JsonObject, lifecycle: unknown): JsonObject {
  const { ipam = {} } = part;
  return lifecycle === undefined || !isJsonObject(ipam) ? part : { ...part, ipam: { lifecycle, ...ipam } };
}
