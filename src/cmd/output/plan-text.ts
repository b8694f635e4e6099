/**
 * A plan as text: for each node its networks, uplinks and operations.
 */
import { partsOf } from '../../domain/entities/operations/operation.ts';
import { partKey, type PartKey, uplinkPart } from '../../domain/network/part.ts';
import { nameOfNetwork } from '../../domain/network/key.ts';
import type { LogicalNetworkFailure } from '../../domain/dataplane/logical-network/logical-network-failure.ts';
import { isHolding } from '../../domain/explanation/verdict.ts';
import {
  degradedReasons,
  type NetworkOnNode,
  type NodePlan,
  networkReasons,
  type PlannedOperation,
  type ReasonText,
  readyReasons,
  type UplinkFacts,
  type UplinkOnNode,
  type UplinkStateObject,
  uplinksReadyReasons,
} from '../../domain/index.ts';
import { networkMessage } from '../../domain/plan/node-status.ts';
import type { ReportedNetwork } from '../../domain/plan/cluster/reported-node.ts';
import type { LogicalNetworkOnNode } from '../../domain/plan/parts/part.ts';
import { networkReadyReasons } from '../../domain/status/provision-reasons.ts';
import { attachmentCauses } from '../../domain/status/reasons.ts';
import { reportedDomainText, routingDomainText } from '../../domain/status/routing-domain-text.ts';
import { logicalNetworkReason } from '../../domain/plan/parts/parts.ts';
import { egressSentence } from '../../domain/status/sentences/egress-sentence.ts';
import { logicalNetworkSentence } from '../../domain/status/sentences/logical-network-sentence.ts';
import { egressUplink } from '../../domain/snapshot/settings.ts';
import { operationSection } from './operation-text.ts';
import type { Palette } from './terminal.ts';
import { printable, textTable } from './text-table.ts';

const heads = ['NETWORK', 'UPLINK', 'BRIDGE', 'ROUTING DOMAIN', 'STATE'] as const;
const none = '–';

const fixes: Readonly<Record<string, ReasonText>> = {
  ...degradedReasons,
  ...readyReasons,
  ...networkReasons,
  ...uplinksReadyReasons,
};

/** Reasons whose message contains another reason, the one to fix. */
const passedOn: ReadonlySet<string> = new Set(['UplinkNotReadyForNode']);

function fixLine(reason: string): readonly string[] {
  const fix = fixes[reason]?.fix;
  return fix === undefined || fix === none || passedOn.has(reason) ? [] : [`to fix: ${fix}`];
}

/** The fix for a network: by cause, if the reason has several. */
function failureFixLine(failure: NonNullable<NetworkOnNode['failure']>): readonly string[] {
  if (failure.reason === 'UplinkVRFAttachmentFailed') return [`to fix: ${attachmentCauses[failure.cause].fix}`];
  const asWhole = failureAsWhole(failure);
  return asWhole === undefined
    ? fixLine(failure.reason)
    : [`to fix: ${networkReadyReasons[logicalNetworkReason(asWhole)].fix}`];
}

/** Why the logical network is not there, where ovn-uplinks provides it. */
function failureAsWhole(failure: NonNullable<NetworkOnNode['failure']>): LogicalNetworkFailure | undefined {
  if (failure.reason === 'PrerequisiteMissing' && failure.missing.kind === 'logical-network')
    return failure.missing.failure;
  return failure.reason === 'NetworkNotAllocated' && failure.isProvided === true
    ? { cause: 'no-network-id' }
    : undefined;
}

function stateText(reason: string | undefined, held: boolean, isPending: boolean, palette: Palette): string {
  if (reason === undefined) return palette.good(isPending ? 'ready when done' : 'ready');
  return palette.bad(held ? `held: ${reason}` : reason);
}

function interfaceText(uplink: string, hostInterfaceName: string | undefined): string {
  return hostInterfaceName === undefined ? uplink : `${uplink} (${hostInterfaceName})`;
}

/** A note about what stands above it. */
function noteLine(text: string): string {
  return `      ${printable(text)}`;
}

/**
 * A table of networks, each followed by its failure.
 *
 * @param rows with cells that may have colours, so without control characters of others
 */
function networkTable(
  rows: readonly { readonly cells: readonly string[]; readonly notes: readonly string[] }[],
  palette: Palette,
): readonly string[] {
  if (rows.length === 0) return ['  no network with an uplink is active here'];
  const [head = '', ...lines] = textTable([[...heads], ...rows.map(({ cells }) => cells)]).map((line, index) =>
    index === 0 ? palette.heading(line) : line,
  );
  return [head, ...lines.flatMap((line, index) => [line, ...(rows[index]?.notes ?? []).map(noteLine)])];
}

function plannedRow(row: NetworkOnNode, plan: NodePlan) {
  const onNode = plan.uplinks.find(({ uplink }) => uplink === row.uplink);
  const vlan = row.vlan === undefined ? '' : ` VLAN ${row.vlan}`;
  return {
    cells: [
      row.network,
      interfaceText(row.uplink, onNode?.hostInterfaceName),
      row.bridge === undefined ? none : `${row.bridge}${vlan}`,
      routingDomainText(row.routingDomain.domain),
    ],
    key: row.key,
    reason: row.failure?.reason,
    held: row.held,
    notes: row.failure === undefined ? [] : [networkMessage(row, plan), ...failureFixLine(row.failure)],
  };
}

/** The way out of a network that names no Uplink. */
function exitText(exit: NonNullable<LogicalNetworkOnNode['exit']>): string {
  const uplink = egressUplink(exit);
  const way = uplink === undefined ? 'the node, with its address' : `Uplink ${uplink}`;
  return `pods leave the cluster by ${way} (--egress ${exit})`;
}

/** The networks that ovn-uplinks provides on a node, apart from their uplinks, each followed by its failure. */
function logicalNetworkTable(
  networks: readonly LogicalNetworkOnNode[],
  pending: ReadonlySet<PartKey>,
  palette: Palette,
): readonly string[] {
  if (networks.length === 0) return [];
  const state = ({ object, failure, egressFailure }: LogicalNetworkOnNode) => {
    if (failure !== undefined) return palette.bad('held');
    if (egressFailure !== undefined) return palette.bad('not ready');
    return palette.good(pending.has(partKey({ network: object, part: 'network' })) ? 'ready when done' : 'ready');
  };
  const rows = networks.map((network) => [
    ...[nameOfNetwork(network.object), String(network.networkId ?? none), network.podSubnets.join(' ') || none].map(
      printable,
    ),
    state(network),
  ]);
  const [head = '', ...lines] = textTable([['PROVIDED NETWORK', 'ID', 'PODS', 'STATE'], ...rows]);
  return [
    palette.heading(head),
    ...lines.flatMap((line, index) => {
      const { failure, exit, egressFailure } = networks[index] ?? {};
      return [
        line,
        ...(failure === undefined ? [] : [noteLine(logicalNetworkSentence(failure))]),
        ...(egressFailure === undefined ? [] : [noteLine(egressSentence(egressFailure))]),
        ...(exit !== undefined && egressFailure === undefined ? [noteLine(exitText(exit))] : []),
      ];
    }),
  ];
}

/** The discovered facts of an uplink, in a line, if any. */
function factsLine(facts: UplinkFacts): readonly string[] {
  const { macAddress, ipAddresses = [], defaultGateways = [], bridge, vlan, physicalPort } = facts;
  const found = [
    ...(macAddress === undefined ? [] : [`MAC ${macAddress}`]),
    ...(ipAddresses.length === 0 ? [] : [`addresses ${ipAddresses.join(' ')}`]),
    ...(defaultGateways.length === 0 ? [] : [`gateways ${defaultGateways.join(' ')}`]),
    ...(bridge === undefined ? [] : [`bridge ${bridge}${vlan === undefined ? '' : ` VLAN ${vlan}`}`]),
    ...(physicalPort === undefined ? [] : [`physical port ${physicalPort}`]),
  ];
  return found.length === 0 ? [] : [found.join(', ')];
}

function uplinkLines(
  { uplink, hostInterfaceName, facts = {}, unusable }: UplinkOnNode,
  state: UplinkStateObject | undefined,
  palette: Palette,
): readonly string[] {
  const condition = state?.status.conditions[0];
  const verdict = condition?.status === 'True' ? palette.good('Ready') : palette.bad(condition?.reason ?? 'invalid');
  const why =
    unusable === undefined || condition === undefined ? [] : [condition.message, ...fixLine(condition.reason)];
  return [
    `  ${printable(interfaceText(uplink, hostInterfaceName))}: ${verdict}`,
    ...[...factsLine(facts), ...why].map(noteLine),
  ];
}

/** The input of a node's section. */
export interface PlannedNode {
  readonly plan: NodePlan;
  /** Operations of the shown networks. */
  readonly operations: readonly PlannedOperation[];
  /** The states of the node. */
  readonly states: readonly UplinkStateObject[];
  /** The folder of its capture; absent for the live node. */
  readonly folder?: string | undefined;
}

/** The shown part. */
export interface PlanSelection {
  readonly isWanted: (network: string) => boolean;
  readonly showCommands: boolean;
}

/** A planned node: its networks, uplinks and operations. */
export function nodeSection(
  { plan, operations, states, folder }: PlannedNode,
  { isWanted, showCommands }: PlanSelection,
  palette: Palette,
): readonly string[] {
  const pending = new Set(operations.flatMap(({ operation }) => partsOf(operation)));
  const rows = plan.networks
    .filter(({ network }) => isWanted(network))
    .map((row) => plannedRow(row, plan))
    .map(({ cells, key, reason, held, notes }) => ({
      cells: [...cells.map(printable), stateText(reason, held, pending.has(uplinkPart(key)), palette)],
      notes,
    }));
  const isShown = ({ uplink }: UplinkOnNode) => {
    const networks = plan.networks.filter((row) => row.uplink === uplink);
    return networks.length === 0 || networks.some(({ network }) => isWanted(network));
  };
  const uplinks = plan.uplinks.filter(isShown).map((onNode) =>
    uplinkLines(
      onNode,
      states.find(({ status }) => status.nodeName === plan.nodeName && status.uplinkName === onNode.uplink),
      palette,
    ),
  );
  return [
    `${palette.heading(`Node ${plan.nodeName}`)} ${palette.faint(folder === undefined ? 'as it is now' : `captured in ${folder}`)}`,
    ...networkTable(rows, palette),
    ...logicalNetworkTable(
      (plan.zones ?? []).filter(({ object }) => isWanted(nameOfNetwork(object))),
      pending,
      palette,
    ),
    ...(uplinks.length === 0 ? [] : [palette.heading('  UPLINKS'), ...uplinks.flat()]),
    ...operationSection(operations, showCommands, palette),
  ];
}

/** A node without a capture. */
export function reportedSection(
  node: string,
  networks: readonly ReportedNetwork[],
  isWanted: (network: string) => boolean,
  palette: Palette,
): readonly string[] {
  const rows = networks
    .filter(({ network }) => isWanted(network))
    .map(({ network, uplink, hostInterfaceName, bridge, vrf, reason, message }) => ({
      cells: [
        ...[network, interfaceText(uplink, hostInterfaceName), bridge ?? none, reportedDomainText(vrf)].map(printable),
        stateText(reason, isHolding(reason), false, palette),
      ],
      notes: reason === undefined ? [] : [...(message === '' ? [] : [message]), ...fixLine(reason)],
    }));
  return [
    `${palette.heading(`Node ${node}`)} ${palette.faint('not captured: from its UplinkStates')}`,
    ...networkTable(rows, palette),
  ];
}
