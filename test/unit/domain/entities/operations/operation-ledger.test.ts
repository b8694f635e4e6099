import { expect } from 'chai';
import { type LedgerEntry, semanticsOf, type NodeSnapshot, type Operation } from '../../../../../src/domain/index.ts';
import { applyOperation } from '../../../../../src/domain/entities/operations/operation-semantics.ts';
import { displaced, membership, hostRoute } from '../host-entities.ts';
import { allSamples, nodeBefore, samples } from './samples.ts';

function applied(operation: Operation, node: NodeSnapshot): NodeSnapshot {
  const change = applyOperation(operation, node);
  if (!change.done) throw new Error(change.refusal);
  return change.node;
}

describe('the ledger', () => {
  const { name: setting } = samples.sysctl.add.operation.entity;
  const announced = (operation: Operation, node: NodeSnapshot) =>
    semanticsOf(operation).announced(operation, node).entries;
  const confirmed = (operation: Operation, node: NodeSnapshot) =>
    semanticsOf(operation).confirmed(operation, node).entries;
  const sysctl = (before: string, value: string): LedgerEntry => ({
    kind: 'sysctl',
    device: 'br-blue',
    name: setting,
    before,
    value,
  });
  const awaiting = displaced(hostRoute('10.0.0.0/8'));

  const staticMac: LedgerEntry = {
    kind: 'fdb-entry',
    bridge: 'br-blue',
    port: 'br-blue',
    vlan: 0,
    macAddress: '0a:00:00:00:00:06',
  };
  const unsigned: LedgerEntry = { kind: 'unsigned-vrf', name: 'blue', table: 1012, network: 'cluster_udn_blue' };
  const own: LedgerEntry = { kind: 'address', device: 'blue', address: '169.254.0.2', prefixLength: 32 };

  const rows: Readonly<Record<string, { before: readonly LedgerEntry[]; after: readonly LedgerEntry[] }>> = {
    'add vrf': { before: [unsigned], after: [unsigned] },
    'replace vrf': { before: [unsigned], after: [] },
    'add membership': { before: [awaiting, membership()], after: [awaiting, membership()] },
    'remove membership': { before: [awaiting, membership()], after: [awaiting] },
    'put-back': { before: [awaiting, membership()], after: [{ ...awaiting, state: 'placed' }, membership()] },
    'take-back': { before: [{ ...awaiting, state: 'placed' }, membership()], after: [awaiting, membership()] },
    'add address': { before: [own], after: [own] },
    'remove address': { before: [own], after: [] },
    'add sysctl': { before: [sysctl('1', '2')], after: [sysctl('1', '2')] },
    'add fdb-entry': { before: [staticMac], after: [staticMac] },
    'remove fdb-entry': { before: [staticMac], after: [] },
    'remove sysctl': { before: [sysctl('1', '2')], after: [] },
  };

  it('is tested for existing operations', () => {
    expect([...allSamples.keys()]).to.include.members(Object.keys(rows));
  });

  for (const [what, { operation, node }] of allSamples) {
    const expected = rows[what];
    it(expected ? `is right before and after ${what}` : `is not changed by ${what}`, () => {
      const { entries } = node.ledger;
      const found = { before: announced(operation, node), after: applied(operation, node).ledger.entries };
      expect(found).to.deep.equal(expected ?? { before: entries, after: entries });
    });
  }

  it('loses the unsigned VRF with the VRF, and once it is signed, and nothing else', () => {
    const others: readonly LedgerEntry[] = [own, { ...unsigned, name: 'red' }];
    const node = nodeBefore(undefined, { ledger: [unsigned, ...others] });
    expect(confirmed(samples.vrf.remove.operation, node)).to.deep.equal(others);
    expect(confirmed(samples.vrf.replace.operation, node)).to.deep.equal(others);
  });

  it('loses with an address only its own entry', () => {
    const others: readonly LedgerEntry[] = [
      { kind: 'address', device: 'blue', address: '169.254.0.3', prefixLength: 32 },
      { kind: 'address', device: 'corp', address: '169.254.0.2', prefixLength: 32 },
      membership({ device: 'blue' }),
    ];
    const node = nodeBefore(undefined, { ledger: others });
    expect(confirmed(samples.address.remove.operation, node)).to.deep.equal(others);
  });

  it('loses the membership of the released device only', () => {
    const node = nodeBefore(undefined, { ledger: [membership(), membership({ device: 'br-red' })] });
    expect(confirmed(samples.membership.remove.operation, node)).to.deep.equal([membership({ device: 'br-red' })]);
  });

  describe('of a setting', () => {
    const { operation } = samples.sysctl.add;
    const { operation: restoring } = samples.sysctl.remove;
    const others: readonly LedgerEntry[] = [
      { ...sysctl('0', '1'), name: 'net.ipv4.conf.br-red.rp_filter' } as LedgerEntry,
    ];

    it('keeps the value before the first change through all later ones', () => {
      const node = nodeBefore(undefined, { sysctls: { [setting]: '2' }, ledger: [sysctl('1', '2')] });
      expect(announced({ ...operation, entity: { ...operation.entity, value: '0' } }, node)).to.deep.equal([
        sysctl('1', '0'),
      ]);
    });

    it('has 0 for a value that was not read', () => {
      expect(announced(operation, nodeBefore())).to.deep.equal([sysctl('0', '2')]);
    });

    it('is removed once the setting has its former value, and only then', () => {
      const node = nodeBefore(undefined, { sysctls: { [setting]: '2' }, ledger: [sysctl('1', '2'), ...others] });
      expect(semanticsOf(restoring).announced(restoring, node)).to.equal(node.ledger);
      expect(applied(restoring, node).ledger.entries).to.deep.equal(others);
      expect(applied(restoring, node).sysctls).to.deep.equal({ [setting]: '1' });
    });

    it('is restored by the inverse of the first change, and changed again by the inverse of that', () => {
      const node = nodeBefore(undefined, { sysctls: { [setting]: '1' } });
      expect(semanticsOf(operation).inverse(operation, node)).to.deep.equal([restoring]);
      const changed = nodeBefore(undefined, { sysctls: { [setting]: '2' }, ledger: [sysctl('1', '2')] });
      expect(semanticsOf(restoring).inverse(restoring, changed)).to.deep.equal([operation]);
    });

    it('treats a value from before the first change as unchanged', () => {
      expect(semanticsOf(restoring).summary(restoring)).to.equal('net.ipv4.conf.br-blue.rp_filter = 1, as it was');
    });
  });
});
