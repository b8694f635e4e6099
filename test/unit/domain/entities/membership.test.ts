import { expect } from 'chai';
import { isOurs, ownOf } from '../../../../src/domain/entities/entity-kinds.ts';
import { isOwnMembership, membership as membershipKind } from '../../../../src/domain/entities/kernel/membership.ts';
import type { LedgerEntry } from '../../../../src/domain/index.ts';
import { devices, ledgerOf, membership, nodeWith } from './host-entities.ts';

describe('a managed membership', () => {
  const rows: readonly (readonly [
    what: string,
    device: string,
    vrf: string,
    entries: readonly LedgerEntry[],
    ours: boolean,
  ])[] = [
    ['one that the ledger has', 'br-blue', 'blue', [membership()], true],
    ['one that the ledger does not have', 'br-blue', 'blue', [], false],
    ['one in another VRF', 'br-blue', 'corp', [membership()], false],
    ['one of another device', 'eth9', 'blue', [membership()], false],
  ];
  for (const [what, device, vrf, entries, ours] of rows) {
    it(`is ${ours ? '' : 'not '}${what}`, () => {
      const ledger = ledgerOf(...entries);
      expect(isOwnMembership(device, vrf, ledger)).to.equal(ours);
      expect(isOurs({ kind: 'membership', device, vrf, table: 1012, network: '' }, { ledger })).to.equal(ours);
    });
  }

  it('has the network for which it was made, which the node itself does not know', () => {
    const node = nodeWith({ links: devices('blue'), ledger: [membership()] });
    expect(membershipKind.all(node)).to.deep.equal([{ ...membership(), network: '' }]);
    expect(ownOf(membershipKind, node)).to.deep.equal([membership()]);
  });
});

describe('the memberships of a node', () => {
  it('are those in VRFs: not in a bond, and not in a deleted VRF', () => {
    const others = [
      { name: 'bond0', kind: 'bond' },
      { name: 'eth1', master: 'bond0' },
      { name: 'eth2', master: 'gone' },
    ];
    expect(membershipKind.all(nodeWith({ links: [...devices('corp'), ...others] }))).to.deep.equal([
      { kind: 'membership', device: 'br-blue', vrf: 'corp', table: 500, network: '' },
    ]);
  });
});
