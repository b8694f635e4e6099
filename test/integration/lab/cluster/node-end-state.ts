import type { NodeSnapshot } from '../../../../src/domain/index.ts';
import { leftovers } from '../agent/leftovers.ts';
import { switchRows } from '../agent/switch-rows.ts';
import type { LabNode } from '../node.ts';
import { differing, programmed, withoutUuids } from '../packets/programmed.ts';

/** All that a node has: devices, addresses, routes, rules, neighbours, settings; rows of both databases; flows, ports and FDB entries of bridges. */
export interface NodeState {
  readonly snapshot: NodeSnapshot;
  readonly rows: readonly string[];
}

/**
 * ovn-controller notes some time later which ports it has installed, and on br-int when it was started, which change it has done last, and which zone of
 * connection tracking it has given to what.
 */
const withoutNotes = (row: string) =>
  row
    .replaceAll(/,?\["(ovn-nb-cfg(-ts)?|ovn-installed(-ts)?|ovn-startup-ts|ct-zone-[^"]*)","[^"]*"\]/g, '')
    .replaceAll('[,', '[');

/** OpenFlow numbers of ports, in rows of the switch: each port gets another one when it is made again. */
const withoutPortNumbers = (row: string) => row.replaceAll(/"ofport(_request)?":\d+/g, '"ofport$1":0');

/** The MAC address of a patch port is another one each time that it is made. */
const isPatch = (row: string) => row.includes('"type":"patch"');

export async function stateOfNode(node: LabNode, bridges: readonly string[]): Promise<NodeState> {
  const ofSwitch = (await switchRows(node))
    .map(withoutNotes)
    .map(withoutPortNumbers)
    .filter((row) => !isPatch(row));
  return {
    snapshot: await node.snapshot(),
    rows: [...ofSwitch, ...(await programmed(node, bridges))].map(withoutUuids).sort(),
  };
}

/** The differences between two states, as lines. */
export function stateDifferences(before: NodeState, after: NodeState): readonly string[] {
  return [...leftovers(before.snapshot, after.snapshot), ...differing(before.rows, after.rows)];
}

/** Whether a difference is the one row that ovn-controller keeps for the tunnels that it has had (ovn-controller, binding.c, setup_qos). */
export const isOfTunnels = (difference: string) =>
  difference.includes('QoS table') && difference.includes('"type":"linux-noop"');
