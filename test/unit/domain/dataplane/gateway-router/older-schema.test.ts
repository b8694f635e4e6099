import { expect } from 'chai';
import { gatewayRouterRows } from '../../../../../src/domain/dataplane/gateway-router/gateway-router-rows.ts';
import { withoutMissing } from '../../../../../src/domain/dataplane/gateway-router/older-schema.ts';
import { gatewayRouter } from '../../../../contract/northbound-examples.ts';

describe('an older schema of the Northbound database', () => {
  const rows = gatewayRouterRows(gatewayRouter('blue', { isAdvertised: true }));
  const tables = (missing: readonly string[]) =>
    withoutMissing(rows, missing)
      .filter(({ columns, table }) => table === 'Address_Set' || columns['logical_ip'] === '10.20.0.0/16')
      .map(({ table }) => table);

  it('has what it knows', () => {
    expect(tables([])).to.deep.equal(['Address_Set', 'Address_Set', 'NAT']);
  });

  it('has no translation towards everybody where it knows none towards the nodes alone', () => {
    expect(tables(['Address_Set'])).to.deep.equal([]);
    expect(tables(['NAT.allowed_ext_ips'])).to.deep.equal(['Address_Set', 'Address_Set']);
  });

  it('has the columns that it knows', () => {
    const nat = gatewayRouterRows(gatewayRouter('blue')).filter(({ table }) => table === 'NAT');
    const [ofPods] = withoutMissing(nat, ['NAT.allowed_ext_ips']);
    expect(Object.keys(ofPods?.columns ?? {})).to.have.members(['type', 'logical_ip', 'external_ip']);
  });
});
