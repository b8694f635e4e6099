import { clusterNetworkKey } from '../../src/domain/network/key.ts';
import { expect } from 'chai';
import { FLOW_COOKIE } from '../../src/domain/basics/conventions.ts';
import type { EntityOperation } from '../../src/domain/entities/operations/operation.ts';
import type { BridgeFlow } from '../../src/domain/snapshot/datapath.ts';
import type { Bridge } from '../../src/domain/snapshot/node-snapshot.ts';
import type { ApplyResult } from '../../src/ports/apply-result.ts';
import type { Reading } from '../../src/ports/input-problem.ts';
import type { FlowOperation, FlowSnapshot, FlowTables } from '../../src/ports/node/flow-tables.ts';
import type { SwitchSnapshot } from '../../src/ports/node/switch-database.ts';
import { eventually } from '../unit/adapters/processes.ts';
import { valueOf } from '../unit/adapters/readings.ts';

/** A flow with numbers of ports. */
export type NumberedFlow = Omit<BridgeFlow, 'bridge'>;

/** The switches of a node, and the means to change them as others would. */
export interface FlowTablesUnderTest {
  readonly tables: FlowTables;
  /** Reads the switches with what was read or written before forgotten. */
  readAnew(switches: SwitchSnapshot): Promise<Reading<FlowSnapshot>>;
  /** The bridges as the switch database has them. */
  bridges(): readonly Bridge[];
  /** Adds a bridge with ports of these numbers. */
  addBridge(bridge: string, ports: Readonly<Record<string, number>>): void;
  deleteBridge(bridge: string): void;
  addPort(bridge: string, port: string, number: number): void;
  deletePort(bridge: string, port: string): void;
  addFlow(bridge: string, flow: NumberedFlow): void;
  deleteFlow(bridge: string, flow: NumberedFlow): void;
  /** The flows of a bridge, with numbers of ports. */
  flowsOf(bridge: string): readonly NumberedFlow[];
  /** Has a port flooded or not, by its number. */
  setNoFlood(bridge: string, port: number, isNoFlood: boolean): void;
  /** Kills ovs-vswitchd. */
  kill(): void | Promise<void>;
  /** Starts it again. */
  start(): void | Promise<void>;
  /** Stops everything except the tables under test. */
  end(): void | Promise<void>;
}

const BRIDGE = 'br-blue';

/** The patch port of a network, which ovn-controller adds. */
const PATCH = 'patch-br-blue_cluster_udn_blue_worker-a-to-br-int';

/** The flow that every new bridge has. */
const normal: BridgeFlow = { bridge: BRIDGE, cookie: '0x0', table: 0, priority: 0, match: '', actions: 'NORMAL' };

function ours(match: string, actions: string, more: Partial<BridgeFlow> = {}): BridgeFlow {
  return { bridge: BRIDGE, cookie: FLOW_COOKIE, table: 0, priority: 100, match, actions, ...more };
}

function change(
  verb: 'add' | 'replace' | 'remove',
  ...flows: readonly BridgeFlow[]
): readonly EntityOperation<'flow'>[] {
  return flows.map((flow) => ({ verb, networks: [clusterNetworkKey('blue')], entity: { kind: 'flow', flow } }));
}

function changeFlows(...changes: readonly (readonly EntityOperation<'flow'>[])[]): FlowOperation {
  return { verb: 'change', networks: [clusterNetworkKey('blue')], kind: 'flow', set: BRIDGE, changes: changes.flat() };
}

const adds = (...flows: readonly BridgeFlow[]) => changeFlows(change('add', ...flows));

function floods(verb: 'add' | 'remove', ports: readonly string[]): FlowOperation {
  const changes = ports.map((port): EntityOperation<'no-flood-port'> => {
    return { verb, networks: [clusterNetworkKey('blue')], entity: { kind: 'no-flood-port', bridge: BRIDGE, port } };
  });
  return { verb: 'change', networks: [clusterNetworkKey('blue')], kind: 'no-flood-port', set: BRIDGE, changes };
}

function fdb(verb: 'add' | 'remove', port: string, vlan: number, macAddress: string): FlowOperation {
  return {
    verb,
    networks: [clusterNetworkKey('blue')],
    entity: { kind: 'fdb-entry', bridge: BRIDGE, port, vlan, macAddress },
  };
}

const done: ApplyResult = { done: true };

const text = ({ cookie, table, priority, match, actions }: NumberedFlow) =>
  `${cookie} ${String(table)} ${String(priority)} ${match} ${actions}`;

const texts = (flows: readonly NumberedFlow[]) => flows.map(text).sort();

/** Errors of changes that were left out, by the number of the change. */
function leftOut(result: ApplyResult, operation: FlowOperation) {
  if (!result.done) return result.error;
  const changes = operation.verb === 'change' ? operation.changes : [operation];
  return (result.leftOut ?? []).map(({ change: each, error, isAwaited }) => {
    const index = changes.findIndex((other) => other === each);
    return `${String(index)}${isAwaited === true ? ' awaited' : ''}: ${error}`;
  });
}

/** Tests an implementation of FlowTables. */
export function describeFlowTables(
  name: string,
  start: () => FlowTablesUnderTest | Promise<FlowTablesUnderTest>,
): void {
  describe(`FlowTables: ${name}`, () => {
    let fixture: FlowTablesUnderTest;
    let calls = 0;
    beforeEach(async () => {
      fixture = await start();
      calls = 0;
      fixture.tables.onChange(() => (calls += 1));
    });
    afterEach(async () => {
      await fixture.tables.close();
      await fixture.end();
    });

    const switches = (): SwitchSnapshot => ({ switchExternalIds: {}, bridges: fixture.bridges() });
    const read = async () => valueOf(await fixture.tables.read(switches()));
    /** The flows as the tables know them, which must be those that the switches have. */
    const flows = async () => {
      const { flows: known } = await read();
      expect(texts(known)).to.deep.equal(texts(valueOf(await fixture.readAnew(switches())).flows));
      return known;
    };
    const apply = (operation: FlowOperation) => fixture.tables.apply(operation, fixture.bridges());
    const called = async (what: string, happens: () => void | Promise<void>) => {
      const before = calls;
      await happens();
      await eventually(`the listener is called: ${what}`, () => calls > before);
    };
    const blueBridge = () => fixture.addBridge(BRIDGE, { eth1: 1, blue0: 2, '7': 3, 'a(b, c)': 4 });

    it('reads the entities of new bridges', async () => {
      expect(await read()).to.deep.equal({ flows: [], fdbEntries: [], noFloodPorts: [] });
      blueBridge();
      fixture.addBridge('br-red', {});
      expect(await read()).to.deep.equal({
        flows: [normal, { ...normal, bridge: 'br-red' }],
        fdbEntries: [],
        noFloodPorts: [],
      });
    });

    it("reads nothing of OVN's integration bridge, whatever its name", async () => {
      fixture.addBridge('br-int', {});
      fixture.addBridge(BRIDGE, {});
      const bridges = async (switchExternalIds: Readonly<Record<string, string>>) => {
        const reading = await fixture.tables.read({ ...switches(), switchExternalIds });
        return valueOf(reading).flows.map(({ bridge }) => bridge);
      };
      expect(await bridges({})).to.deep.equal([BRIDGE]);
      expect(await bridges({ 'ovn-bridge': BRIDGE })).to.deep.equal(['br-int']);
    });

    it('reads the flows that it adds unchanged, with names of ports, and leaves those of others', async () => {
      blueBridge();
      const theirs = { cookie: '0xdeff105', table: 5, priority: 7, match: 'tcp,in_port=2', actions: 'output:1' };
      fixture.addFlow(BRIDGE, theirs);
      const added = [
        ours('ip,in_port=blue0,nw_src=192.0.2.6', 'ct(commit,table=1,zone=64100,nat(src=192.0.2.6))'),
        ours('in_port=eth1,dl_vlan=100', 'resubmit(LOCAL,3),resubmit(blue0,3),resubmit(,3)', { priority: 9 }),
        ours('in_port=LOCAL', 'output:%37,output:a%28b%2c%20c%29,LOCAL,IN_PORT', { priority: 32_768 }),
        ours('', 'learn(table=9,hard_timeout=600,in_port=eth1,output:NXM_OF_IN_PORT[]),NORMAL', { table: 20 }),
        ours('arp', 'clone(output(port=blue0,max_len=100))', { table: 21 }),
        ours('ipv6,ipv6_dst=fd69::/112', 'drop', { table: 21 }),
      ];
      const operation = adds(...added);
      expect(leftOut(await apply(operation), operation)).to.deep.equal([]);
      const found = await flows();
      const theirsHere = { ...theirs, bridge: BRIDGE, match: 'tcp,in_port=blue0', actions: 'output:eth1' };
      expect(found).to.have.deep.members([normal, theirsHere, ...added]);
      expect(texts(fixture.flowsOf(BRIDGE)).filter((line) => /%|blue0|eth1/.test(line))).to.deep.equal([]);
    });

    it('replaces and deletes flows of its own only', async () => {
      blueBridge();
      const [web, ssh] = [ours('tcp,tp_dst=80', 'drop'), ours('tcp,tp_dst=22', 'drop')];
      const theirs = { ...normal, cookie: '0x1', priority: 100, match: 'tcp,tp_dst=443', actions: 'drop' };
      fixture.addFlow(BRIDGE, theirs);
      await apply(adds(web, ssh));
      const wider = ours('tcp', 'drop');
      const operation = changeFlows(
        change('replace', { ...web, actions: 'output:eth1' }),
        change('remove', ssh, wider, ours('tcp,tp_dst=443', 'drop'), ours('udp', 'drop')),
      );
      expect(await apply(operation)).to.deep.equal(done);
      expect(texts(await flows())).to.deep.equal(texts([normal, theirs, { ...web, actions: 'output:eth1' }]));
    });

    it('leaves out flows that the switch refuses, each with its error, and adds the others', async () => {
      blueBridge();
      const good = Array.from({ length: 50 }, (_, index) => ours(`tcp,tp_dst=${String(index + 1)}`, 'drop'));
      const bad = [ours('udp,tp_dst=1', 'group:1'), ours('udp,tp_dst=2', 'group:2')];
      const operation = adds(...good.slice(0, 20), ...bad.slice(0, 1), ...good.slice(20), ...bad.slice(1));
      expect(leftOut(await apply(operation), operation)).to.deep.equal([
        '20: the switch refuses it: OFPBAC_BAD_OUT_GROUP',
        '51: the switch refuses it: OFPBAC_BAD_OUT_GROUP',
      ]);
      expect(texts(await flows())).to.deep.equal(texts([normal, ...good]));
      const [single] = change('add', ...bad);
      expect(single && (await apply(single))).to.deep.include({ done: false, isRefused: true });
    });

    it('leaves out flows whose port has no number yet, and adds them once it has', async () => {
      blueBridge();
      const [into, from] = [ours('ip,in_port=eth1', `output:${PATCH}`), ours(`in_port=${PATCH}`, 'drop')];
      const operation = adds(into, ours('arp', 'drop'), from);
      const result = await apply(operation);
      expect(leftOut(result, operation)).to.have.length(2);
      expect(leftOut(result, operation)).to.satisfy((lines: readonly string[]) =>
        lines.every((line, index) => line.startsWith(`${String(2 * index)} awaited: port ${PATCH} `)),
      );
      expect(texts(await flows())).to.deep.equal(texts([normal, ours('arp', 'drop')]));
      fixture.addPort(BRIDGE, PATCH, 9);
      expect(await apply(adds(into, from))).to.deep.equal(done);
      expect(texts(await flows())).to.deep.equal(texts([normal, ours('arp', 'drop'), into, from]));
      expect(texts(fixture.flowsOf(BRIDGE))).to.include(text(ours('ip,in_port=1', 'output:9')));
    });

    it('reads the number of a port that no longer exists', async () => {
      blueBridge();
      const flow = ours('ip,in_port=blue0', 'output:eth1,output:blue0');
      await apply(adds(flow));
      expect(texts(await flows())).to.deep.equal(texts([normal, flow]));
      fixture.deletePort(BRIDGE, 'blue0');
      fixture.addPort(BRIDGE, 'blue0', 12);
      expect(texts(await flows())).to.deep.equal(texts([normal, ours('ip,in_port=2', 'output:eth1,output:2')]));
      const operation = changeFlows(change('remove', ours('ip,in_port=2', '')), change('add', flow));
      expect(await apply(operation)).to.deep.equal(done);
      expect(texts(await flows())).to.deep.equal(texts([normal, flow]));
      expect(texts(fixture.flowsOf(BRIDGE))).to.include(text(ours('ip,in_port=12', 'output:1,output:12')));
    });

    it('does not replace a flow that another program has added since the flows were read', async () => {
      blueBridge();
      await apply(adds(ours('tcp,tp_dst=80', 'drop')));
      await flows();
      const theirs = { ...normal, cookie: '0x1', priority: 100, match: 'tcp,tp_dst=443', actions: 'drop' };
      await called('a flow was added', () => fixture.addFlow(BRIDGE, theirs));
      const operation = adds(ours('tcp,tp_dst=443', 'output:1'), ours('tcp,tp_dst=22', 'drop'));
      const result = await apply(operation);
      expect(leftOut(result, operation)).to.have.length(1);
      expect(leftOut(result, operation)[0]).to.match(/^0: would replace a flow .*cookie 0x1$/);
      expect(texts(await flows())).to.deep.equal(
        texts([normal, theirs, ours('tcp,tp_dst=80', 'drop'), ours('tcp,tp_dst=22', 'drop')]),
      );
    });

    it('does not replace a flow of another program that was read and that no plan knows', async () => {
      blueBridge();
      await flows();
      const theirs = { ...normal, cookie: '0x1', priority: 100, match: 'tcp,tp_dst=443', actions: 'drop' };
      await called('a flow was added', () => fixture.addFlow(BRIDGE, theirs));
      await flows();
      const operation = adds(ours('tcp,tp_dst=443', 'output:1'), ours('tcp,tp_dst=22', 'drop'));
      expect(leftOut(await apply(operation), operation)[0]).to.match(/^0: would replace a flow .*cookie 0x1$/);
      expect(texts(await flows())).to.deep.equal(texts([normal, theirs, ours('tcp,tp_dst=22', 'drop')]));
    });

    it('does not add a flow if another program has an equal one', async () => {
      blueBridge();
      await flows();
      fixture.deleteFlow(BRIDGE, normal);
      const ssh = ours('tcp,tp_dst=22', 'drop');
      // Open vSwitch adds its own some time after it was started.
      await called('a flow was added', () => fixture.addFlow(BRIDGE, normal));
      expect(await apply(adds({ ...ours('', 'NORMAL'), priority: 0 }, ssh))).to.deep.equal(done);
      expect(texts(await flows())).to.deep.equal(texts([normal, ssh]));
    });

    it('calls its listener for changes by others, not for its own', async () => {
      blueBridge();
      await flows();
      calls = 0;
      const [web, ssh] = [ours('tcp,tp_dst=80', 'drop'), ours('tcp,tp_dst=22', 'drop')];
      await apply(adds(web, ssh));
      await apply(floods('add', ['eth1']));
      await apply(fdb('add', 'blue0', 0, '02:00:00:00:00:01'));
      const after = await read();
      expect([calls, after.flows.length, after.noFloodPorts.length, after.fdbEntries.length]).to.deep.equal([
        0, 3, 1, 1,
      ]);
      await called('a flow was deleted', () => fixture.deleteFlow(BRIDGE, web));
      expect(texts(await flows())).to.deep.equal(texts([normal, ssh]));
      await called('a flow was added', () => fixture.addFlow(BRIDGE, { ...web, actions: 'NORMAL' }));
      expect(texts(await flows())).to.deep.equal(texts([normal, ssh, { ...web, actions: 'NORMAL' }]));
      await called('a port is flooded', () => fixture.setNoFlood(BRIDGE, 1, false));
      expect((await read()).noFloodPorts).to.deep.equal([]);
      await called('a port is not flooded', () => fixture.setNoFlood(BRIDGE, 2, true));
      expect((await read()).noFloodPorts).to.deep.equal([{ bridge: BRIDGE, port: 'blue0' }]);
    });

    it('has nothing after ovs-vswitchd was killed, and adds it again once that is started', async () => {
      blueBridge();
      const flow = ours('ip,in_port=blue0', 'output:eth1');
      const operations = [adds(flow), floods('add', ['blue0']), fdb('add', 'blue0', 0, '02:00:00:00:00:01')];
      for (const operation of operations) expect(await apply(operation)).to.deep.equal(done);
      const before = await read();
      const fresh = { flows: [normal], fdbEntries: [], noFloodPorts: [] };
      for (let round = 0; round < 2; round += 1) {
        await called('ovs-vswitchd was killed', () => fixture.kill());
        expect(await read()).to.deep.equal({ ...fresh, flows: [], bridgesWithoutSwitch: [BRIDGE] });
        for (const operation of operations)
          expect(await apply(operation)).to.include({ done: false, isUnavailable: true });
        const failed = await apply(adds(flow));
        expect('error' in failed && failed.error)
          .to.match(/^\S.*$/)
          .and.not.contain('\n');
        await called('it was started', () => fixture.start());
        // While the switch comes back, a reader of its own may see it before.
        await eventually('there is a switch', async () => (await read()).flows.length > 0);
        expect(await read()).to.deep.equal(fresh);
        for (const operation of operations) expect(await apply(operation)).to.deep.equal(done);
        expect(await read()).to.deep.equal(before);
      }
    });

    it('reads a bridge that is recreated with other port numbers', async () => {
      blueBridge();
      const flow = ours('ip,in_port=blue0', 'output:eth1');
      await apply(adds(flow));
      await apply(floods('add', ['blue0']));
      await flows();
      await called('the bridge was deleted', () => fixture.deleteBridge(BRIDGE));
      expect(await read()).to.deep.equal({ flows: [], fdbEntries: [], noFloodPorts: [] });
      const error = `bridge ${BRIDGE} does not exist`;
      expect(await apply(adds(flow))).to.deep.equal({ done: false, error, isRefused: true });
      fixture.addBridge(BRIDGE, { eth1: 21, blue0: 22 });
      expect(await read()).to.deep.equal({ flows: [normal], fdbEntries: [], noFloodPorts: [] });
      expect(await apply(adds(flow))).to.deep.equal(done);
      expect(texts(await flows())).to.deep.equal(texts([normal, flow]));
      expect(texts(fixture.flowsOf(BRIDGE))).to.include(text(ours('ip,in_port=22', 'output:21')));
    });

    it('sets and clears no-flood of many ports, each independently', async () => {
      const ports = Array.from({ length: 250 }, (_, index) => `patch-net${String(index)}`);
      fixture.addBridge(BRIDGE, Object.fromEntries(ports.map((port, index) => [port, index + 1])));
      const operation = floods('add', ['patch-later', ...ports]);
      const result = leftOut(await apply(operation), operation);
      expect(result).to.have.length(1);
      expect(result[0]).to.match(/^0 awaited: port patch-later /);
      const names = async () => (await read()).noFloodPorts.map(({ port }) => port).sort();
      expect(await names()).to.deep.equal(ports.toSorted());
      expect(await apply(floods('remove', ports.slice(1)))).to.deep.equal(done);
      expect(await names()).to.deep.equal(ports.slice(0, 1));
      expect(await apply(floods('add', ports.slice(0, 1)))).to.deep.equal(done);
      expect(await names()).to.deep.equal(ports.slice(0, 1));
    });

    it('adds, changes and removes static FDB entries', async () => {
      blueBridge();
      const [first, second] = ['02:42:c0:00:02:06', '02:42:c0:00:02:07'];
      const entries = async () =>
        (await read()).fdbEntries.map(({ port, vlan, macAddress }) => `${port} ${String(vlan)} ${macAddress}`).sort();
      expect(await apply(fdb('add', 'blue0', 100, first))).to.deep.equal(done);
      expect(await apply(fdb('add', BRIDGE, 0, second))).to.deep.equal(done);
      expect(await entries()).to.deep.equal([`blue0 100 ${first}`, `${BRIDGE} 0 ${second}`]);
      expect(await apply(fdb('add', 'eth1', 100, first))).to.deep.equal(done);
      expect(await entries()).to.deep.equal([`${BRIDGE} 0 ${second}`, `eth1 100 ${first}`]);
      const missing = await apply(fdb('add', PATCH, 0, first));
      expect('error' in missing && missing.error).to.match(new RegExp(`^port ${PATCH} .*has no OpenFlow number yet$`));
      for (let round = 0; round < 2; round += 1) {
        expect(await apply(fdb('remove', 'eth1', 100, first))).to.deep.equal(done);
        expect(await entries()).to.deep.equal([`${BRIDGE} 0 ${second}`]);
      }
    });

    it('does nothing once it is closed', async () => {
      blueBridge();
      await flows();
      calls = 0;
      await fixture.tables.close();
      expect((await fixture.tables.read(switches())).read).to.equal(false);
      expect((await apply(adds(ours('arp', 'drop')))).done).to.equal(false);
      fixture.addFlow(BRIDGE, { ...normal, priority: 5 });
      await fixture.tables.close();
      expect([calls, fixture.flowsOf(BRIDGE).length]).to.deep.equal([0, 2]);
    });
  });
}
