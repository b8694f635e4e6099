import { nameOfNetwork } from '../../src/domain/network/key.ts';
import { NODE_KEY, OWN_ROUTE_PROTOCOL, UPLINK_KEY } from '../../src/domain/basics/conventions.ts';
import {
  semanticsOf,
  type NetworkEntry,
  type NetworkOnNode,
  type NodePlan,
  type Operation,
  type Preview,
  type UplinkStateObject,
  type Warning,
} from '../../src/domain/index.ts';
import { type Entity, kindOf } from '../../src/domain/entities/entity-kinds.ts';
import { isOn } from '../../src/domain/entities/operations/operation-semantics.ts';
import { changesOf, type EntityOperation } from '../../src/domain/entities/operations/operation.ts';
import type { ProvisionPlan } from '../../src/domain/plan/cluster/provision-plan.ts';
import { networkMessage } from '../../src/domain/plan/node-status.ts';
import type { NorthboundRow } from '../../src/domain/datapath/northbound/row.ts';
import type { LogicalNetworkOnNode } from '../../src/domain/plan/parts/part.ts';
import { logicalNetworkSentence } from '../../src/domain/status/sentences/logical-network-sentence.ts';

interface AnyCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

const sentence = ({ type, status, reason, message }: AnyCondition) =>
  `${type}=${status} ${reason}${message === '' ? '' : `: ${message}`}`;

function network(row: NetworkOnNode, plan: NodePlan, isNodeNamed: boolean) {
  const message = networkMessage(row, plan);
  return {
    ...(isNodeNamed && { node: plan.nodeName }),
    network: row.network,
    uplink: row.uplink,
    ...(row.bridge !== undefined && { bridge: row.bridge }),
    ...(row.vlan !== undefined && { vlan: row.vlan }),
    domain: row.vrf === undefined ? row.routingDomain.domain.kind : `VRF ${row.vrf}`,
    ...(row.held && { held: true }),
    verdict: `${row.failure?.reason ?? 'Ready'}${message === '' ? '' : `: ${message}`}`,
  };
}

/** A network that ovn-uplinks provides on a node, apart from its uplink. */
function zone(
  { networkName, networkId, podSubnets, failure }: LogicalNetworkOnNode,
  { nodeName }: NodePlan,
  isNodeNamed: boolean,
) {
  return {
    ...(isNodeNamed && { node: nodeName }),
    network: networkName,
    ...(networkId !== undefined && { id: networkId }),
    ...(podSubnets.length > 0 && { pods: podSubnets.join(' ') }),
    verdict: failure === undefined ? 'ready' : `held: ${logicalNetworkSentence(failure)}`,
  };
}

/** Whether all is well on the nodes: every network and every uplink is ready, nothing is deleted, and there is no warning. */
export function isAllWell({ nodes, states, cluster }: Preview): boolean {
  const isTrue = ({ status }: AnyCondition) => status === 'True';
  return (
    nodes.every(
      ({ networks, zones = [], warnings }) =>
        warnings.length === 0 && [...networks, ...zones].every(({ failure }) => !failure),
    ) &&
    states.every(({ status }) => status.conditions.every(isTrue)) &&
    cluster.deletions.length === 0 &&
    cluster.warnings.length === 0
  );
}

/** The metadata of a state that does not follow from its name: long names, labels with a hash, an owner. */
function unusualMetadata(
  { name, labels, annotations, ownerReferences }: UplinkStateObject['metadata'],
  uplinkName: string,
  nodeName: string,
) {
  const isNamePlain = name === `${uplinkName}.${nodeName}`;
  const areLabelsPlain = labels?.[UPLINK_KEY] === uplinkName && labels[NODE_KEY] === nodeName;
  return {
    ...(!isNamePlain && { uplinkName, nodeName }),
    ...(!(isNamePlain && areLabelsPlain) && { labels }),
    ...(!areLabelsPlain && { annotations }),
    ...(ownerReferences && { ownerReferences }),
  };
}

const warning = ({ object, path, message }: Warning) => `${[object, path].filter(Boolean).join(' ')}: ${message}`;

function entry({ name, vrf, ready, reason }: NetworkEntry) {
  return `${name}${vrf === undefined ? '' : ` in VRF ${vrf}`}=${ready} ${reason}`;
}

/** Decisions whose scenarios show what was found of each uplink; the others are about what comes of it. */
const showWhatIsFound: ReadonlySet<string> = new Set(['discovery', 'selection', 'status']);

/** Decisions whose scenarios show the conditions of Uplinks and networks, which sum up what the nodes report. */
const showSums: ReadonlySet<string> = new Set(['selection', 'status']);

function uplinkState({ metadata, status }: UplinkStateObject, decision: string) {
  const { uplinkName, nodeName, networks = [], conditions, ...found } = status;
  return {
    name: metadata.name,
    ...unusualMetadata(metadata, uplinkName, nodeName),
    ...(showWhatIsFound.has(decision) && found),
    condition: conditions.map(sentence).join(' '),
    ...(networks.length > 0 && { networks: networks.map(entry) }),
  };
}

function sums({ uplinks, networks }: Preview['cluster']) {
  return {
    uplinks: uplinks.map(({ name, finalizers, condition }) => ({
      name,
      condition: sentence(condition),
      ...(finalizers.length > 0 && { finalizers }),
    })),
    networks: networks.map(({ namespace, name, condition }) => ({
      name: namespace === undefined ? name : `${namespace}/${name}`,
      condition: sentence(condition),
    })),
  };
}

/** The outcome for networks that ovn-uplinks provides. */
function provided({ networks, definitions, obsoleteDefinitions, nodeIds, claims }: ProvisionPlan) {
  const sections = {
    providedNetworks: networks.map(
      ({ namespace, name, networkId, finalizers, activeNamespaces, attachedPods, conditions }) => ({
        name: namespace === undefined ? name : `${namespace}/${name}`,
        ...(networkId !== undefined && { networkId }),
        conditions: conditions.map(sentence),
        ...(activeNamespaces.length > 0 && { activeNamespaces }),
        ...(attachedPods > 0 && { attachedPods }),
        ...(finalizers.length > 0 && { finalizers }),
      }),
    ),
    definitions: definitions.map(({ metadata, spec }) => `${metadata.namespace}/${metadata.name}: ${spec.config}`),
    obsoleteDefinitions: obsoleteDefinitions.map(({ namespace, name }) => `${namespace}/${name}`),
    nodeIds: nodeIds.map(({ node, id }) => `${node}: ${id}`),
    claims: Object.entries(claims?.data ?? {}).map(([key, value]) => `${key}: ${value}`),
  };
  return sections;
}

/** The report as a scenario of a decision shows it, in the order in which a person reads it; what is empty is left out. */
export function goldenOf({ nodes, states, cluster }: Preview, decision: string): Record<string, unknown> {
  const warnings = [...nodes.flatMap((plan) => plan.warnings), ...cluster.warnings].map(warning);
  const sections: Record<string, unknown> = {
    networksOnNode: nodes.flatMap((plan) => plan.networks.map((row) => network(row, plan, nodes.length > 1))),
    zonesOnNode: nodes.flatMap((plan) => (plan.zones ?? []).map((row) => zone(row, plan, nodes.length > 1))),
    uplinkStates: states.map((state) => uplinkState(state, decision)),
    ...(showSums.has(decision) && sums(cluster)),
    ...(cluster.provision && provided(cluster.provision)),
    deletions: cluster.deletions,
    warnings,
  };
  return Object.fromEntries(Object.entries(sections).filter(([, value]) => !Array.isArray(value) || value.length > 0));
}

/** Values that most entities have. */
const usualValues = new Set([
  `protocol=${OWN_ROUTE_PROTOCOL}`,
  'type=unicast',
  'scope=global',
  'states=permanent',
  'up=true',
]);

/** The fields of a value and of its parts, by name; items of lists have the name of their list. */
function fieldsOf(value: unknown, name: string): readonly (readonly [name: string, value: string])[] {
  if (Array.isArray(value)) return value.flatMap((item) => fieldsOf(item, name));
  if (typeof value !== 'object' || value === null) return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, field]) => fieldsOf(field, key));
}

const identityOf = (entity: Entity) => kindOf<Entity>(entity).identity(entity).trim();

/** The identity of an entity, and its other values that are not usual. */
function entityText({ kind: _, ...content }: Entity, identity: string): string {
  const identifying = new Set([...identity.split(' '), ...identity.split(/[ /]|:(?=br-)/)]);
  const others = fieldsOf(content, '')
    .filter(([, value]) => value !== '' && !identifying.has(value))
    .map(([name, value]) => `${name}=${value}`)
    .filter((text) => !usualValues.has(text));
  return [identity, ...others.sort()].join(' ');
}

/** The entity of an operation, or the set that it changes. */
function subjectOf(operation: Operation): string {
  if (operation.verb === 'change') return `${operation.set}: ${operation.changes.length}`;
  const { entity } = operation;
  const text = entityText(entity, identityOf(entity));
  if (operation.verb !== 'put-back' && operation.verb !== 'take-back') return text;
  const { origin, moves } = operation;
  const from = origin === undefined ? '' : ` from ${identityOf(origin)}`;
  return `${entity.kind} ${text}${from}${moves === true ? ' moved' : ''}`;
}

/** An operation in a line: its mark, for which networks, its name, what it changes, and what it disturbs. The words for people have a test of their own. */
export function operationLine(operation: Operation): string {
  const semantics = semanticsOf(operation);
  const networks = operation.networks.length === 0 ? 'nobody' : operation.networks.map(nameOfNetwork).join('+');
  const disruption = semantics.disruption(operation);
  const disturbed = disruption === 'none' ? '' : ` (${disruption})`;
  return `${semantics.mark} ${networks} ${semantics.name} ${subjectOf(operation)}${disturbed}`;
}

/** The content of a scenario's `operations.yaml`: everything that would be done on its nodes, in order. */
export function operationsGolden({ operations }: Preview): readonly string[] {
  return [...operations.values()].flatMap((planned) => planned.map(({ operation }) => operationLine(operation)));
}

/** A change of a row, in a line: what is done, the row, and its columns if it is added or changed. */
function rowLine(verb: EntityOperation['verb'], row: NorthboundRow): string {
  const text = `${row.table} ${row.name}`;
  const mark = { add: '+', replace: '~', remove: '-' }[verb];
  return verb === 'remove' ? `${mark} ${text}` : `${mark} ${text}: ${JSON.stringify(row.columns)}`;
}

/** The content of a scenario's `rows.yaml`: every row that is changed for provided networks. */
export function rowsGolden({ operations }: Preview): readonly string[] {
  return [...operations.values()]
    .flat()
    .flatMap(({ operation }) => changesOf(operation))
    .flatMap((change) =>
      isOn(change, 'northbound-row') && change.entity.row.isOfZone === true
        ? [rowLine(change.verb, change.entity.row)]
        : [],
    );
}
