import { LEARNED_FLOW_COOKIE } from '../../../../src/domain/conventions.ts';
import { databaseRows } from '../agent/switch-rows.ts';
import type { LabNode } from '../node.ts';
import { bridgeState } from './bridge-state.ts';
import { NORTHBOUND } from './packet-node.ts';

/** What is ours on the bridges and in the Northbound database. OVN notes there which of the pods' ports are up, some time after a restart. */
export async function programmed(node: LabNode, bridges: readonly string[]): Promise<readonly string[]> {
  const ofBridges = await Promise.all(bridges.map((bridge) => bridgeState(node, bridge)));
  return [
    ...(await databaseRows(node, NORTHBOUND, 'OVN_Northbound')).map((row) => row.replace(/"up":(true|false),?/, '')),
    ...ofBridges.flat().filter((line) => !line.includes(`cookie=${LEARNED_FLOW_COOKIE}`)),
  ].sort();
}

/** Lines that are not in both. */
export function differing(before: readonly string[], after: readonly string[]): readonly string[] {
  return [
    ...before.filter((line) => !after.includes(line)).map((line) => `- ${line}`),
    ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`),
  ];
}

/** Rows that are added again have other ones. */
export const withoutUuids = (row: string) => row.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uuid');
