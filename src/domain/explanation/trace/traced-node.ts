/**
 * A node as its plan leaves it, and one of its networks, whose packets are traced.
 */
import { viewCluster } from '../../plan/view/cluster-view.ts';
import { resolvedMac } from '../../node-model/neighbours/lasting-neighbour.ts';
import { LEARNED_FLOW_COOKIE } from '../../basics/conventions.ts';
import { type GatewayRouterNames, gatewayRouterNames } from '../../network/names/gateway-router.ts';
import type { NetworkDatapath } from '../../dataplane/network-datapath.ts';
import type { NetworkDataplane } from '../../dataplane/network-dataplane.ts';
import { nextHopFlow } from '../../dataplane/pipeline/next-hop.ts';
import { diffNode } from '../../diff/diff-node.ts';
import { foreseen } from '../../diff/foresee.ts';
import { type NodeServices, nodeServices } from './node-services/node-services.ts';
import { unknownNetworkSentence } from '../unknown-object.ts';
import { plannedVerdict } from '../verdict.ts';
import { type FlowEntry, flowKey } from '../../datapath/openflow/flow-entry.ts';
import type { NodePlan } from '../../plan/node-plan.ts';
import { planNode } from '../../plan/plan-node.ts';
import { networksIn } from '../../plan/view/provided-networks.ts';
import { plannedFlows, plannedRows } from '../preview/planned-datapath.ts';
import { nameOfNetwork, type NetworkKey } from '../../network/key.ts';
import { semanticsOf } from '../../entities/operations/operation-semantics.ts';
import type { Operation } from '../../entities/operations/operation.ts';
import type { ClusterSnapshot } from '../../snapshot/cluster-snapshot.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import type { NorthboundRow } from '../../datapath/northbound/row.ts';
import { withServiceCidrs } from '../../plan/view/service-cidrs.ts';
import type { NodeSettings } from '../../snapshot/settings.ts';

/** A node, and the network whose packets are traced. */
export interface TracedNode {
  readonly nodeName: string;
  /** As it is now: it has the neighbours that the kernel drops when an interface is enslaved, and resolves again. */
  readonly before: NodeSnapshot;
  /** As its plan leaves it, and with the flows by which Services are reached. */
  readonly after: NodeSnapshot;
  /** Whether operations are needed for that. */
  readonly isChanged: boolean;
  /** Name of the network for people, with its namespace if it has one. */
  readonly network: string;
  readonly networkId: number;
  /** MTU of the network's pods, in bytes. */
  readonly mtu: number;
  readonly dataplane: NetworkDataplane;
  readonly datapath: NetworkDatapath;
  readonly names: GatewayRouterNames;
  /** The planned rows of the network in the Northbound database. */
  readonly rows: readonly NorthboundRow[];
  /** The Services of all networks on the node. */
  readonly services: NodeServices;
  readonly settings: NodeSettings;
  /** Why a flow of a bridge is there. */
  why(bridge: string, flow: FlowEntry): string;
}

/** The node, or why packets of the network cannot be traced there. */
export type TracedNodeReading = { readonly node: TracedNode } | { readonly problem: string };

function whyOf(bridge: string, flow: FlowEntry, reasons: ReadonlyMap<string, string>): string {
  const known = reasons.get(`${bridge} ${flowKey(flow)}`);
  if (known !== undefined) return known;
  return flow.cookie === LEARNED_FLOW_COOKIE ? 'learned' : 'not managed by ovn-uplinks';
}

/** Why nothing is planned for a network on a node. */
function unplanned(cluster: ClusterSnapshot, settings: NodeSettings, plan: NodePlan, name: string) {
  const unknown = unknownNetworkSentence(name, cluster);
  const network = networksIn(cluster, settings).find(({ key }) => nameOfNetwork(key) === name);
  if (unknown !== undefined || network === undefined) return unknown ?? `network ${name} does not exist`;
  if (network.uplinks.length === 0)
    return settings.providedNetworks === 'all'
      ? `network ${name} has no uplinks: its packets leave nodes only for its pods on others`
      : `network ${name} has no uplinks: OVN-Kubernetes decides how its packets leave nodes`;
  const { reason, message } = plannedVerdict(plan, network.key);
  return `network ${name} has no uplink on ${plan.nodeName}: ${reason}${message === '' ? '' : `: ${message}`}`;
}

/** Whether an operation can matter to packets of a network. Rows of other networks in OVN do not, and there are many. */
function concerns(network: NetworkKey): (operation: Operation) => boolean {
  return (operation) => semanticsOf(operation).port !== 'northbound' || operation.networks.includes(network);
}

/** Plans a node, and reads what packets of a network need there. */
export function tracedNode(
  cluster: ClusterSnapshot,
  before: NodeSnapshot,
  given: NodeSettings,
  network: string,
): TracedNodeReading {
  const settings = withServiceCidrs(given, cluster);
  const plan = planNode(cluster, before, settings);
  const dataplane = plan.dataplane.programmed.find((each) => nameOfNetwork(each.network) === network);
  if (dataplane === undefined) return { problem: unplanned(cluster, settings, plan, network) };
  const { datapath } = dataplane;
  if (datapath === undefined) {
    return {
      problem: `only the host's half of network ${network} is programmed: without --ovn-northbound it has no flows`,
    };
  }
  const operations = diffNode(plan, before);
  const { networkName, node, bridge } = datapath.router;
  const flows = [...plannedFlows(plan).values()].flat();
  const services = nodeServices(cluster, before, settings, plan);
  const reasons = new Map(
    [...flows, ...services.flows].map(({ flow, why }) => [`${flow.bridge} ${flowKey(flow)}`, why]),
  );
  const after = foreseen(operations.filter(concerns(dataplane.network)), before);
  const object = viewCluster(cluster, settings).networks.find(({ key }) => key === dataplane.network);
  return {
    node: {
      nodeName: plan.nodeName,
      before,
      after: { ...after, flows: [...after.flows, ...services.flows.map(({ flow }) => flow)] },
      isChanged: operations.length > 0,
      network,
      networkId: datapath.network.networkId,
      mtu: object?.mtu ?? settings.defaultNetworkMtu,
      dataplane,
      datapath,
      names: gatewayRouterNames(networkName, node, bridge, datapath.router.inside),
      rows: plannedRows(plan).filter((row) => row.network === networkName),
      services,
      settings,
      why: (on, flow) => whyOf(on, flow, reasons),
    },
  };
}

/** The MAC address that is assumed for a neighbour whose own is not known: one for documentation (RFC 7042, section 2.1.2). */
const ASSUMED_MAC = '00:00:5e:00:53:01';

/** The MAC address of a neighbour, and whether it is only assumed. */
export interface NeighbourMac {
  readonly macAddress: string;
  readonly isAssumed: boolean;
}

/** The MAC address of a neighbour on a device: the kernel's, else that of the flows of the bridge, else an assumed one. */
export function neighbourMac(
  { before, after, datapath: { uplink, gateways } }: TracedNode,
  device: string,
  address: string,
): NeighbourMac {
  const [known] = [...after.neighbours, ...before.neighbours].flatMap((each) =>
    each.device === device && each.address === address ? (resolvedMac(each) ?? []) : [],
  );
  const { flow, macAddressIn } = nextHopFlow(uplink, address, gateways.includes(address));
  const found = after.flows.find((each) => flowKey(each) === flowKey(flow));
  const macAddress = known ?? (found && macAddressIn(found.actions));
  return macAddress === undefined ? { macAddress: ASSUMED_MAC, isAssumed: true } : { macAddress, isAssumed: false };
}
