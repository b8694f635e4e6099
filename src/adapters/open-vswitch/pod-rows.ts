import { isHostInterfaceName } from '../../domain/pods/pod-key.ts';
import type { RowChange } from '../ovsdb/replica.ts';
import type { Row } from '../ovsdb/row.ts';
import { bridgeRow } from './switch.ts';

/** Whether a row is a port of a pod in a network of its own, or the interface of one. */
function isOfPod(row: Row): boolean {
  const { name } = row.columns;
  return typeof name === 'string' && isHostInterfaceName(name);
}

/** Whether a bridge that was there before and is still there is the same apart from some ports. @param ports their uuids */
function isSameApartFrom(ports: ReadonlySet<string>, { before, after }: RowChange): boolean {
  const [former, current] = [before && bridgeRow(before), after && bridgeRow(after)];
  if (former?.read !== true || current?.read !== true) return false;
  const [left, right] = [former.value, current.value].map((bridge) =>
    JSON.stringify({ ...bridge, ports: bridge.ports.filter(({ uuid }) => !ports.has(uuid)) }),
  );
  return left === right;
}

/**
 * Whether a change of the database is about ports of pods alone, which come and go, and decide nothing about the rest of a node: a node has hundreds of them.
 */
export function areOfPods(rows: readonly RowChange[]): boolean {
  const ports = new Set<string>();
  for (const { table, before, after } of rows) {
    const row = after ?? before;
    if (table === 'Port' && row !== undefined && isOfPod(row)) ports.add(row.uuid);
  }
  return rows.every((change) => {
    const present = [change.before, change.after].filter((row) => row !== undefined);
    switch (change.table) {
      case 'Port':
      case 'Interface':
        return present.every(isOfPod);
      case 'Bridge':
        return isSameApartFrom(ports, change);
      default:
        return false;
    }
  });
}
