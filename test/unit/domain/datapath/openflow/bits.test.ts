import { expect } from 'chai';
import { bitsOf, portText, valueText } from '../../../../../src/domain/datapath/openflow/bits.ts';
import type { FieldName } from '../../../../../src/domain/datapath/openflow/fields.ts';

const values: readonly (readonly [FieldName, text: string, value: bigint, mask: bigint])[] = [
  ['in_port', '226', 226n, -1n],
  ['in_port', 'LOCAL', 0xffff_fffen, -1n],
  ['dl_dst', '0a:5a:c0:00:02:01', 0x0a5a_c000_0201n, 0xffff_ffff_ffffn],
  ['dl_dst', '0a:5a:00:00:00:00/ff:ff:00:00:00:00', 0x0a5a_0000_0000n, 0xffff_0000_0000n],
  ['nw_src', '10.20.0.0/16', 0x0a14_0000n, 0xffff_0000n],
  ['nw_src', '10.20.1.5/255.255.0.0', 0x0a14_0000n, 0xffff_0000n],
  ['ipv6_dst', '2001:db8::/32', 0x2001_0db8n << 96n, 0xffff_ffffn << 96n],
  ['vlan_tci', '0x0000/0x1fff', 0n, 0x1fffn],
  ['ct_state', '+est-rel+trk', 0x22n, 0x26n],
  ['nw_frag', 'yes', 1n, 1n],
  ['nw_frag', 'later', 3n, 3n],
  ['ct_mark', '0x4', 4n, 0xffff_ffffn],
  ['tp_dst', '443', 443n, 0xffffn],
];

describe('the value of a field', () => {
  for (const [field, text, value, mask] of values) {
    it(`is bits: ${field}=${text}`, () => {
      expect(bitsOf(field, text)).to.deep.equal({ value, mask });
    });
  }

  const wrong: readonly (readonly [FieldName, string])[] = [
    ['dl_dst', '0a:5a'],
    ['nw_src', '10.20.0.0/33'],
    ['nw_src', 'fd69::1'],
    ['tp_dst', '65536'],
    ['ct_state', '+unknown'],
    ['nw_frag', 'maybe'],
  ];
  for (const [field, text] of wrong) {
    it(`is none: ${field}=${text}`, () => {
      expect(bitsOf(field, text)).to.equal(undefined);
    });
  }

  it('is printed as ovs-ofctl prints it', () => {
    expect(valueText('dl_src', 0x0a5a_c000_0201n)).to.equal('0a:5a:c0:00:02:01');
    expect(valueText('dl_src', 0x0a5a_0000_0000n, 0xffff_0000_0000n)).to.equal('0a:5a:00:00:00:00/ff:ff:00:00:00:00');
    expect(valueText('nw_src', 0xc000_0206n)).to.equal('192.0.2.6');
    expect(valueText('ipv6_src', 0xfd69n << 112n)).to.equal('fd69::');
    expect(valueText('ct_mark', 4n)).to.equal('0x4');
    expect(valueText('arp_op', 2n)).to.equal('2');
  });

  it('differs for each port without a number, and from those with one', () => {
    const [blue, red] = ['patch-blue', 'patch-red'].map((name) => bitsOf('in_port', name)?.value ?? 0n);
    expect(blue).not.to.equal(red);
    expect(blue).to.satisfy((value: bigint) => value > 0xffff_ffffn);
    expect(portText(blue ?? 0n)).to.equal('patch-blue');
    expect(portText(226n)).to.equal('226');
    expect(portText(0xffff_fffen)).to.equal('LOCAL');
  });
});
