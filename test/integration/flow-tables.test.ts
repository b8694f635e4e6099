import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ExecaPrograms } from '../../src/adapters/execa/execa-programs.ts';
import {
  type FlowTimings,
  OfctlFlowTables,
  USUAL_TIMINGS,
} from '../../src/adapters/ovs-ofctl-wrapper/ofctl-flow-tables.ts';
import { readSwitch } from '../../src/adapters/open-vswitch/switch.ts';
import { FLOW_COOKIE, LEARNED_FLOW_COOKIE } from '../../src/domain/basics/conventions.ts';
import { flowKey, parseFlowDump } from '../../src/domain/datapath/openflow/flow-entry.ts';
import { type EntityOperation, setOperationsOf } from '../../src/domain/entities/operations/operation.ts';
import type { BridgeFlow } from '../../src/domain/snapshot/datapath.ts';
import type { FlowOperation } from '../../src/ports/node/flow-tables.ts';
import type { Programs } from '../../src/ports/node/programs.ts';
import { describeFlowTables } from '../contract/flow-tables.ts';
import { eventually } from '../unit/adapters/processes.ts';
import { problemLines, valueOf } from '../unit/adapters/readings.ts';
import { OpenVSwitch } from './open-vswitch.ts';
import { newPort, startFlowTables } from './real-flow-tables.ts';

const byKey = (left: BridgeFlow, right: BridgeFlow) => (flowKey(left) < flowKey(right) ? -1 : 1);

for (const userland of ['host', 'debian-13'] as const) {
  describeFlowTables(`Open vSwitch of ${userland}`, async () => await startFlowTables(userland));
}

describe('the bridges of a real Open vSwitch', () => {
  let openVSwitch: OpenVSwitch;
  beforeEach(async () => {
    openVSwitch = await OpenVSwitch.start();
  });
  const opened: OfctlFlowTables[] = [];
  afterEach(async () => {
    for (const tables of opened.splice(0)) await tables.close();
    await openVSwitch.stop();
  });

  /** Command lines of the programs that were run. */
  let commands: string[] = [];

  function open(timings: Partial<FlowTimings> = {}, now?: () => number): OfctlFlowTables {
    const programs = new ExecaPrograms(openVSwitch.environment);
    commands = [];
    const recording: Programs = {
      run: (program, words, limits, input) => {
        commands.push([program, ...words].join(' '));
        return programs.run(program, words, limits, input);
      },
    };
    const tables = new OfctlFlowTables(recording, openVSwitch.runDirectory, { ...USUAL_TIMINGS, ...timings }, now);
    opened.push(tables);
    return tables;
  }

  const switches = () => valueOf(readSwitch(openVSwitch.dump(), 'dump'));
  const bridges = () => switches().bridges;
  const read = async (tables: OfctlFlowTables) => valueOf(await tables.read(switches()));

  function addFlow(bridge: string, match: string, actions: string): EntityOperation<'flow'> {
    const flow = { bridge, cookie: FLOW_COOKIE, table: 0, priority: 100, match, actions };
    return { verb: 'add', networks: [], entity: { kind: 'flow', flow } };
  }

  it('are read again only in the table with a change, or all of them after many, and equal flows are the same objects', async () => {
    openVSwitch.configure('add-br', 'br-blue', '--', 'add-br', 'br-red');
    openVSwitch.addFlow('br-blue', 'priority=5,tcp,actions=drop');
    const tables = open();
    let calls = 0;
    tables.onChange(() => (calls += 1));
    const first = await read(tables);
    expect(commands).to.have.length(2);
    expect(await read(tables)).to.equal(first);
    openVSwitch.addFlow('br-blue', 'priority=6,udp,actions=drop');
    await eventually('the listener is called', () => calls > 0);
    const second = await read(tables);
    expect(second.flows)
      .to.include.members([...first.flows])
      .and.have.length(first.flows.length + 1);
    expect(commands.slice(2).map((command) => command.replace(openVSwitch.runDirectory, ''))).to.deep.equal([
      'ovs-ofctl -O OpenFlow14 --no-names --no-stats dump-flows -- unix:/br-blue.mgmt table=0',
    ]);
    expect(await read(tables)).to.equal(second);
    calls = 0;
    for (const table of [1, 2, 3]) openVSwitch.addFlow('br-red', `table=${String(table)},actions=drop`);
    await eventually('the listener is called', () => calls === 3);
    const third = await read(tables);
    expect(third.flows)
      .to.include.members([...second.flows])
      .and.have.length(second.flows.length + 3);
    expect(commands.slice(3).map((command) => command.replace(openVSwitch.runDirectory, ''))).to.deep.equal([
      'ovs-ofctl -O OpenFlow14 --no-names --no-stats dump-flows -- unix:/br-red.mgmt',
    ]);
  });

  /** The flows of a network on a bridge: what its port sends, and what is sent to it. */
  function flowsOf(bridge: string, port: string): FlowOperation {
    const [change] = setOperationsOf([
      addFlow(bridge, `ip,in_port=${port},nw_src=192.0.2.1`, 'resubmit(,21)'),
      addFlow(bridge, `in_port=${port}`, 'drop'),
      addFlow(bridge, `ct_mark=0x${port.length},ip,in_port=eth1`, `output:${port}`),
    ]);
    if (change === undefined) throw new Error('there is no change');
    return change as FlowOperation;
  }

  /** The selection of each reading of flows. */
  const selected = () =>
    commands.filter((command) => command.includes('dump-flows')).map((command) => command.split('.mgmt')[1]?.trim());

  const twoNetworks = [
    ...newPort('br-blue', 'eth1', 1),
    ...newPort('br-blue', 'net1', 2),
    ...newPort('br-blue', 'net20', 3),
  ];

  it('are not read again after this agent has changed flows and the switch has reported that', async () => {
    openVSwitch.configure('add-br', 'br-blue', ...twoNetworks);
    const tables = open();
    await read(tables);
    expect(await tables.apply(flowsOf('br-blue', 'net1'), bridges())).to.deep.equal({ done: true });
    const first = await read(tables);
    commands = [];
    expect(await tables.apply(flowsOf('br-blue', 'net20'), bridges())).to.deep.equal({ done: true });
    const second = await read(tables);
    expect(selected()).to.deep.equal([]);
    expect(second.flows).to.include.members([...first.flows]);
    const { flows: all } = await read(open());
    expect([...second.flows].sort(byKey)).to.deep.equal([...all].sort(byKey));
    const removed = flowsOf('br-blue', 'net1');
    if (removed.verb !== 'change') throw new Error('not a set');
    commands = [];
    const changes = removed.changes.map((change) => ({ ...change, verb: 'remove' as const }));
    expect(await tables.apply({ ...removed, changes }, bridges())).to.deep.equal({ done: true });
    const third = await read(tables);
    expect(selected()).to.deep.equal([]);
    expect([...third.flows].sort(byKey)).to.deep.equal([...(await read(open())).flows].sort(byKey));
    expect(third.flows).to.have.length(second.flows.length - 3);
  });

  it('are not read again after so many changes that the switch stops to report them for a while', async () => {
    openVSwitch.configure('add-br', 'br-blue');
    const tables = open();
    await read(tables);
    commands = [];
    let calls = 0;
    tables.onChange(() => (calls += 1));
    const ports = Array.from({ length: 15_000 }, (_, index) => index + 1);
    const source = 'tcp6,dl_src=02:00:00:00:00:01,ipv6_src=2001:db8::1';
    const [change] = setOperationsOf(ports.map((port) => addFlow('br-blue', `${source},tp_dst=${port}`, 'drop')));
    expect(change && (await tables.apply(change as FlowOperation, bridges()))).to.deep.equal({ done: true });
    const { flows } = await read(tables);
    expect([selected(), calls]).to.deep.equal([[], 0]);
    expect([...flows].sort(byKey)).to.deep.equal([...(await read(open())).flows].sort(byKey));
  });

  it('of a table are read again if another program changes managed flows during a bundle', async () => {
    openVSwitch.configure('add-br', 'br-blue', ...twoNetworks);
    const tables = open();
    await read(tables);
    expect(await tables.apply(flowsOf('br-blue', 'net1'), bridges())).to.deep.equal({ done: true });
    await read(tables);
    const applied = tables.apply(flowsOf('br-blue', 'net20'), bridges());
    openVSwitch.deleteFlow('br-blue', 'priority=100,in_port=2');
    expect(await applied).to.deep.equal({ done: true });
    const { flows } = await read(tables);
    expect([...flows].sort(byKey)).to.deep.equal([...(await read(open())).flows].sort(byKey));
    expect(flows.filter(({ cookie }) => cookie === FLOW_COOKIE)).to.have.length(5);
  });

  it('are read again after some time, as FDB entries change without notice', async () => {
    openVSwitch.configure('add-br', 'br-blue');
    openVSwitch.control('fdb/add', 'br-blue', 'br-blue', '0', '02:42:c0:00:02:06');
    let now = 0;
    const tables = open({ lifetime: 1000 }, () => now);
    expect((await read(tables)).fdbEntries).to.have.length(1);
    openVSwitch.control('fdb/del', 'br-blue', '0', '02:42:c0:00:02:06');
    now = 999;
    expect((await read(tables)).fdbEntries).to.have.length(1);
    now = 1000;
    expect((await read(tables)).fdbEntries).to.have.length(0);
  });

  it('lose FDB entries with the VLAN of a port, which is read at once', async () => {
    openVSwitch.configure('add-br', 'br-blue', ...newPort('br-blue', 'blue0', 2));
    const tables = open();
    const entity = {
      kind: 'fdb-entry',
      bridge: 'br-blue',
      port: 'blue0',
      vlan: 7,
      macAddress: '02:42:c0:00:02:06',
    } as const;
    expect(await tables.apply({ verb: 'add', networks: [], entity }, bridges())).to.deep.equal({ done: true });
    expect((await read(tables)).fdbEntries).to.have.length(1);
    openVSwitch.configure('set', 'port', 'blue0', 'tag=7');
    expect((await read(tables)).fdbEntries).to.have.length(0);
  });

  it('report flows that they learn together and after other changes, except those that end within seconds', async () => {
    openVSwitch.configure('add-br', 'br-blue', ...newPort('br-blue', 'eth1', 1));
    const learn = (table: number, timeout: number) =>
      `learn(table=${String(table)},hard_timeout=${String(timeout)},cookie=${LEARNED_FLOW_COOKIE},eth_type=0x806,NXM_OF_ARP_SPA[],load:1->NXM_NX_REG1[])`;
    openVSwitch.addFlow('br-blue', `arp,arp_op=1,actions=${learn(7, 10)}`);
    openVSwitch.addFlow('br-blue', `arp,arp_op=2,actions=${learn(8, 600)}`);
    const tables = open({ learnedDelay: 0 });
    let calls = 0;
    tables.onChange(() => (calls += 1));
    await read(tables);
    const arp = (operation: number, source: string) =>
      openVSwitch.control(
        'netdev-dummy/receive',
        'eth1',
        `in_port(1),eth(src=50:54:00:00:00:05,dst=ff:ff:ff:ff:ff:ff),eth_type(0x0806),arp(sip=${source},tip=192.0.2.9,op=${String(operation)},sha=50:54:00:00:00:05,tha=00:00:00:00:00:00)`,
      );
    const learned = (table: number) =>
      parseFlowDump(openVSwitch.dumpFlows('br-blue')).filter((flow) => flow.table === table);
    arp(1, '192.0.2.1');
    await eventually('the first flow is learned', () => learned(7).length === 1);
    arp(2, '192.0.2.2');
    await eventually('the second flow is learned', () => learned(8).length === 1);
    await eventually('the listener is called', () => calls > 0);
    expect(calls).to.equal(1);
    const { flows } = await read(tables);
    expect(
      flows
        .filter(({ cookie }) => cookie === LEARNED_FLOW_COOKIE)
        .map(({ table }) => table)
        .sort(),
    ).to.deep.equal([8]);
    // The same neighbour again is no change.
    arp(2, '192.0.2.2');
    arp(2, '192.0.2.3');
    await eventually('the listener is called again', () => calls > 1);
    expect([calls, learned(8).length]).to.deep.equal([2, 2]);
    const patient = open({ learnedDelay: 86_400_000 });
    await read(patient);
    let others = 0;
    patient.onChange(() => (others += 1));
    arp(2, '192.0.2.4');
    await eventually('another flow is learned', () => learned(8).length === 3);
    openVSwitch.addFlow('br-blue', 'table=8,tcp,actions=drop');
    await eventually('the listener is called for the other flow', () => others > 0);
    expect(others).to.equal(1);
    // They are read with what has changed in their table.
    expect(
      (await read(patient)).flows.filter(({ table, cookie }) => table === 8 && cookie === LEARNED_FLOW_COOKIE),
    ).to.have.length(3);
  });

  it('end connections once no flow translates to their source any more', async () => {
    openVSwitch.configure('add-br', 'br-blue', ...newPort('br-blue', 'blue0', 1), ...newPort('br-blue', 'eth1', 2));
    const egress = (match: string, address: string) =>
      addFlow('br-blue', match, `ct(commit,zone=64100,nat(src=${address})),output:eth1`);
    const tables = open();
    const apply = async (operation: FlowOperation) =>
      expect(await tables.apply(operation, bridges())).to.deep.equal({ done: true });
    await read(tables);
    await apply(egress('tcp,in_port=blue0', '192.0.2.6'));
    await apply(egress('udp,in_port=blue0', '192.0.2.6'));
    openVSwitch.control(
      'netdev-dummy/receive',
      'blue0',
      'in_port(1),eth(src=50:54:00:00:00:05,dst=50:54:00:00:00:07),eth_type(0x0800),ipv4(src=169.254.0.13,dst=198.51.100.200,proto=17,tos=0,ttl=64,frag=no),udp(src=40000,dst=53)',
    );
    const connections = () => openVSwitch.control('dpctl/dump-conntrack', 'zone=64100');
    await eventually('there is a connection', () => connections().includes('dst=192.0.2.6'));
    await apply(egress('udp,in_port=blue0', '192.0.2.7'));
    expect(connections()).to.include('dst=192.0.2.6');
    await read(tables);
    await apply(egress('tcp,in_port=blue0', '192.0.2.7'));
    expect(connections()).to.equal('');
  });

  it('end connections from a former source after a restart, if the agent was killed after it had changed flows', async () => {
    openVSwitch.configure('add-br', 'br-blue', ...newPort('br-blue', 'blue0', 1), ...newPort('br-blue', 'eth1', 2));
    const egress = (match: string, address: string) =>
      addFlow('br-blue', match, `ct(commit,zone=64100,nat(src=${address})),output:eth1`);
    const [former, host] = [
      egress('udp,in_port=blue0,dl_src=50:54:00:00:00:05', '192.0.2.6'),
      egress('ip,in_port=LOCAL,nw_src=192.0.2.6', '192.0.2.6'),
    ];
    const first = open();
    const apply = async (tables: OfctlFlowTables, operation: FlowOperation) => await tables.apply(operation, bridges());
    await read(first);
    for (const added of [former, host]) expect(await apply(first, added)).to.deep.equal({ done: true });
    openVSwitch.control(
      'netdev-dummy/receive',
      'blue0',
      'in_port(1),eth(src=50:54:00:00:00:05,dst=50:54:00:00:00:07),eth_type(0x0800),ipv4(src=169.254.0.13,dst=198.51.100.200,proto=17,tos=0,ttl=64,frag=no),udp(src=40000,dst=53)',
    );
    const connections = () => openVSwitch.control('dpctl/dump-conntrack', 'zone=64100');
    await eventually('there is a connection', () => connections().includes('dst=192.0.2.6'));
    await apply(first, egress('udp,in_port=blue0,dl_src=50:54:00:00:00:05', '192.0.2.7'));
    const [changed] = setOperationsOf([
      { ...host, verb: 'remove' },
      egress('ip,in_port=LOCAL,nw_src=192.0.2.7', '192.0.2.7'),
    ]);
    expect(changed?.changes).to.have.length(2);
    // The agent is killed here: it cannot ask ovs-vswitchd any more.
    const pidFile = join(openVSwitch.runDirectory, 'ovs-vswitchd.pid');
    renameSync(pidFile, `${pidFile}.moved`);
    if (changed !== undefined) expect(await apply(first, changed as FlowOperation)).to.have.property('done', false);
    renameSync(`${pidFile}.moved`, pidFile);
    expect(connections()).to.include('dst=192.0.2.6');
    const second = open();
    const { flows } = await read(second);
    expect(flows.map(({ actions }) => actions).filter((actions) => actions.includes('192.0.2.6'))).to.have.length(1);
    expect(await apply(second, { ...host, verb: 'remove' })).to.deep.equal({ done: true });
    expect(connections()).to.equal('');
    expect((await read(second)).flows.some(({ actions }) => actions.includes('192.0.2.6'))).to.equal(false);
  });

  it('are a problem while ovs-vswitchd hangs, and are read again afterwards', async () => {
    openVSwitch.configure('add-br', 'br-blue');
    const list = switches();
    const tables = open({ deadline: 300 });
    const hasFlows = (each: OfctlFlowTables, count: number) => async () => {
      const reading = await each.read(list);
      return reading.read && reading.value.flows.length === count;
    };
    // A busy machine may not start a program within the deadline.
    await eventually('it is read', hasFlows(tables, 1));
    openVSwitch.addFlow('br-blue', 'priority=6,udp,actions=drop');
    const unread = open({ deadline: 300 });
    openVSwitch.signalSwitch('SIGSTOP');
    try {
      expect(problemLines(await unread.read(list))).to.deep.equal([
        `${openVSwitch.runDirectory}/br-blue.mgmt: leads to a switch that did not answer within 0.3 s`,
      ]);
      expect(problemLines(await tables.read(list))[0]).to.match(
        /^ovs-ofctl dump-flows br-blue: .*did not finish within 0.3 s and was killed$/,
      );
    } finally {
      openVSwitch.signalSwitch('SIGCONT');
    }
    for (const each of [tables, unread]) await eventually('it is read again', hasFlows(each, 2));
  });

  it('are not all queried while ovs-vswitchd hangs', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `br${String(index)}`);
    openVSwitch.configure(...names.flatMap((name) => ['--', 'add-br', name]).slice(1));
    const list = switches();
    const tables = open({ deadline: 2000, lifetime: 0 });
    expect(valueOf(await tables.read(list)).flows).to.have.length(names.length);
    expect(commands).to.have.length(names.length);
    commands = [];
    openVSwitch.signalSwitch('SIGSTOP');
    try {
      expect((await tables.read(list)).read).to.equal(false);
      expect(commands).to.have.length.of.at.most(4);
    } finally {
      openVSwitch.signalSwitch('SIGCONT');
    }
  });

  it('are empty if they accept no OpenFlow 1.0 or 1.4, and report once they are changed', async () => {
    openVSwitch.configure('add-br', 'br-blue');
    for (const protocols of ['OpenFlow13', 'OpenFlow10', 'OpenFlow13,OpenFlow14', 'OpenFlow10,OpenFlow13']) {
      openVSwitch.configure('set', 'bridge', 'br-blue', `protocols=${protocols}`);
      const tables = open();
      expect(await read(tables), protocols).to.deep.equal({
        flows: [],
        fdbEntries: [],
        noFloodPorts: [],
        bridgesWithoutSwitch: ['br-blue'],
      });
      const result = await tables.apply(addFlow('br-blue', 'tcp', 'drop'), bridges());
      expect('error' in result && result.error, protocols).to.match(
        /: leads to a switch that does not accept OpenFlow 1.0 and 1.4; add OpenFlow10 and OpenFlow14 to its protocols, or clear them$/,
      );
    }
  });

  it('may have any name', async () => {
    const names = ['-force', 'a b', 'a#b', "it's", '$HOME', 'system@x', 'tcp:x', 'été', '"q"'];
    for (const name of names) openVSwitch.configure('--', 'add-br', name);
    const tables = open();
    for (const name of names) {
      const result = await tables.apply(addFlow(name, 'tcp', 'LOCAL'), bridges());
      expect(result, name).to.deep.equal({ done: true });
    }
    const { flows } = await read(tables);
    const added = flows.filter(({ cookie }) => cookie === FLOW_COOKIE).map(({ bridge }) => bridge);
    expect(added).to.have.members(names);
  });

  it('leave out a flow that ovs-ofctl does not understand', async () => {
    openVSwitch.configure('add-br', 'br-blue');
    const tables = open();
    expect(await tables.apply(addFlow('br-blue', 'tcp', 'jump:7'), bridges())).to.deep.equal({
      done: false,
      error: 'ovs-ofctl refuses it: unknown action jump',
      isRefused: true,
    });
  });
});
