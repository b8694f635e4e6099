import { expect } from 'chai';
import { overlap } from '../../../../../src/domain/datapath/openflow/constraints.ts';
import { parseMatch } from '../../../../../src/domain/datapath/openflow/parse-match.ts';

const pairs: readonly (readonly [left: string, right: string, expected: boolean])[] = [
  ['ip,in_port=1', 'ip,in_port=2', false],
  ['ip,in_port=1', 'ipv6,in_port=1', false],
  ['ip,in_port=1', 'in_port=1', true],
  ['tcp', 'ip', true],
  ['tcp', 'udp', false],
  ['ip,nw_src=10.20.0.0/16', 'ip,nw_src=10.20.1.0/24', true],
  ['ip,nw_src=10.20.0.0/16', 'ip,nw_src=10.21.0.0/16', false],
  ['ip,nw_src=10.20.0.0/16', 'ip,nw_dst=10.21.0.0/16', true],
  ['dl_vlan=100', 'vlan_tci=0x0000/0x1fff', false],
  ['dl_vlan=100', 'dl_vlan=200', false],
  ['dl_vlan=100', '', true],
  ['ct_state=+est-rel+trk', 'ct_state=+rel+trk', false],
  ['ct_state=+est+trk', 'ct_state=+rel+trk', true],
  ['in_port=patch-blue', 'in_port=patch-red', false],
];

describe('two matches', () => {
  for (const [left, right, expected] of pairs) {
    it(`${expected ? 'overlap' : 'do not overlap'}: "${left}" and "${right}"`, () => {
      const [first, second] = [parseMatch(left) ?? {}, parseMatch(right) ?? {}];
      expect([overlap(first, second), overlap(second, first)]).to.deep.equal([expected, expected]);
    });
  }

  it('are taken to overlap if one is not understood', () => {
    expect(overlap({ tp_dst: 'x' }, { tp_dst: '443' })).to.equal(true);
  });
});
