import { LEARNED_FLOW_COOKIE } from '../../../../src/domain/basics/conventions.ts';
import { databaseRows } from '../agent/switch-rows.ts';
import type { LabNode } from '../node.ts';
import { bridgeState } from './bridge-state.ts';
import { NORTHBOUND } from './packet-node.ts';

/** Our entries on the bridges and in the Northbound database. OVN notes there which of the pods' ports are up, some time after a restart. */
export async function programmed(node: LabNode, bridges: readonly string[]): Promise<readonly string[]> {
  const ofBridges = await Promise.all(bridges.map((bridge) => bridgeState(node, bridge)));
  return [
    ...(await databaseRows(node, NORTHBOUND, 'OVN_Northbound')).map((row) => row.replace(/"up":(true|false),?/, '')),
    ...ofBridges.flat().filter((line) => !line.includes(`cookie=${LEARNED_FLOW_COOKIE}`)),
  ].sort();
}

/** The lines of which there are more than in others, each as often as it is missing there. */
function excess(lines: readonly string[], others: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}

/** Lines that are not in both, or not as often: a row that was added twice differs from none but in its identifier. */
export function differing(before: readonly string[], after: readonly string[]): readonly string[] {
  return [...excess(before, after).map((line) => `- ${line}`), ...excess(after, before).map((line) => `+ ${line}`)];
}

/** Rows that are added again have other ones. */
export const withoutUuids = (row: string) => row.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uuid');
