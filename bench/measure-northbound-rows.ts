/** Measures the rows of a node with whole networks in OVN's Northbound database: the memory of their replica, and reading them again after a change. */
import { NorthboundRows } from '../src/adapters/ovn/rows.ts';
import { Replica } from '../src/adapters/ovsdb/replica.ts';
import { type NorthboundRow, rowKey } from '../src/domain/datapath/northbound/row.ts';
import { encodedRow } from '../src/domain/datapath/ovsdb/row-encoding.ts';
import { diffNode, planNode } from '../src/domain/index.ts';
import { foreseen } from '../src/domain/diff/foresee.ts';
import { cpuOf, median, report, settledHeap } from './figure.ts';
import { providedNode, providingSettings } from './provided-node.ts';

const [nodes = 100, networks = 100] = process.argv.slice(2).map(Number);

/** The rows once everything is done. */
function programmedRows(): readonly NorthboundRow[] {
  const { cluster, node } = providedNode(nodes, networks);
  let on = node;
  for (;;) {
    const operations = diffNode(planNode(cluster, on, providingSettings), on);
    if (operations.length === 0) return on.northbound;
    on = foreseen(operations, on);
  }
}

const uuidOf = (number: number) => `${number.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;

/** Updates of rows by table and UUID (ovsdb-server(7), 4.1.14). */
type Updates = Record<string, Record<string, { readonly insert: Record<string, unknown> }>>;

/** The references to the ports of a switch. */
function portsOf(columns: Readonly<Record<string, unknown>>): readonly unknown[] {
  const [, references = []] = (columns['ports'] ?? []) as readonly [string?, (readonly unknown[])?];
  return references;
}

/** The update by which a monitor reports the rows, as text (ovsdb-server(7), 4.1.14). */
function updateOf(rows: readonly NorthboundRow[]): string {
  const uuids = new Map(rows.map((row, place) => [rowKey(row), uuidOf(place)]));
  const updates: Updates = {};
  for (const row of rows) {
    const insert = { ...encodedRow(row, (other) => ['uuid', uuids.get(rowKey(other)) ?? '']) };
    (updates[row.table] ??= {})[uuids.get(rowKey(row)) ?? ''] = { insert };
  }
  for (const row of rows) {
    for (const parent of row.parents ?? []) {
      const columns = updates[parent.table]?.[uuids.get(rowKey(parent)) ?? '']?.insert ?? {};
      const [, others = []] = (columns[parent.column] ?? []) as readonly [string?, (readonly unknown[])?];
      columns[parent.column] = ['set', [...others, ['uuid', uuids.get(rowKey(row))]]];
    }
  }
  return JSON.stringify(updates);
}

const update = updateOf(programmedRows());
const settledBefore = settledHeap();
const replica = new Replica('ovnnb_db.sock');
const rows = new NorthboundRows();

function read(updates: unknown): number {
  const applied = replica.applyDifferences(updates);
  const reading = rows.of(replica.tables);
  if (!applied.applied || !reading.read) throw new Error('expected to read all rows');
  return reading.value.length;
}

let count = 0;
const cold = cpuOf(() => (count = read(JSON.parse(update))));
const size = { nodes, networks, rows: count };
report({ name: 'Northbound rows, cold', size, value: cold, unit: 'ms of CPU' });
const memory = (settledHeap() - settledBefore) / (nodes * networks);
report({
  name: 'settled memory of a network and a peer in the replica and its rows',
  size,
  value: Number(memory.toFixed(2)),
  unit: 'KiB',
});

/** The switch with most ports, which has that of each other node. */
const [switchUuid, switchColumns] = Object.entries((JSON.parse(update) as Updates)['Logical_Switch'] ?? {})
  .map(([uuid, { insert }]) => [uuid, insert] as const)
  .reduce((most, each) => (portsOf(each[1]).length > portsOf(most[1]).length ? each : most));

let ports = portsOf(switchColumns);

/** The update by which a monitor reports a further port of that switch. */
function withPort(number: number): Updates {
  const uuid = uuidOf(count + number);
  ports = [...ports, ['uuid', uuid]];
  return {
    Logical_Switch: { [switchUuid]: { insert: { ...switchColumns, ports: ['set', ports] } } },
    Logical_Switch_Port: { [uuid]: { insert: { name: `port-${String(number)}` } } },
  };
}

const MEASURED = 21;
const values = Array.from({ length: MEASURED }, (_, run) => {
  const updates = withPort(run);
  return cpuOf(() => read(updates));
});
report({
  name: `Northbound rows, one port added, median of ${String(MEASURED)}`,
  size,
  value: median(values),
  unit: 'ms of CPU',
});
