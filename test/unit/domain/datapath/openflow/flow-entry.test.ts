import { expect } from 'chai';
import { flowKey, parseFlowDump } from '../../../../../src/domain/datapath/openflow/flow-entry.ts';

describe('a dump of flows', () => {
  it('is read with statistics', () => {
    const dump = [
      'OFPST_FLOW reply (OF1.4) (xid=0x2):',
      ' cookie=0x75706c6b, duration=4.1s, table=1, n_packets=7, n_bytes=70, idle_age=3, priority=100,ct_state=+est-rel+trk,ct_mark=0x4,ip actions=output:226',
      ' cookie=0x0, duration=4.1s, table=0, n_packets=0, n_bytes=0, actions=NORMAL',
    ].join('\n');
    expect(parseFlowDump(dump)).to.deep.equal([
      {
        cookie: '0x75706c6b',
        table: 1,
        priority: 100,
        match: 'ct_state=+est-rel+trk,ct_mark=0x4,ip',
        actions: 'output:226',
        packets: 7,
      },
      // ovs-ofctl prints neither the default priority nor a match of everything.
      { cookie: '0x0', table: 0, priority: 32_768, match: '', actions: 'NORMAL', packets: 0 },
    ]);
  });

  it('is read without statistics, where table 0 is left out', () => {
    const dump =
      ' cookie=0x75706c6b, priority=9,in_port=226 actions=drop\n cookie=0x1, table=3, priority=0 actions=LOCAL';
    expect(parseFlowDump(dump)).to.deep.equal([
      { cookie: '0x75706c6b', table: 0, priority: 9, match: 'in_port=226', actions: 'drop' },
      { cookie: '0x1', table: 3, priority: 0, match: '', actions: 'LOCAL' },
    ]);
  });

  it('marks flows with timeouts', () => {
    const dump =
      ' cookie=0x75706c6c, duration=1s, table=21, n_packets=0, n_bytes=0, idle_timeout=900, priority=90,dl_dst=0a:5a:c0:00:02:01 actions=output:1';
    expect(parseFlowDump(dump)[0]).to.include({ hasTimeout: true, priority: 90, match: 'dl_dst=0a:5a:c0:00:02:01' });
  });

  it('has no flows if none is printed', () => {
    expect(parseFlowDump('')).to.deep.equal([]);
    expect(parseFlowDump('OFPST_FLOW reply (OF1.4) (xid=0x2):\n')).to.deep.equal([]);
  });

  it('has the keys by which a switch distinguishes flows', () => {
    expect(flowKey({ table: 1, priority: 100, match: 'ip' })).to.equal('table=1, priority=100,ip');
    expect(flowKey({ table: 0, priority: 0, match: '' })).to.equal('table=0, priority=0');
  });
});
