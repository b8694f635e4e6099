/** A node that was not observed, as its UplinkStates report it. */
import { nameOfNetwork, type NetworkKey } from '../../network/key.ts';
import type { Network } from '../../network/network.ts';
import { unsupportedUplinks } from '../../network/unsupported.ts';
import type { NetworkEntry } from '../../api/uplink-state.ts';
import { distinct } from '../../basics/names/ordering.ts';
import { type UplinkReport, uplinkReport } from '../../status/degraded.ts';
import { entryFor } from '../../status/network-entry.ts';
import { reasonByUplink, type ReferencedUplink } from '../../status/uplinks-ready.ts';
import { selectOnNode } from '../../selection/node-config.ts';
import type { ClusterView } from '../view/cluster-view.ts';

/** One network that is active on a node, as the node's states report it. */
export interface ReportedNetwork {
  readonly key: NetworkKey;
  /** Its name for people. */
  readonly network: string;
  readonly uplink: string;
  readonly hostInterfaceName?: string;
  readonly bridge?: string;
  readonly vrf?: string;
  /** Why it is not ready; absent where it is. */
  readonly reason?: string;
  /** The message of the node. */
  readonly message: string;
}

/** The report of one node on an Uplink; undefined if the Uplink does not select it. */
function reportOn(uplink: string, node: string, view: ClusterView): UplinkReport | undefined {
  const [table, object] = [view.table(uplink), view.nodes.byName.get(node)];
  const selection = table && object && selectOnNode(table, object);
  if (selection === undefined || selection.kind === 'none' || selection.kind === 'unclear') return undefined;
  return uplinkReport(node, selection, view.state(uplink, node));
}

/** One uplink of a network, of which one report counts. */
function referencedUplink(name: string, view: ClusterView, report: UplinkReport | undefined): ReferencedUplink {
  const table = view.table(name);
  if (view.unreadable('uplinks').has(name)) return { kind: 'unreadable', name };
  if (table === undefined) return { kind: 'missing', name };
  if (table.unclear !== undefined) return { kind: 'unclear', problem: table.unclear };
  return { kind: 'table', reportFor: () => report };
}

/** The message of the node on a network that is not ready, else that on the uplink. */
function messageOf(report: UplinkReport | undefined, entry: NetworkEntry | undefined): string {
  if (entry?.message !== undefined && entry.message !== '') return entry.message;
  if (report === undefined || report.selection.kind === 'overlap') return '';
  if (report.state === undefined) return 'the node has not reported on what the Uplink selects for it';
  if (report.reason === undefined) return entry === undefined ? 'the node has not reported on the network yet' : '';
  return report.state.status?.conditions?.find(({ type }) => type === 'Ready')?.message ?? '';
}

/** The report of a state on the uplink and the network, as far as there is one. */
function reportedFacts(report: UplinkReport | undefined, vrf: string | undefined) {
  const { hostInterfaceName, ovsBridge } = report?.state?.status ?? {};
  return {
    ...(hostInterfaceName !== undefined && { hostInterfaceName }),
    ...(ovsBridge !== undefined && { bridge: ovsBridge.name }),
    ...(vrf !== undefined && { vrf }),
  };
}

/** The report on a network on one of its uplinks. */
function reportedNetwork(view: ClusterView, network: Network, uplink: string, node: string): ReportedNetwork {
  const name = nameOfNetwork(network.key);
  const report = reportOn(uplink, node, view);
  const entry = entryFor(report?.state?.status?.networks, name);
  const onNode = reasonByUplink(name, referencedUplink(uplink, view, report), node);
  const reason = unsupportedUplinks(network, view.settings)?.reason ?? onNode;
  const facts = { key: network.key, network: name, uplink, ...reportedFacts(report, entry?.vrf) };
  if (reason === undefined) return { ...facts, message: '' };
  return { ...facts, reason, message: messageOf(report, entry) };
}

/** The networks that are active on a node, by name, as its UplinkStates report them. */
export function reportedNetworks(view: ClusterView, node: string): readonly ReportedNetwork[] {
  return view.networks
    .filter((network) => view.isActive(network, node))
    .flatMap((network) => distinct(network.uplinks).map((uplink) => reportedNetwork(view, network, uplink, node)));
}
