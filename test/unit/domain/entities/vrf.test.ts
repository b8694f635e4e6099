import { expect } from 'chai';
import { isOurs } from '../../../../src/domain/entities/entity-kinds.ts';
import { isOwnVrf, vrf as vrfKind, type VrfEntity } from '../../../../src/domain/entities/kernel/vrf.ts';
import type { LedgerEntry } from '../../../../src/domain/index.ts';
import type { BriefLink } from '../../../../src/testing/index.ts';
import { ledgerOf, nodeWith } from './host-entities.ts';

const unsigned: LedgerEntry = { kind: 'unsigned-vrf', name: 'blue', table: 1012, network: 'cluster_udn_blue' };
const alias = 'ovn-uplinks:cluster_udn_blue';

describe('a managed VRF', () => {
  const rows: readonly (readonly [
    what: string,
    brief: Partial<BriefLink>,
    entries: readonly LedgerEntry[],
    ours: boolean,
  ])[] = [
    ['one that we signed', { alias }, [], true],
    ['one that we signed for a network that is gone', { alias: 'ovn-uplinks:' }, [], true],
    ['one that we made and have not signed yet', {}, [unsigned], true],
    ['one that we made, whose alias was emptied', { alias: '' }, [unsigned], true],
    ['one without an alias', {}, [], false],
    ['one with another table than we made it with', {}, [{ ...unsigned, table: 78 }], false],
    ['one beside one that we have not signed yet', { name: 'red' }, [unsigned], false],
    ['one that another program signed before we could', { alias: 'theirs' }, [unsigned], false],
    ['one whose alias only mentions us', { alias: `not ${alias}` }, [], false],
    ['one whose alias is nearly ours', { alias: 'ovn-uplinks' }, [], false],
    ['another device with our signature', { kind: 'dummy', alias }, [], false],
    ['another device of the name of a VRF that we make', { kind: 'dummy' }, [unsigned], false],
  ];
  for (const [what, brief, entries, ours] of rows) {
    it(`is ${ours ? '' : 'not '}${what}`, () => {
      const node = nodeWith({
        links: [{ name: 'blue', kind: 'vrf', vrfTable: 1012, ...brief }],
        ledger: entries,
      });
      expect(
        isOwnVrf(
          node.links.find(({ name }) => name !== 'lo')!,
          node.ledger,
        ),
      ).to.equal(ours);
      expect(vrfKind.all(node).some((entity) => isOurs(entity, node))).to.equal(ours);
    });
  }
});

describe('an existing VRF', () => {
  const desired: VrfEntity = { kind: 'vrf', name: 'blue', table: 1012, alias, up: true };
  const rows: readonly (readonly [what: string, found: Partial<VrfEntity>, serves: boolean])[] = [
    ['is as desired', {}, true],
    ['has another table', { table: 77 }, false],
    ['was signed for another network', { alias: 'ovn-uplinks:cluster_udn_red' }, false],
    ['is ours and down', { up: false }, false],
    ['is ours and not signed yet', { alias: '' }, false],
    ['is not ours, and down', { alias: 'theirs', up: false }, true],
    ['is not ours, and has another table', { alias: 'theirs', table: 77 }, false],
  ];
  for (const [what, found, serves] of rows) {
    it(`${serves ? 'serves' : 'does not serve'} if it ${what}`, () => {
      expect(vrfKind.satisfies({ ...desired, ...found }, desired, ledgerOf(unsigned))).to.equal(serves);
    });
  }

  it('is replaced in place unless it has another table', () => {
    expect(vrfKind.isReplaceable?.({ ...desired, alias: '', up: false }, desired)).to.be.true;
    expect(vrfKind.isReplaceable?.({ ...desired, table: 77 }, desired)).to.be.false;
  });
});
