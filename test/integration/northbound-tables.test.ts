/** Tables of OVN's Northbound database that only this test describes: one entry each, and rows of them are read, written and modelled. */
import { expect } from 'chai';
import { readNorthbound } from '../../src/adapters/ovn/dump.ts';
import { satisfiesRow } from '../../src/domain/entities/ovn/northbound-row.ts';
import { deleteRows, putRows } from '../../src/domain/node-model/switch/northbound.ts';
import type { NorthboundRow } from '../../src/domain/datapath/northbound/row.ts';
import {
  type NorthboundTable,
  type NorthboundTables,
  northboundTables,
  type TableDescription,
} from '../../src/domain/datapath/northbound/tables.ts';
import { northboundTransaction, type RowChange } from '../../src/domain/datapath/ovsdb/row-transaction.ts';
import { completeNode } from '../../src/testing/index.ts';
import { valueOf } from '../unit/adapters/readings.ts';
import { NorthboundServer } from './northbound-server.ts';

const { Logical_Switch: logicalSwitch } = northboundTables;

const described: Readonly<Record<string, TableDescription>> = {
  Logical_Switch: { ...logicalSwitch, parts: [...logicalSwitch.parts, 'load_balancer'] },
  Port_Group: {
    identity: 'name',
    isRoot: true,
    columns: {},
    parts: [],
    references: { ports: { table: 'Logical_Switch_Port', number: 'many', isWeak: true } },
  },
  Load_Balancer: { identity: 'name', isRoot: true, columns: { vips: 'map' }, parts: [], references: {} },
};

const tables: NorthboundTables = { ...northboundTables, ...described };

// The compiler knows the tables of the product only.
const [portGroups, loadBalancers] = ['Port_Group', 'Load_Balancer'] as unknown as readonly [
  NorthboundTable,
  NorthboundTable,
];

const owned = { network: 'blue', isOfZone: true } as const;

const switches = ['left', 'right'].map((name): NorthboundRow => ({
  ...owned,
  table: 'Logical_Switch',
  name,
  columns: {},
}));

const ports = ['a', 'b'].map((name): NorthboundRow => ({
  ...owned,
  table: 'Logical_Switch_Port',
  name,
  columns: {},
  parents: [{ table: 'Logical_Switch', name: 'left', column: 'ports' }],
}));

const group: NorthboundRow = { ...owned, table: portGroups, name: 'all', columns: { ports: ['a', 'b'] } };

const balancer: NorthboundRow = {
  ...owned,
  table: loadBalancers,
  name: 'web',
  columns: { vips: { '10.96.0.7:80': '10.20.1.3:8080' } },
  parents: switches.map(({ name }) => ({ table: 'Logical_Switch', name, column: 'load_balancer' })),
};

describe('a table of OVN that is described', () => {
  let server: NorthboundServer;
  beforeEach(async () => {
    server = await NorthboundServer.start();
  });
  afterEach(() => server.stop());

  const read = () => valueOf(readNorthbound(server.dump(), 'ovnnb', tables)).northbound;

  const named = (name: string) => read().find((row) => row.name === name);

  const change = (verb: RowChange['verb'], ...rows: readonly NorthboundRow[]) => {
    const changes = rows.map((row) => ({ verb, row }));
    server.transact(...northboundTransaction(changes, read(), tables).map(({ operation }) => operation));
  };

  /** A row, which has to be as desired. */
  const served = (desired: NorthboundRow) => {
    const found = named(desired.name);
    expect(found && satisfiesRow(found, desired), desired.name).to.equal(true);
    return found;
  };

  it('has rows with many references, which lose those whose rows are gone', () => {
    change('add', ...switches, ...ports, group);
    expect(served(group)).to.deep.include({ table: 'Port_Group', ...owned, columns: { ports: ['a', 'b'] } });
    const fewer = { ...group, columns: { ports: ['b'] } };
    change('replace', fewer);
    served(fewer);
    change('remove', ...ports.slice(1));
    served({ ...group, columns: { ports: [] } });
    const model = deleteRows(
      putRows(completeNode({ nodeName: 'worker-a' }), [...switches, ...ports, fewer]),
      ports.slice(1),
      tables,
    );
    expect(model.northbound.find(({ name }) => name === 'all')?.columns).to.deep.equal({ ports: [] });
  });

  it('has rows that several others refer to, which stay where one of these goes', () => {
    const [left, right] = balancer.parents ?? [];
    const onLeft = { ...balancer, parents: [left!] };
    change('add', ...switches, onLeft);
    served(onLeft);
    change('replace', balancer);
    expect(served(balancer)?.parents).to.deep.equal([left, right]);
    change('remove', ...switches.slice(0, 1));
    expect(named('web')?.parents).to.deep.equal([right]);
    const model = deleteRows(
      putRows(completeNode({ nodeName: 'worker-a' }), [...switches, balancer]),
      switches,
      tables,
    );
    const { parents: _, ...alone } = balancer;
    expect(model.northbound).to.deep.equal([alone]);
    change('remove', { ...balancer, parents: [right!] });
    expect(named('web')).to.equal(undefined);
  });

  it('refuses a change of a row of it that another program has changed meanwhile', () => {
    change('add', ...switches, balancer);
    const before = read();
    server.setColumn(
      before.find(({ name }) => name === 'web')!,
      'vips',
      {},
    );
    const changes = [{ verb: 'replace', row: balancer } as const];
    const operations = northboundTransaction(changes, before, tables).map(({ operation }) => operation);
    expect(() => server.transact(...operations)).to.throw('timed out');
  });
});
