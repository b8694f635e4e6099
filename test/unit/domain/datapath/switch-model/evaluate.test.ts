import { expect } from 'chai';
import { portText } from '../../../../../src/domain/datapath/openflow/bits.ts';
import { evaluate, type SwitchState } from '../../../../../src/domain/datapath/switch-model/evaluate.ts';
import { bridge, fieldsOf, packet } from './packets.ts';

/** The packets that leave, each as its port and the fields of the packet. */
function leaves(
  state: SwitchState,
  sent: string,
): readonly (readonly [port: string, Readonly<Record<string, string>>])[] {
  return evaluate(state, packet(sent)).outputs.map(({ port, packet: left }) => [portText(port), fieldsOf(left)]);
}

/** The ports that it leaves by. */
const ports = (state: SwitchState, sent: string) => leaves(state, sent).map(([port]) => port);

describe('a packet in a bridge', () => {
  it('is handled by the flow of the highest priority that matches it', () => {
    const state = bridge(
      ' priority=10,in_port=1 actions=output:2',
      ' priority=20,ip,in_port=1 actions=output:3',
      ' priority=30,ip actions=drop',
      ' priority=5 actions=output:1',
    );
    expect(ports(state, 'arp,in_port=1')).to.deep.equal(['2']);
    expect(ports(state, 'ip,in_port=1')).to.deep.equal([]);
    expect(ports(state, 'arp,in_port=2')).to.deep.equal(['1']);
  });

  it('is dropped if no flow matches', () => {
    const { outputs, steps } = evaluate(bridge(' priority=1,ip actions=output:2'), packet('arp,in_port=1'));
    expect(outputs).to.deep.equal([]);
    expect(steps).to.deep.equal([{ kind: 'no-flow', table: 0 }]);
  });

  it('keeps the changes of a resubmit', () => {
    const state = bridge(
      ' priority=1,in_port=1 actions=resubmit(,5),output:2',
      ' table=5, priority=1 actions=set_field:02:00:00:00:00:aa->eth_dst',
    );
    expect(leaves(state, 'ip,in_port=1')).to.deep.equal([['2', { dl_type: '0x800', dl_dst: '02:00:00:00:00:aa' }]]);
  });

  it('has registers, which flows match and which are cleared when it leaves', () => {
    const state = bridge(
      ' priority=1 actions=set_field:0x1->reg1,resubmit(,5)',
      ' table=5, priority=2,reg1=0x1 actions=output:2',
      ' table=5, priority=1 actions=output:3',
    );
    expect(leaves(state, 'ip,in_port=1')).to.deep.equal([['2', { dl_type: '0x800' }]]);
  });

  it('ends after 4,096 lookups', () => {
    const { steps } = evaluate(
      bridge(
        ` priority=1 actions=${Array.from({ length: 70 }, () => 'resubmit(,5)').join(',')}`,
        ` table=5, priority=1 actions=${Array.from({ length: 70 }, () => 'resubmit(,6)').join(',')}`,
        ' table=6, priority=1 actions=drop',
      ),
      packet('ip,in_port=1'),
    );
    expect(steps.length).to.equal(4096);
  });

  it('leaves by its input port only with in_port', () => {
    expect(ports(bridge(' priority=1 actions=output:1,output:2'), 'ip,in_port=1')).to.deep.equal(['2']);
    expect(ports(bridge(' priority=1 actions=IN_PORT'), 'ip,in_port=1')).to.deep.equal(['1']);
  });

  it('is moved and loaded, bit by bit', () => {
    const state = bridge(
      ' priority=1,arp actions=move:NXM_OF_ARP_TPA[]->NXM_OF_ETH_SRC[0..31],load:0xa5a->NXM_OF_ETH_SRC[32..47],output:2',
    );
    expect(leaves(state, 'arp,in_port=1,arp_tpa=192.0.2.1')[0]?.[1]).to.include({ dl_src: '0a:5a:c0:00:02:01' });
  });

  it('is tagged and loses its tag', () => {
    const pushed = bridge(' priority=1 actions=push_vlan:0x8100,set_field:4196->vlan_vid,output:2');
    expect(leaves(pushed, 'ip,in_port=1')[0]?.[1]).to.include({ vlan_tci: '0x1064' });
    const popped = bridge(' priority=1,dl_vlan=100 actions=pop_vlan,output:2');
    expect(leaves(popped, 'ip,in_port=1,dl_vlan=100')).to.deep.equal([['2', { dl_type: '0x800' }]]);
  });

  it('makes flows learn others, which later packets match', () => {
    const state = bridge(
      ' priority=1,in_port=1 actions=learn(table=5,priority=90,cookie=0x2,eth_type=0x806,NXM_OF_ARP_SPA[]=NXM_OF_ARP_TPA[],output:NXM_OF_IN_PORT[]),output:2',
      ' priority=1,in_port=2 actions=resubmit(,5)',
    );
    const { after } = evaluate(state, packet('arp,in_port=1,arp_tpa=192.0.2.1'));
    expect(ports(after, 'arp,in_port=2,arp_spa=192.0.2.1')).to.deep.equal(['1']);
    expect(ports(after, 'arp,in_port=2,arp_spa=192.0.2.2')).to.deep.equal([]);
  });

  it('reports an unknown action', () => {
    const { steps } = evaluate(bridge(' priority=1 actions=group:7'), packet('ip,in_port=1'));
    expect(steps[1]).to.deep.equal({ kind: 'unknown', text: 'group:7' });
  });
});

describe('a connection through a bridge', () => {
  const nat = bridge(
    ' priority=1,ip,in_port=1 actions=ct(commit,table=5,zone=7,nat(src=192.0.2.6),exec(set_field:0x4->ct_mark))',
    ' priority=1,ip,in_port=2 actions=ct(table=6,zone=7,nat)',
    ' table=5, priority=9,ct_state=+inv+trk actions=drop',
    ' table=5, priority=1 actions=output:2',
    ' table=6, priority=2,ct_state=+est-rel+trk,ct_mark=0x4 actions=output:1',
    ' table=6, priority=2,ct_state=+rel+trk,ct_mark=0x4 actions=output:1',
    ' table=6, priority=1 actions=output:3',
  );
  const sent = 'tcp,in_port=1,nw_src=10.0.0.5,nw_dst=198.51.100.10,tp_src=40000,tp_dst=443';
  const reply = 'tcp,in_port=2,nw_src=198.51.100.10,nw_dst=192.0.2.6,tp_src=443,tp_dst=40000';

  it('is translated, and its replies are translated back', () => {
    const { outputs, after } = evaluate(nat, packet(sent));
    expect(fieldsOf(outputs[0]?.packet ?? {})).to.include({ nw_src: '192.0.2.6', tp_src: '40000' });
    expect(leaves(after, reply)).to.deep.equal([
      [
        '1',
        {
          dl_type: '0x800',
          nw_src: '198.51.100.10',
          nw_dst: '10.0.0.5',
          nw_proto: '6',
          tp_src: '443',
          tp_dst: '40000',
        },
      ],
    ]);
  });

  it('does not begin with a reply', () => {
    expect(ports(nat, reply)).to.deep.equal(['3']);
  });

  it('gets another port if a connection has its tuple already', () => {
    const { after } = evaluate(nat, packet(sent));
    const other = sent.replace('10.0.0.5', '10.0.0.6');
    const left = fieldsOf(evaluate(after, packet(other)).outputs[0]?.packet ?? {});
    expect(left).to.include({ nw_src: '192.0.2.6', tp_src: '1024' });
  });

  it('is found in its own zone only', () => {
    const { after } = evaluate(nat, packet(sent));
    const otherZone = { ...after, connections: after.connections.map((each) => ({ ...each, zone: 8 })) };
    expect(ports(otherZone, reply)).to.deep.equal(['3']);
  });

  it('includes errors about it, translated with the packet inside', () => {
    const { after } = evaluate(nat, packet(sent));
    const error = {
      ...packet('icmp,in_port=2,nw_src=203.0.113.1,nw_dst=192.0.2.6,icmp_type=3,icmp_code=4'),
      inner: packet('tcp,nw_src=192.0.2.6,nw_dst=198.51.100.10,tp_src=40000,tp_dst=443'),
    };
    const [output] = evaluate(after, error).outputs;
    expect(portText(output?.port ?? 0n)).to.equal('1');
    expect(fieldsOf(output?.packet ?? {})).to.include({ nw_src: '203.0.113.1', nw_dst: '10.0.0.5' });
    expect(fieldsOf(output?.packet.inner ?? {})).to.include({ nw_src: '10.0.0.5', nw_dst: '198.51.100.10' });
  });

  it('does not include untrackable packets', () => {
    expect(ports(nat, 'icmp,in_port=1,nw_src=10.0.0.5,nw_dst=198.51.100.10,icmp_type=3')).to.deep.equal([]);
  });

  it('includes echo requests and their replies', () => {
    const { after } = evaluate(nat, packet('icmp,in_port=1,nw_src=10.0.0.5,nw_dst=198.51.100.10,icmp_type=8'));
    expect(ports(after, 'icmp,in_port=2,nw_src=198.51.100.10,nw_dst=192.0.2.6,icmp_type=0')).to.deep.equal(['1']);
    expect(ports(after, 'icmp,in_port=2,nw_src=198.51.100.10,nw_dst=192.0.2.6,icmp_type=8')).to.deep.equal(['3']);
  });

  it('is complete in fragments', () => {
    const state = bridge(' priority=2,ip,nw_frag=yes actions=ct(table=0,zone=9)', ' priority=1,ip actions=output:2');
    expect(ports(state, 'ip,in_port=1,nw_frag=first')).to.deep.equal(['2']);
    expect(ports(state, 'ip,in_port=1,nw_frag=later')).to.deep.equal([]);
  });
});
