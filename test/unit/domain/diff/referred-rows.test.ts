import { uplinkOwner } from '../../../../src/domain/dataplane/owner.ts';
import { expect } from 'chai';
import { foreignAtPlaceOf } from '../../../../src/domain/entities/entity-kinds.ts';
import { northboundRowEntity } from '../../../../src/domain/entities/ovn/northbound-row.ts';
import { diffNode } from '../../../../src/domain/index.ts';
import type { NorthboundRow } from '../../../../src/domain/datapath/northbound/row.ts';
import { nodeOf, planOf } from './plans.ts';

const network = 'cluster_udn_blue';
const set: NorthboundRow = { table: 'Address_Set', name: 'nodes', network, columns: { addresses: ['198.51.100.11'] } };

const translation = (allowed_ext_ips: string | readonly string[]): NorthboundRow => ({
  table: 'NAT',
  name: 'GR_blue snat 10.20.0.0/16',
  network,
  columns: { external_ip: '169.254.0.12', allowed_ext_ips },
  parents: [{ table: 'Logical_Router', name: 'GR_blue', column: 'nat' }],
});

/** The changes of rows, in their order. */
function changesTo(
  desired: readonly NorthboundRow[],
  northbound: readonly NorthboundRow[] = [set, translation('nodes')],
): readonly string[] {
  const node = nodeOf({ northbound });
  const plan = planOf(node, []);
  const owners = [uplinkOwner('ClusterUserDefinedNetwork/blue')];
  const dataplane = {
    ...plan.dataplane,
    desired: desired.map((row) => ({ entity: northboundRowEntity(row), owners })),
  };
  return diffNode({ ...plan, dataplane }, node).flatMap((operation) =>
    operation.verb === 'change'
      ? operation.changes.map(({ verb, entity }) =>
          entity.kind === 'northbound-row' ? `${verb} ${entity.row.table}` : entity.kind,
        )
      : [],
  );
}

describe('a row of the Northbound database with references to it', () => {
  it('is removed after the rows that refer to it: the database refuses it before', () => {
    expect(changesTo([translation([])])).to.deep.equal(['replace NAT', 'remove Address_Set']);
  });

  it('is removed by the change that removes those rows', () => {
    expect(changesTo([])).to.have.members(['remove NAT', 'remove Address_Set']);
  });
});

describe('rows of two tables with one name', () => {
  const row = (table: 'Logical_Router' | 'Logical_Switch', options: Readonly<Record<string, string>> = {}) => ({
    table,
    name: 'one',
    network,
    columns: { [table === 'Logical_Router' ? 'options' : 'other_config']: options },
  });
  const [aRouter, aSwitch] = [row('Logical_Router'), row('Logical_Switch')];

  it('are told apart where one is desired', () => {
    expect(changesTo([aSwitch], [aRouter, aSwitch])).to.deep.equal(['remove Logical_Router']);
    expect(changesTo([aSwitch], [aRouter])).to.have.members(['remove Logical_Router', 'add Logical_Switch']);
  });

  it('are told apart where both are', () => {
    const changed = row('Logical_Switch', { mac: 'any' });
    expect(changesTo([aRouter, aSwitch], [aSwitch, aRouter])).to.deep.equal([]);
    expect(changesTo([aRouter, changed], [aSwitch, aRouter])).to.deep.equal(['replace Logical_Switch']);
  });

  it('are at two places: one of another program is no obstacle for the other', () => {
    const { network: _, ...ofAnother } = aSwitch;
    const node = nodeOf({ northbound: [ofAnother] });
    expect(foreignAtPlaceOf(northboundRowEntity(aRouter), node)).to.deep.equal([]);
    expect(foreignAtPlaceOf(northboundRowEntity(aSwitch), node)).to.have.length(1);
  });
});
