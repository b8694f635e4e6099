import { expect } from 'chai';
import { readDatapathPorts, readTrace } from '../../../../src/adapters/vswitchd-control/trace-output.ts';

// Printed by Open vSwitch 3.1.
const ports = `system@ovs-system: hit:0 missed:0
  br-int:
    br-int 65534/1: (dummy-internal)
    pod 2/2: (dummy)
    q 1/none: (patch: peer=p)
  br-red:
    br-red 65534/4: (dummy-internal)
    eth2 1/3: (dummy)
    p 2/none: (patch: peer=q)
`;

const intoOvn = `Flow: tcp,in_port=1,vlan_tci=0x0000,dl_src=02:00:00:00:00:01,dl_dst=02:42:c0:00:03:06,nw_src=172.20.0.9,nw_dst=10.30.1.5,nw_tos=0,nw_ecn=0,nw_ttl=0,nw_frag=no,tp_src=443,tp_dst=40000,tcp_flags=0

bridge("br-red")
----------------
 0. ip,in_port=1, priority 300
    output:2

bridge("br-int")
----------------
 0. ip,in_port=1, priority 7
    ct(table=8,zone=3)
    drop
     -> A clone of the packet is forked to recirculate. The forked pipeline will be resumed at table 8.
     -> Sets the packet to an untracked state, and clears all the conntrack fields.

Final flow: unchanged
Megaflow: recirc_id=0,eth,ip,in_port=1,nw_frag=no
Datapath actions: ct(zone=3),recirc(0x1)

===============================================================================
recirc(0x1) - resume conntrack with default ct_state=trk|new (use --ct-next to customize)
===============================================================================

Flow: recirc_id=0x1,ct_state=new|trk,ct_zone=3,eth,tcp,in_port=1,vlan_tci=0x0000,dl_src=02:00:00:00:00:01,dl_dst=02:42:c0:00:03:06,nw_src=172.20.0.9,nw_dst=10.30.1.5,nw_tos=0,nw_ecn=0,nw_ttl=0,nw_frag=no,tp_src=443,tp_dst=40000,tcp_flags=0

bridge("br-red")
----------------
    thaw
        Resuming from table 8
 8. ip, priority 5
    set_field:0a:58:0a:1e:01:05->eth_dst
    output:2

Final flow: recirc_id=0x1,ct_state=new|trk,ct_zone=3,eth,tcp,in_port=1,vlan_tci=0x0000,dl_src=02:00:00:00:00:01,dl_dst=0a:58:0a:1e:01:05,nw_src=172.20.0.9,nw_dst=10.30.1.5,nw_tos=0,nw_ecn=0,nw_ttl=0,nw_frag=no,tp_src=443,tp_dst=40000,tcp_flags=0
Megaflow: recirc_id=0x1,eth,ip,in_port=1,dl_dst=02:42:c0:00:03:06,nw_frag=no
Datapath actions: set(eth(dst=0a:58:0a:1e:01:05)),2
`;

const toWire = `Flow: tcp,in_port=2,dl_vlan=100,dl_vlan_pcp=0,vlan_tci1=0x0000,dl_src=02:42:c0:00:03:06,dl_dst=0a:5a:cb:00:71:01,nw_src=203.0.113.6,nw_dst=172.20.0.9,nw_tos=0,nw_ecn=0,nw_ttl=64,nw_frag=no,tp_src=40000,tp_dst=443,tcp_flags=0

bridge("br-red")
----------------
21. dl_vlan=100,dl_src=02:42:c0:00:03:06,dl_dst=0a:5a:cb:00:71:01, priority 100
    set_field:02:00:00:00:00:e1->eth_dst
    output:1
22. No match.
    drop

Final flow: unchanged
Datapath actions: set(eth(dst=02:00:00:00:00:e1)),3,pop_vlan,4,push_vlan(vid=7,pcp=0),2,sample(sample=1.0%)
`;

describe('the output of ofproto/trace', () => {
  const ofRed = readDatapathPorts(ports, 'br-red');

  it('is read together with the ports of the bridge', () => {
    expect(ofRed).to.deep.equal({
      ofBridge: new Map([
        ['4', 'br-red'],
        ['3', 'eth2'],
      ]),
      patches: new Map([['2', 'p']]),
      ofOthers: new Set(['1', '2', 'none']),
    });
  });

  it('has only the flows of the bridge if the packet passes to another one, which names the first one when it resumes', () => {
    expect(readTrace(intoOvn, 'br-red', ofRed)).to.deep.equal({
      decisions: [{ table: 0, priority: 300 }],
      outputs: [{ port: 'p' }],
      continuesElsewhere: true,
    });
  });

  it('has the packets that leave, as they were changed, and names unknown actions', () => {
    expect(readTrace(toWire, 'br-red', ofRed)).to.deep.equal({
      decisions: [{ table: 21, priority: 100 }, { table: 22 }],
      outputs: [
        {
          port: 'br-red',
          frame: 'VLAN none, 02:42:c0:00:03:06 > 02:00:00:00:00:e1, 203.0.113.6 40000:443 > 172.20.0.9',
        },
        { port: 'eth2', frame: 'VLAN 100, 02:42:c0:00:03:06 > 02:00:00:00:00:e1, 203.0.113.6 40000:443 > 172.20.0.9' },
        { port: 'unknown action sample(sample=1.0%)' },
      ],
    });
  });
});
