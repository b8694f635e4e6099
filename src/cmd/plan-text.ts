/**
 * A plan for people: per node what is there and which networks it carries, then what the cluster says of it.
 */
import {
  type ClusterSnapshot,
  degradedReasons,
  type NetworkOnNode,
  type NodePlan,
  networkReasons,
  type Preview,
  type ReasonText,
  readyReasons,
  type UplinkFacts,
  type UplinkOnNode,
  type UplinkStateObject,
  uplinksReadyReasons,
} from '../domain/index.ts';
import { networkMessage } from '../domain/plan/node-status.ts';
import type { ReportedNetwork } from '../domain/plan/reported-node.ts';
import { reportedDomainText, routingDomainText } from '../domain/status/routing-domain-text.ts';
import { changeMark } from './change-mark.ts';
import type { Palette } from './terminal.ts';
import { printable, textTable } from './text-table.ts';

const heads = ['NETWORK', 'UPLINK', 'BRIDGE', 'ROUTING DOMAIN', 'STATE'] as const;
const none = '–';

const mends: Readonly<Record<string, ReasonText>> = {
  ...degradedReasons,
  ...readyReasons,
  ...networkReasons,
  ...uplinksReadyReasons,
};

/** Reasons whose message tells another reason, which is the one to mend. */
const passedOn: ReadonlySet<string> = new Set(['UplinkNotReadyForNode']);

function mendLine(reason: string): readonly string[] {
  const mend = mends[reason]?.mend;
  return mend === undefined || mend === none || passedOn.has(reason) ? [] : [`to mend: ${mend}`];
}

function stateText(reason: string | undefined, held: boolean, palette: Palette): string {
  if (reason === undefined) return palette.good('ready');
  return palette.bad(held ? `held: ${reason}` : reason);
}

function interfaceText(uplink: string, hostInterfaceName: string | undefined): string {
  return hostInterfaceName === undefined ? uplink : `${uplink} (${hostInterfaceName})`;
}

/** A table of networks, each followed by what stands in its way. */
function networkTable(
  rows: readonly { readonly cells: readonly string[]; readonly notes: readonly string[] }[],
  palette: Palette,
): readonly string[] {
  if (rows.length === 0) return ['  no network with an uplink is active here'];
  const [head = '', ...lines] = textTable([[...heads], ...rows.map(({ cells }) => cells.map(printable))]).map(
    (line, index) => (index === 0 ? palette.heading(line) : line),
  );
  return [
    head,
    ...lines.flatMap((line, index) => [line, ...(rows[index]?.notes ?? []).map((note) => `      ${printable(note)}`)]),
  ];
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
    reason: row.failure?.reason,
    held: row.held,
    notes: row.failure === undefined ? [] : [networkMessage(row, plan), ...mendLine(row.failure.reason)],
  };
}

/** What was found of an uplink, in one line; nothing where nothing was found. */
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
  const verdict =
    condition?.status === 'True' ? palette.good('Ready') : palette.bad(condition?.reason ?? 'not understood');
  const why =
    unusable === undefined || condition === undefined ? [] : [condition.message, ...mendLine(condition.reason)];
  return [
    `  ${printable(interfaceText(uplink, hostInterfaceName))}: ${verdict}`,
    ...[...factsLine(facts), ...why].map((line) => `      ${printable(line)}`),
  ];
}

/** One captured node: its networks, and what was found of its uplinks. */
export function nodeSection(
  plan: NodePlan,
  states: readonly UplinkStateObject[],
  folder: string,
  isWanted: (network: string) => boolean,
  palette: Palette,
): readonly string[] {
  const rows = plan.networks
    .filter(({ network }) => isWanted(network))
    .map((row) => plannedRow(row, plan))
    .map(({ cells, reason, held, notes }) => ({
      cells: [...cells.map(printable), stateText(reason, held, palette)],
      notes,
    }));
  const uplinks = plan.uplinks.map((onNode) =>
    uplinkLines(
      onNode,
      states.find(({ status }) => status.nodeName === plan.nodeName && status.uplinkName === onNode.uplink),
      palette,
    ),
  );
  return [
    `${palette.heading(`Node ${plan.nodeName}`)} ${palette.faint(`captured in ${printable(folder)}`)}`,
    ...networkTable(rows, palette),
    ...(uplinks.length === 0 ? [] : [palette.heading('  UPLINKS'), ...uplinks.flat()]),
  ];
}

/** One node that nobody looked at. */
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
        ...[network, interfaceText(uplink, hostInterfaceName), bridge ?? none, reportedDomainText(vrf)],
        stateText(reason, false, palette),
      ],
      notes: reason === undefined ? [] : [...(message === '' ? [] : [message]), ...mendLine(reason)],
    }));
  return [
    `${palette.heading(`Node ${node}`)} ${palette.faint('not captured: as its UplinkStates say')}`,
    ...networkTable(rows, palette),
  ];
}

/** Conditions, finalizers and states that would be written: `+` new, `~` changed, `-` deleted. */
export function clusterSection(
  { states, cluster }: Preview,
  before: ClusterSnapshot,
  isWanted: (network: string) => boolean,
  palette: Palette,
) {
  const rows = [
    ...cluster.networks
      .filter(({ name }) => isWanted(name))
      .map(({ name, condition }) => ({ object: `ClusterUserDefinedNetwork/${name}`, condition })),
    ...cluster.uplinks.map(({ name, condition }) => ({ object: `Uplink/${name}`, condition })),
    ...states.flatMap(({ metadata, status }) =>
      status.conditions.map((condition) => ({ object: `UplinkState/${metadata.name}`, condition })),
    ),
  ];
  const good = (type: string, status: string) => (type === 'Degraded') === (status === 'False');
  const table = textTable([
    ['', 'OBJECT', 'TYPE', 'STATUS', 'REASON', 'MESSAGE'],
    ...rows.map(({ object, condition: { type, status, reason, message } }) => [
      changeMark(before, object, { type, status, reason, message }),
      printable(object),
      type,
      good(type, status) ? palette.good(status) : palette.bad(status),
      printable(reason),
      printable(message),
    ]),
  ]);
  return [
    `${palette.heading('Conditions')} ${palette.faint('(+ new, ~ changed)')}`,
    ...table.map((line, index) => (index === 0 ? palette.heading(line) : line)),
    ...cluster.deletions.map((name) => `  - UplinkState/${printable(name)}`),
  ];
}
