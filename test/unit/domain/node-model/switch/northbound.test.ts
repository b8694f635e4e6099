import { expect } from 'chai';
import { deleteRows, putRows } from '../../../../../src/domain/node-model/switch/northbound.ts';
import type { NorthboundRow } from '../../../../../src/domain/datapath/northbound/row.ts';
import {
  type NorthboundTables,
  northboundTables,
  tableNames,
} from '../../../../../src/domain/datapath/northbound/tables.ts';
import { completeNode } from '../../../../../src/testing/index.ts';

const router: NorthboundRow = { table: 'Logical_Router', name: 'GR_blue', columns: {} };
const addresses: NorthboundRow = { table: 'Address_Set', name: 'outside', columns: { addresses: ['10.0.0.0/8'] } };
const translation: NorthboundRow = {
  table: 'NAT',
  name: 'GR_blue snat 10.20.0.0/16',
  columns: { type: 'snat', logical_ip: '10.20.0.0/16', external_ip: '192.0.2.6', allowed_ext_ips: 'outside' },
  parents: [{ table: 'Logical_Router', name: 'GR_blue', column: 'nat' }],
};

const node = (...northbound: readonly NorthboundRow[]) => ({ ...completeNode({ nodeName: 'worker-a' }), northbound });

describe('rows that are deleted', () => {
  it('leave rows that refer to them as they are: without the limit, a translation would be one towards all', () => {
    const after = deleteRows(node(router, translation, addresses), [addresses]);
    expect(after.northbound).to.deep.equal([router, translation]);
  });

  it('take their parts with them, and not the parts of other rows, or of rows that are not there', () => {
    const other = {
      ...translation,
      name: 'GR_red',
      parents: [{ table: 'Logical_Router', name: 'GR_red', column: 'nat' }],
    };
    const rows = node(router, translation, other as NorthboundRow);
    expect(deleteRows(rows, [router]).northbound).to.deep.equal([other]);
    expect(deleteRows(rows, [addresses]).northbound).to.deep.equal(rows.northbound);
  });
});

describe('a row that is put', () => {
  it('changes the first of several with its key, and is added after all where there is none', () => {
    const foreign: NorthboundRow = { table: 'Logical_Router', name: 'GR_blue', columns: { options: { chassis: 'b' } } };
    const options = { options: { chassis: 'a' } };
    const after = putRows(node(router, foreign), [{ ...router, columns: options }, addresses]);
    expect(after.northbound).to.deep.equal([{ ...router, columns: options }, foreign, addresses]);
  });

  it('keeps keys of other programs in a map, and what it was inserted with', () => {
    const [inserted] = putRows(node(), [{ ...router, initial: { options: { foreign: 'yes' } } }]).northbound;
    const after = putRows(node(inserted!), [{ ...router, columns: { options: { chassis: 'a' } } }]);
    expect(after.northbound).to.deep.equal([{ ...router, columns: { options: { foreign: 'yes', chassis: 'a' } } }]);
  });
});

describe('the tables of the Northbound database', () => {
  it('refer to each other only', () => {
    const tables: NorthboundTables = northboundTables;
    const names = tableNames(tables);
    for (const { references, ownedThrough } of Object.values(tables)) {
      const referred = [...Object.values(references), ...(ownedThrough === undefined ? [] : [ownedThrough])];
      for (const { table } of referred) expect(names).to.include(table);
    }
  });
});
