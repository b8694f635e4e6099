import { expect } from 'chai';
import {
  forward,
  type LearnedAddress,
  type ModelPort,
} from '../../../../../src/domain/datapath/switch-model/learning-switch.ts';
import { fieldsOf, packet } from './packets.ts';

/** A trunk, two access ports of VLAN 100, and one that gets no frames for everyone. */
const ports: readonly ModelPort[] = [
  { number: 1n },
  { number: 2n, accessVlan: 100 },
  { number: 3n, accessVlan: 100 },
  { number: 4n, isNoFlood: true },
];

const sender = '0a:00:00:00:00:01';
const receiver = '0a:00:00:00:00:02';
const frame = (words: string) =>
  packet([`dl_src=${sender},dl_dst=${receiver}`, ...(words === '' ? [] : [words])].join(','));

const at = (port: bigint, vlan: bigint, isStatic = false): LearnedAddress => ({
  vlan,
  macAddress: packet(`dl_src=${receiver}`).dl_src ?? 0n,
  port,
  ...(isStatic && { isStatic: true as const }),
});

const outputs = (words: string, addresses: readonly LearnedAddress[] = []) =>
  forward(frame(words), ports, addresses).outputs.map(({ port, packet: left }) => [
    Number(port),
    fieldsOf(left)['vlan_tci'] ?? 'untagged',
  ]);

describe('a bridge as a switch', () => {
  it('sends a frame to all ports of its VLAN if it does not know the receiver', () => {
    expect(outputs('in_port=2')).to.deep.equal([
      [1, '0x1064'],
      [3, 'untagged'],
    ]);
    expect(outputs('in_port=1,dl_vlan=100')).to.deep.equal([
      [2, 'untagged'],
      [3, 'untagged'],
    ]);
    expect(outputs('in_port=1')).to.deep.equal([]);
    expect(outputs('in_port=4')).to.deep.equal([[1, 'untagged']]);
  });

  it('sends it to the port of a known receiver', () => {
    expect(outputs('in_port=1,dl_vlan=100', [at(3n, 100n)])).to.deep.equal([[3, 'untagged']]);
    expect(outputs('in_port=1', [at(4n, 0n)])).to.deep.equal([[4, 'untagged']]);
    expect(outputs('in_port=1,dl_vlan=200', [at(3n, 200n)])).to.deep.equal([]);
  });

  it('accepts no tagged frame at an access port', () => {
    expect(outputs('in_port=2,dl_vlan=100')).to.deep.equal([]);
  });

  it('learns the ports of senders, except static entries', () => {
    const [learned] = forward(frame('in_port=2'), ports, []).addresses;
    expect(learned).to.deep.equal({ vlan: 100n, macAddress: frame('').dl_src, port: 2n });
    const fixed = { ...at(1n, 100n, true), macAddress: frame('').dl_src ?? 0n };
    expect(forward(frame('in_port=2'), ports, [fixed]).addresses).to.deep.equal([fixed]);
  });
});
