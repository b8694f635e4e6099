import { expect } from 'chai';
import fc from 'fast-check';
import { NorthboundRows } from '../../../../src/adapters/ovn/rows.ts';
import { type Row, type RowColumns, rowOf, type Tables } from '../../../../src/adapters/ovsdb/row.ts';
import { isSameList } from '../../../../src/domain/basics/incremental/list-changes.ts';
import { LOGICAL_NETWORK_ROW_OWNER_KEY } from '../../../../src/domain/datapath/northbound/row.ts';

const referring = (...uuids: readonly string[]) => ['set', uuids.map((uuid) => ['uuid', uuid])];
const ofNetwork = (network: string) => ({ external_ids: ['map', [[LOGICAL_NETWORK_ROW_OWNER_KEY, network]]] });

/** The variants of each row of a database, which may also not be there. */
const variants: Readonly<Record<string, Readonly<Record<string, readonly RowColumns[]>>>> = {
  Logical_Switch: {
    s0: [
      { name: 'one', ports: referring() },
      { name: 'one', ports: referring('p0', 'p1') },
      { name: 'renamed', ports: referring('p0', 'p1') },
      { name: 7, ports: referring('p0') },
      { name: 'one', ports: referring('p0') },
    ],
    s1: [{ name: 'two', ports: referring('p1', 'p2'), ...ofNetwork('blue') }],
  },
  Logical_Router: {
    r0: [
      { name: 'router', ports: referring('q0'), nat: referring('n0', 'n1') },
      { name: 'router', ports: referring('q0'), nat: referring('n1') },
      { name: 'other', nat: referring('n0') },
    ],
  },
  Logical_Switch_Port: {
    p0: [
      { name: 'a', type: '' },
      { name: 'a', type: 'router', ...ofNetwork('red') },
    ],
    p1: [
      { name: 'b', type: '' },
      { name: 'b', type: ['set', []] },
    ],
    p2: [{ name: 'c', type: '', options: ['map', [['router-port', 'port']]] }],
  },
  Logical_Router_Port: {
    q0: [
      { name: 'port', mac: 'x', networks: 'y', ...ofNetwork('blue') },
      { name: 'port', mac: 'x', networks: 'y', ...ofNetwork('red') },
      { name: 'moved', mac: 'x', networks: 'y', ...ofNetwork('red') },
    ],
  },
  Address_Set: { a0: [{ name: 'set' }, { name: 'renamed' }] },
  NAT: {
    n0: [
      { type: 'snat', logical_ip: '10.0.0.0/8', external_ip: 'z', allowed_ext_ips: ['uuid', 'a0'] },
      { type: 'snat', logical_ip: '10.0.0.0/8', external_ip: 'z' },
    ],
    n1: [{ type: 'snat', logical_ip: '11.0.0.0/8', external_ip: 'z', allowed_ext_ips: ['uuid', 'a0'] }],
  },
  Static_MAC_Binding: {
    m0: [{ logical_port: 'port', ip: 'i', mac: 'm', override_dynamic_mac: true }],
    m1: [{ logical_port: 'moved', ip: 'i', mac: 'm', override_dynamic_mac: true }],
  },
};

/** Which variant each row is, by table and UUID; undefined for rows that are not there. */
type Content = Readonly<Record<string, Readonly<Record<string, number | undefined>>>>;

const contents: fc.Arbitrary<Content> = fc.record(
  Object.fromEntries(
    Object.entries(variants).map(([table, rows]) => [
      table,
      fc.record(
        Object.fromEntries(
          Object.entries(rows).map(([uuid, all]) => [uuid, fc.option(fc.nat(all.length - 1), { nil: undefined })]),
        ),
      ),
    ]),
  ),
);

/** Makes the tables of one content after the other, as a replica does: what has not changed is the same object. */
function replica(): (content: Content) => Tables {
  let before: Tables = new Map();
  const known = new Map<string, Row>();
  return (content) => {
    const tables = Object.entries(content).map(([table, rows]): readonly [string, readonly Row[]] => {
      const present = Object.entries(rows).flatMap(([uuid, variant]) => {
        const columns = variant === undefined ? undefined : variants[table]?.[uuid]?.[variant];
        if (columns === undefined) return [];
        const last = known.get(uuid);
        const row = last?.columns === columns ? last : rowOf(table, uuid, columns, 'db.sock');
        known.set(uuid, row);
        return [row];
      });
      const list = before.get(table) ?? [];
      return [table, isSameList(list, present) ? list : present];
    });
    before = new Map(tables);
    return before;
  };
}

describe('rows of the Northbound database', () => {
  it('are the same after any changes as those of a database that is read for the first time', () => {
    fc.assert(
      fc.property(fc.array(contents, { minLength: 2, maxLength: 6 }), (history) => {
        const [rows, tablesOf] = [new NorthboundRows(), replica()];
        for (const content of history) {
          const tables = tablesOf(content);
          expect(rows.of(tables)).to.deep.equal(new NorthboundRows().of(tables));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('are the same objects where their content is the same', () => {
    fc.assert(
      fc.property(fc.array(contents, { minLength: 2, maxLength: 4 }), (history) => {
        const [rows, tablesOf] = [new NorthboundRows(), replica()];
        let before: readonly unknown[] = [];
        for (const content of history) {
          const found = rows.of(tablesOf(content));
          const present = found.read ? found.value : [];
          const texts = new Map(before.map((row) => [JSON.stringify(row), row]));
          for (const row of present) expect(texts.get(JSON.stringify(row)) ?? row).to.equal(row);
          before = present;
        }
      }),
      { numRuns: 500 },
    );
  });

  it('are the same list once a row that could not be read is as before', () => {
    const [rows, tablesOf] = [new NorthboundRows(), replica()];
    const good = { Logical_Switch: { s0: 1 }, Logical_Switch_Port: { p0: 0, p1: 0 } };
    const malformed = { ...good, Logical_Switch_Port: { p0: 0, p1: 1 } };
    const [first, unread, again] = [good, malformed, good].map((content) => rows.of(tablesOf(content)));
    expect(unread?.read).to.be.false;
    expect(first?.read === true && again?.read === true && first.value === again.value).to.be.true;
  });

  it('have one list of parents where they are part of one row, also if they come one by one', () => {
    const [rows, tablesOf] = [new NorthboundRows(), replica()];
    rows.of(tablesOf({ Logical_Switch: { s0: 4 }, Logical_Switch_Port: { p0: 0 } }));
    const reading = rows.of(tablesOf({ Logical_Switch: { s0: 1 }, Logical_Switch_Port: { p0: 0, p1: 0 } }));
    const lists = reading.read ? reading.value.flatMap(({ parents }) => (parents === undefined ? [] : [parents])) : [];
    expect(lists).to.have.length(2);
    expect(lists[1]).to.equal(lists[0]);
  });
});
