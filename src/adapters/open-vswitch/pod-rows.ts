import { isHostInterfaceName } from '../../domain/pods/pod-key.ts';
import type { RowChange } from '../ovsdb/replica.ts';
import type { Row } from '../ovsdb/row.ts';
import { bridgeRow } from './switch.ts';

/** Whether a row is a port of a pod in a network of its own, or the interface of one. */
function isOfPod(row: Row): boolean {
  const name = row.columns.get('name');
  return typeof name === 'string' && isHostInterfaceName(name);
}

/** Whether a bridge is the same apart from these ports. */
function differsInPorts({ before, after }: RowChange, ports: ReadonlySet<string>): boolean {
  if (before === undefined || after === undefined) return false;
  const content = (row: Row) => {
    const fields = bridgeRow(row);
    return (
      fields.read &&
      JSON.stringify({ ...fields.value, ports: fields.value.ports.filter(({ uuid }) => !ports.has(uuid)) })
    );
  };
  const left = content(before);
  return left !== false && left === content(after);
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
        return differsInPorts(change, ports);
      default:
        return false;
    }
  });
}
