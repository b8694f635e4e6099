import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { CapturedNode } from '../../../../src/adapters/capture/captured-node.ts';
import { columnsByTable } from '../../../../src/domain/datapath/northbound/tables.ts';
import { problemLines, valueOf } from '../readings.ts';
import { temporaryFolders } from '../temporary-folders.ts';

const workerA = fileURLToPath(new URL('../../../../fixtures/captures/worker-a', import.meta.url));

/** The Northbound database as ovsdb-client prints it, with a gateway router; without tables, or columns as `Table.column`. */
function northboundDump(missing: readonly string[] = []): string {
  const uuid = ['uuid', '5a1ff1fe-7a3c-4c3f-8f0a-3c3c1f6f0b3e'];
  const empty = ['set', []];
  const router: Readonly<Record<string, unknown>> = {
    name: 'GR_cluster_udn_blue_worker-a',
    options: ['map', [['chassis', 'worker-a-chassis']]],
    external_ids: ['map', [['k8s.ovn.org/network', 'cluster_udn_blue']]],
  };
  const tables = Object.entries(columnsByTable()).filter(([table]) => !missing.includes(table));
  const lines = tables.map(([table, columns]) => {
    const headings = ['_uuid', ...columns.filter((column) => !missing.includes(`${table}.${column}`))];
    const data =
      table === 'Logical_Router' ? [headings.map((name) => (name === '_uuid' ? uuid : (router[name] ?? empty)))] : [];
    return JSON.stringify({ caption: `${table} table`, headings, data });
  });
  return `${lines.join('\n')}\n`;
}

describe('the Northbound database of a captured node', () => {
  const newFolder = temporaryFolders();

  /** Reads the captured worker-a with a file of the database; without one if absent. */
  async function readWith(text?: string) {
    const directory = join(newFolder(), 'worker-a');
    cpSync(workerA, directory, { recursive: true });
    if (text !== undefined) writeFileSync(join(directory, 'ovn-nb.json'), text);
    return { directory, reading: await new CapturedNode('worker-a', directory).read() };
  }

  it('is read', async () => {
    const node = valueOf((await readWith(northboundDump())).reading);
    expect(node.isNorthboundRead).to.equal(true);
    expect(node).not.to.have.property('missingNorthboundColumns');
    expect(node.northbound).to.deep.equal([
      {
        table: 'Logical_Router',
        uuid: '5a1ff1fe-7a3c-4c3f-8f0a-3c3c1f6f0b3e',
        name: 'GR_cluster_udn_blue_worker-a',
        columns: { options: { chassis: 'worker-a-chassis' } },
        externalIds: { 'k8s.ovn.org/network': 'cluster_udn_blue' },
      },
    ]);
  });

  it('is read with what it lacks because OVN is older', async () => {
    const missing = ['Logical_Router_Policy.nexthops', 'Static_MAC_Binding'];
    const node = valueOf((await readWith(northboundDump(missing))).reading);
    expect(node.missingNorthboundColumns).to.deep.equal(missing);
  });

  it('is unknown without its file', async () => {
    const node = valueOf((await readWith()).reading);
    expect(node.northbound).to.deep.equal([]);
    expect(node).not.to.have.any.keys('isNorthboundRead', 'missingNorthboundColumns');
  });

  for (const [what, text, problem] of [
    ['empty', '\n', 'is empty: it is truncated or half-written'],
    [
      'truncated',
      northboundDump().slice(0, 20),
      'ends at line 1, column 21, where the rest of a value was expected: it is truncated or half-written',
    ],
    ['of another database', northboundDump(['NAT']), 'holds no table NAT: it is truncated or of another database'],
  ] as const) {
    it(`is invalid if its file is ${what}`, async () => {
      const { directory, reading } = await readWith(text);
      expect(problemLines(reading)).to.deep.equal([`${directory}/ovn-nb.json: ${problem}`]);
    });
  }
});
