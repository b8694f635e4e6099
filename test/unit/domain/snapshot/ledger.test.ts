import { expect } from 'chai';
import { entryOf } from '../../../../src/domain/snapshot/ledger.ts';
import { ledgerOf, membership } from '../entities/host-entities.ts';

describe("the ledger's entry of a kind", () => {
  it('is the one of a device, or of a setting, that satisfies a condition', () => {
    const other = membership({ device: 'br-red', vrf: 'red' });
    expect(entryOf(ledgerOf(membership(), other), 'membership', 'br-red')).to.equal(other);
    expect(entryOf(ledgerOf(membership(), other), 'membership', 'br-red', ({ vrf: name }) => name === 'red')).to.equal(
      other,
    );
    expect(entryOf(ledgerOf(other), 'membership', 'br-red', ({ vrf: name }) => name === 'blue')).to.be.undefined;
    expect(entryOf(ledgerOf(other), 'membership', 'br-blue')).to.be.undefined;
    expect(entryOf(ledgerOf(other), 'sysctl', 'br-red')).to.be.undefined;
    const setting = {
      kind: 'sysctl',
      device: 'br-red',
      name: 'net.ipv4.conf.br-red.rp_filter',
      before: '1',
      value: '2',
    } as const;
    expect(entryOf(ledgerOf(other, setting), 'sysctl', setting.name)).to.equal(setting);
  });
});
