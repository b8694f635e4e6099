/**
 * What is known of a node that nobody looked at: what its UplinkStates say.
 */
import type { ClusterUserDefinedNetwork } from '../api/cluster-user-defined-network.ts';
import { distinct } from '../ordering.ts';
import { unsupported, uplinksOf } from '../selection/network.ts';
import type { NodeReport } from '../status/degraded.ts';
import { entryFor } from '../status/network-entry.ts';
import { reasonOnNode } from '../status/uplinks-ready.ts';
import type { ClusterView } from './cluster-view.ts';
import { reportOn } from './plan-cluster.ts';

/** One network that is active on a node, as the node's states tell it. */
export interface ReportedNetwork {
  readonly network: string;
  readonly uplink: string;
  readonly hostInterfaceName?: string;
  readonly bridge?: string;
  readonly vrf?: string;
  /** Why it is not ready; absent where it is. */
  readonly reason?: string;
  /** What the node says of it. */
  readonly message: string;
}

/** What the node says of the uplink where it does not serve. */
function uplinkMessage(report: NodeReport | undefined): string {
  if (report === undefined || report.selection.kind === 'overlap') return '';
  if (report.state === undefined) return 'the node has not reported on what the Uplink selects for it';
  if (report.reason === undefined) return 'the node has not reported on the network yet';
  return report.state.status?.conditions?.find(({ type }) => type === 'Ready')?.message ?? '';
}

/** What a node's state says of a network on one of its uplinks. */
function reportedNetwork(
  view: ClusterView,
  network: ClusterUserDefinedNetwork,
  uplink: string,
  node: string,
): ReportedNetwork {
  const name = network.metadata.name;
  const report = reportOn(uplink, node, view);
  const status = report?.state?.status;
  const entry = entryFor(status?.networks, name);
  const onNode = view.table(uplink) === undefined ? 'UplinkNotFound' : reasonOnNode(name, report);
  const reason = unsupported(network, view.settings)?.reason ?? onNode;
  return {
    network: name,
    uplink,
    ...(status?.hostInterfaceName !== undefined && { hostInterfaceName: status.hostInterfaceName }),
    ...(status?.ovsBridge !== undefined && { bridge: status.ovsBridge.name }),
    ...(entry?.vrf !== undefined && { vrf: entry.vrf }),
    ...(reason !== undefined && { reason }),
    message: reason === undefined ? '' : (entry?.message ?? uplinkMessage(report)),
  };
}

/** The networks that are active on a node, by name, as its UplinkStates tell them. */
export function reportedNetworks(view: ClusterView, node: string): readonly ReportedNetwork[] {
  return view.networks
    .filter((network) => view.isActive(network, node))
    .flatMap((network) => distinct(uplinksOf(network)).map((uplink) => reportedNetwork(view, network, uplink, node)));
}
