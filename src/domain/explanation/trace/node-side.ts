/** A node as its plan leaves it, and what a network that ovn-uplinks provides has there: rows of OVN, other nodes' chassis, interfaces of pods. */
import { type LogicalNetworkNames, logicalNetworkNames } from '../../network/names/logical-network.ts';
import type { EgressFailure } from '../../dataplane/egress/egress-failure.ts';
import { diffNode } from '../../diff/diff-node.ts';
import { foreseen } from '../../diff/foresee.ts';
import { canonicalAddress, familyOf, withoutLength } from '../../basics/addresses/ip-address.ts';
import type { Operation } from '../../entities/operations/operation.ts';
import { semanticsOf } from '../../entities/operations/operation-semantics.ts';
import { planNode } from '../../plan/plan-node.ts';
import type { ClusterSnapshot } from '../../snapshot/cluster-snapshot.ts';
import { keyOfNetworkName, type NetworkKey } from '../../network/key.ts';
import type { NodeSnapshot, SwitchInterface } from '../../snapshot/node-snapshot.ts';
import { isPartOf, type NorthboundRow } from '../../datapath/northbound/row.ts';
import type { NodeSettings } from '../../snapshot/settings.ts';
import { logicalNetworkSentence } from '../../status/sentences/logical-network-sentence.ts';
import { texts } from './router-rows.ts';

/** A node, and the network whose packets are traced. */
export interface NodeSide {
  readonly nodeName: string;
  readonly after: NodeSnapshot;
  /** Whether operations are needed for that. */
  readonly isChanged: boolean;
  readonly names: LogicalNetworkNames;
  /** The rows of the Northbound database, of all networks. */
  readonly rows: readonly NorthboundRow[];
  /** Why the network is not programmed there, for people; absent where it is. */
  readonly failure?: string;
  /** Why it does not leave by the node, although it should; absent where it does. */
  readonly egressFailure?: EgressFailure;
}

/** Whether an operation can matter to packets between pods of a network. */
function concerns(key: NetworkKey | undefined): (operation: Operation) => boolean {
  return (operation) => {
    const { port } = semanticsOf(operation);
    if (port === 'northbound') return operation.networks.some((network) => network === key);
    return port === 'southbound' || operation.networks.some((network) => network === key);
  };
}

/** Plans a node, and reads what packets between pods of a network need there. */
export function nodeSide(
  cluster: ClusterSnapshot,
  before: NodeSnapshot,
  settings: NodeSettings,
  networkName: string,
): NodeSide {
  const plan = planNode(cluster, before, settings);
  const operations = diffNode(plan, before).filter(concerns(keyOfNetworkName(networkName)));
  const after = foreseen(operations, before);
  const planned = plan.zones?.find((logicalNetwork) => logicalNetwork.networkName === networkName);
  const { failure, egressFailure } = planned ?? {};
  return {
    nodeName: before.nodeName,
    after,
    isChanged: operations.length > 0,
    names: logicalNetworkNames(networkName, before.nodeName),
    rows: after.northbound,
    ...(failure && { failure: logicalNetworkSentence(failure) }),
    ...(egressFailure && { egressFailure }),
  };
}

/** A value of a map in a column; undefined without one. */
export function option(row: NorthboundRow, column: string, key: string): string | undefined {
  const value = row.columns[column];
  if (typeof value !== 'object' || Array.isArray(value)) return undefined;
  return (value as Readonly<Record<string, string>>)[key];
}

/** The row with a name. */
export function rowNamed({ rows }: NodeSide, table: NorthboundRow['table'], name: string): NorthboundRow | undefined {
  return rows.find((row) => row.table === table && row.name === name);
}

/** The ports of a switch. */
export function portsOf({ rows }: NodeSide, ofSwitch: string): readonly NorthboundRow[] {
  return rows.filter((row) => row.table === 'Logical_Switch_Port' && isPartOf(row, ofSwitch));
}

/** Whether a port of a switch has an IP address (ovn-nb(5), Logical_Switch_Port, addresses). */
export function hasAddress(port: NorthboundRow, address: string): boolean {
  const words = texts(port, 'addresses').flatMap((text) => text.split(/\s+/));
  return words.map(withoutLength).some((word) => familyOf(word) !== undefined && canonicalAddress(word) === address);
}

/** The interface of Open vSwitch that is a logical port (ovn-controller(8), iface-id). */
export function interfaceOf({ after }: NodeSide, port: string): SwitchInterface | undefined {
  return after.bridges
    .flatMap(({ ports }) => ports.flatMap(({ interfaces }) => interfaces))
    .find(({ externalIds }) => externalIds['iface-id'] === port);
}
