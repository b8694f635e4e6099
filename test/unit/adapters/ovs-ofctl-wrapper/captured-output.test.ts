import { expect } from 'chai';
import { readFdb } from '../../../../src/adapters/ovs-ofctl-wrapper/fdb.ts';
import { readFlows } from '../../../../src/adapters/ovs-ofctl-wrapper/flow-dump.ts';
import { readNoFloodPorts } from '../../../../src/adapters/ovs-ofctl-wrapper/port-descriptions.ts';
import type { Bridge } from '../../../../src/domain/snapshot/node-snapshot.ts';
import type { Reading } from '../../../../src/ports/input-problem.ts';
import { problemLines, valueOf } from '../readings.ts';
import { bridgeWith } from './bridges.ts';

const bridge = bridgeWith({ eth1: 1, blue0: 2 });

// Printed by Open vSwitch 3.1.
const flows = `OFPST_FLOW reply (OF1.4) (xid=0x2):
 cookie=0x75706c6b, table=20, priority=100,ip,in_port=1 actions=output:2
 cookie=0x75706c6c, table=5, hard_timeout=600, arp,arp_spa=192.0.2.1 actions=load:0x1->NXM_NX_REG1[]
 priority=0 actions=NORMAL
`;

const fdb = ` port  VLAN  MAC                Age
LOCAL     0  02:42:c0:00:03:00   18
    2   100  02:42:c0:00:03:06  static
    1     0  b6:1c:d0:07:47:75    5
LOCAL     0  02:42:c0:00:03:01  static
    9     7  02:42:c0:00:03:02  static
`;

const ports = `OFPST_PORT_DESC reply (xid=0x2):
 1(eth1): addr:aa:55:aa:55:00:0f
     config:     0
     state:      0
     speed: 0 Mbps now, 0 Mbps max
 2(a(b): addr:): addr:aa:55:aa:55:00:0e
     config:     PORT_DOWN NO_FLOOD NO_FWD
     state:      LINK_DOWN
     current:    10MB-FD COPPER
     speed: 0 Mbps now, 0 Mbps max
 LOCAL(br-blue): addr:0e:92:5d:af:50:4f
     config:     NO_FLOOD
     state:      0
     speed: 0 Mbps now, 0 Mbps max
`;

describe('the output of ovs-ofctl and ovs-appctl', () => {
  it('has flows, with names of ports', () => {
    expect([...valueOf(readFlows(flows, 'FILE', bridge)).values()]).to.deep.equal([
      {
        bridge: 'br-blue',
        cookie: '0x75706c6b',
        table: 20,
        priority: 100,
        match: 'ip,in_port=eth1',
        actions: 'output:blue0',
      },
      {
        bridge: 'br-blue',
        cookie: '0x75706c6c',
        table: 5,
        priority: 32_768,
        match: 'arp,arp_spa=192.0.2.1',
        actions: 'load:0x1->NXM_NX_REG1[]',
      },
      { bridge: 'br-blue', cookie: '0x0', table: 0, priority: 0, match: '', actions: 'NORMAL' },
    ]);
  });

  it('has static FDB entries only', () => {
    expect(valueOf(readFdb(fdb, 'FILE', bridge))).to.deep.equal([
      { bridge: 'br-blue', port: 'blue0', vlan: 100, macAddress: '02:42:c0:00:03:06' },
      { bridge: 'br-blue', port: 'br-blue', vlan: 0, macAddress: '02:42:c0:00:03:01' },
      { bridge: 'br-blue', port: '9', vlan: 7, macAddress: '02:42:c0:00:03:02' },
    ]);
  });

  it('has ports with no-flood', () => {
    expect(valueOf(readNoFloodPorts(ports, 'FILE', bridge))).to.deep.equal([
      { bridge: 'br-blue', port: 'blue0' },
      { bridge: 'br-blue', port: 'br-blue' },
    ]);
  });

  const readers: readonly (readonly [
    what: string,
    read: (text: string, file: string, bridge: Bridge) => Reading<unknown>,
    text: string,
    expected: string,
  ])[] = [
    ['flows', readFlows, flows, 'a flow as ovs-ofctl dump-flows prints it'],
    ['FDB entries', readFdb, fdb, '"PORT VLAN MAC AGE" as ovs-appctl fdb/show prints it'],
    ['ports', readNoFloodPorts, ports, 'a port as ovs-ofctl dump-ports-desc prints it'],
  ];
  for (const [what, read, text, expected] of readers) {
    it(`is invalid with other lines than ${what}, reported by number`, () => {
      expect(problemLines(read(`${text}\n  x y\n${text}table=x actions=drop\n`, 'FILE', bridge))).to.deep.equal([
        `FILE: line ${String(text.split('\n').length + 1)}: expected ${expected}, found "  x y"`,
        `FILE: line ${String(2 * text.split('\n').length + 1)}: expected ${expected}, found "table=x actions=drop"`,
      ]);
    });

    it(`is invalid if it is truncated in a line of ${what}`, () => {
      const count = text.split('\n').length - 1;
      expect(problemLines(read(text.slice(0, -1), 'FILE', bridge))).to.deep.equal([
        `FILE: line ${String(count)}: is truncated or half-written`,
      ]);
    });

    it(`has no ${what} if it is empty`, () => {
      const value = valueOf(read('', 'FILE', bridge));
      expect([...(value as Iterable<unknown>)]).to.deep.equal([]);
    });
  }
});
