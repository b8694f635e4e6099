import { expect } from 'chai';
import { actionsText, matchText } from '../../../../../src/domain/datapath/openflow/flow-text.ts';
import { parseActions } from '../../../../../src/domain/datapath/openflow/parse-actions.ts';
import { parseMatch } from '../../../../../src/domain/datapath/openflow/parse-match.ts';

/** As ovs-ofctl prints them; the integration tests hold the same against a real switch. */
const matches = [
  '',
  'in_port=1',
  'in_port=LOCAL,dl_vlan=100',
  'ip,in_port=1,vlan_tci=0x0000/0x1fff,dl_dst=0a:00:00:00:00:06',
  'pkt_mark=0x3f0,ip,in_port=226,dl_src=0a:00:00:00:00:06',
  'ct_state=+est-rel+trk,ct_mark=0x4,ipv6',
  'icmp6,in_port=226,icmp_type=135,nd_target=fd69::/112',
  'arp,reg1=0x1',
  'arp,in_port=226,arp_spa=192.0.2.6,arp_op=1',
  'tcp,nw_src=10.20.0.0/16,nw_dst=198.51.100.10,tp_dst=443',
  'udp6,ipv6_src=2001:db8::/32,tp_dst=6081',
  'dl_dst=0a:5a:00:00:00:00/ff:ff:00:00:00:00',
  'ip,in_port=1,nw_frag=yes',
];

const actions = [
  'drop',
  'NORMAL',
  'output:1',
  'output:patch-br-blue_cluster_udn_blue_worker-a-to-br-int',
  'pop_vlan,LOCAL',
  'push_vlan:0x8100,set_field:4196->vlan_vid,output:1',
  'ct(commit,table=21,zone=64100,nat(src=192.0.2.6),exec(set_field:0x4->ct_mark))',
  'ct(table=1,zone=64100,nat)',
  'ct(commit,zone=64100,nat(dst=10.20.1.5))',
  'set_field:0->reg0,resubmit(,11),set_field:0x1->reg0,resubmit(,11)',
  'set_field:02:00:00:00:00:aa->eth_dst,output:1',
  'move:NXM_OF_ETH_SRC[]->NXM_OF_ETH_DST[],load:0xa5a->NXM_OF_ETH_SRC[32..47],set_field:2->arp_op,IN_PORT',
  'learn(table=21,idle_timeout=900,priority=90,cookie=0x75706c6c,limit=2048,NXM_OF_VLAN_TCI[0..12],NXM_OF_ETH_DST[0..31]=NXM_OF_ARP_SPA[],NXM_OF_ETH_DST[32..47]=0xa5a,load:NXM_NX_ARP_SHA[]->NXM_OF_ETH_DST[],output:NXM_OF_IN_PORT[])',
  'learn(table=11,hard_timeout=3,priority=100,cookie=0x75706c6c,eth_type=0x86dd,nw_proto=58,icmpv6_type=136,reg0=0x1,NXM_NX_ND_TARGET[],output:NXM_OF_IN_PORT[])',
];

describe('the text of a flow', () => {
  for (const text of matches) {
    it(`is read and printed: match "${text}"`, () => {
      const match = parseMatch(text);
      expect(match && matchText(match)).to.equal(text);
    });
  }

  for (const text of actions) {
    it(`is read and printed: actions "${text.slice(0, 60)}"`, () => {
      const parsed = parseActions(text);
      expect(parsed.map(({ kind }) => kind)).not.to.include('other');
      expect(actionsText(parsed)).to.equal(text);
    });
  }

  it('keeps unknown actions', () => {
    const text = 'group:7,ct(zone=NXM_NX_REG1[0..15]),output:1';
    expect(parseActions(text).map(({ kind }) => kind)).to.deep.equal(['other', 'other', 'output']);
    expect(actionsText(parseActions(text))).to.equal(text);
  });

  for (const text of ['tun_id=0x1', 'mpls']) {
    it(`is not accepted as a match: "${text}"`, () => {
      expect(parseMatch(text)).to.equal(undefined);
    });
  }

  it('accepts the alternative names of ovs-ofctl', () => {
    expect(parseMatch('icmp6,eth_dst=0a:00:00:00:00:06,icmpv6_type=135')).to.deep.equal({
      protocol: 'icmp6',
      dl_dst: '0a:00:00:00:00:06',
      icmp_type: '135',
    });
  });
});
