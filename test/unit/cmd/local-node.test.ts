import { expect } from 'chai';
import type { Container } from 'inversify';
import { ports } from '../../../src/cmd/ports/container.ts';
import { defaultSettings, planNode } from '../../../src/domain/index.ts';
import { flowKey } from '../../../src/domain/datapath/openflow/flow-entry.ts';
import { plannedFlows } from '../../../src/domain/explanation/preview/planned-datapath.ts';
import type { SwitchTrace, TracedFrame } from '../../../src/domain/explanation/trace/switch-trace.ts';
import { inFile, type Reading } from '../../../src/ports/input-problem.ts';
import { withGateways } from '../domain/explanation/trace/traced.ts';
import { capturedSituation } from './captured-situation.ts';
import { containerOf, type Run, runCommand } from './run-in-process.ts';

/** A reading of a part of a node that the command does not read wrongly if it gets more. */
const reading = <Value>(value: Value): Promise<Reading<Value>> => Promise.resolve({ read: true, value });

const closing = { onChange: () => undefined, close: () => Promise.resolve() };

const arguments_ = ['--cluster', 'cluster.yaml', '--local'];

describe('flows and trace on the node itself', () => {
  /** The frames that the switch was asked about. */
  let asked: TracedFrame[];
  let closed: number;

  async function containerOfThisNode(found: Reading<SwitchTrace>, isReadable = true): Promise<Container> {
    const situation = withGateways(await capturedSituation());
    const [node] = situation.nodes;
    const container = containerOf({ ...situation, nodes: [] });
    [asked, closed] = [[], 0];
    const part = { ...closing, close: () => Promise.resolve(void (closed += 1)), read: () => reading(node!) };
    const unreadable = { read: false, problems: [{ origin: inFile('db.sock'), message: 'is not there' }] } as const;
    container.bind(ports.liveNode).toConstantValue(
      () =>
        ({
          hostNetwork: part,
          switchDatabase: isReadable ? part : { ...part, read: () => Promise.resolve(unreadable) },
          kernelSettings: part,
          datapath: { flowTables: part, northbound: part, southbound: part, packetFilters: part },
          ledgerStore: { read: () => reading(node!.ledger) },
        }) as never,
    );
    const [egress] = (plannedFlows(planNode(situation.cluster, node!, defaultSettings)).get('br-red') ?? []).filter(
      ({ why }) => why.startsWith('egress leaves'),
    );
    container.bind(ports.runningBridges).toConstantValue(() => ({
      packets: ({ name }) => reading(new Map(name === 'br-red' ? [[flowKey(egress!.flow), 42]] : [])),
      trace: (_bridge, frame) => {
        asked.push(frame);
        return Promise.resolve(found);
      },
    }));
    return container;
  }

  const nothing: Reading<SwitchTrace> = { read: true, value: { decisions: [], outputs: [] } };

  /** The answer of the switch if it did what is planned. */
  const asPlanned: Reading<SwitchTrace> = {
    read: true,
    value: {
      decisions: [
        { table: 0, priority: 100 },
        { table: 22, priority: 100 },
        { table: 21, priority: 100 },
      ],
      outputs: [
        {
          port: 'eth2',
          frame: 'VLAN 100, 02:42:c0:00:03:06 > 02:00:00:00:00:e1, 203.0.113.6 40000:443 > 172.20.0.9',
        },
      ],
    },
  };

  async function run(found: Reading<SwitchTrace>, ...words: readonly string[]): Promise<Run> {
    return await runCommand(await containerOfThisNode(found), [...words, ...arguments_]);
  }

  const packet = 'tcp 10.30.1.5:40000 > 172.20.0.9:443';

  it('flows prints how many packets each flow has matched', async () => {
    const { out, exitCode } = await run(nothing, 'flows', 'worker-a', '--bridge', 'br-red');
    expect(exitCode).to.equal(0);
    expect(out[1]).to.match(/^ {2}PACKETS +TABLE +PRIORITY/);
    expect(out.find((line) => line.includes('egress leaves'))).to.match(/^ {2}42 +0 +100 /);
    expect(out.find((line) => line.includes('nothing else leaves'))).to.match(/^ {2}– +0 +9 /);
    const document = JSON.parse((await run(nothing, 'flows', 'worker-a', '--output', 'json')).out.join('\n')) as Record<
      string,
      { packets: number | null }[]
    >;
    expect(document['br-red']?.filter(({ packets }) => packets === 42)).to.have.length(1);
    expect(document['br-blue']?.every(({ packets }) => packets === null)).to.equal(true);
  });

  it('trace --check reports that the switch agrees', async () => {
    const { out, err, exitCode } = await run(asPlanned, 'trace', 'red', 'worker-a', packet, '--check');
    expect([err, exitCode]).to.deep.equal([[], 0]);
    expect(out.slice(-2)).to.deep.equal([
      'checked on br-red: tcp,dl_vlan=100,in_port=patch-br-red_cluster_udn_red_worker-a-to-br-int,dl_src=02:42:c0:00:03:06,dl_dst=0a:5a:cb:00:71:01,nw_src=169.254.0.13,nw_dst=172.20.0.9,nw_ttl=64,tcp_src=40000,tcp_dst=443',
      '  the switch does the same',
    ]);
    expect(asked.map(({ states }) => states)).to.deep.equal([['new,trk']]);
    expect(closed).to.equal(7);
  });

  it('trace --check reports where it differs, and exits with 4', async () => {
    const { out, exitCode } = await run(nothing, 'trace', 'red', 'worker-a', packet, '--check');
    expect(exitCode).to.equal(4);
    expect(out.slice(-2)).to.deep.equal([
      '  expected classify 100, the switch has nothing more',
      '  expected to leave by eth2 as VLAN 100, 02:42:c0:00:03:06 > 02:00:00:00:00:e1, 203.0.113.6 40000:443 > 172.20.0.9, the switch has no port',
    ]);
    const json = await run(nothing, 'trace', 'red', 'worker-a', packet, '--check', '--output', 'json');
    const { checks } = JSON.parse(json.out.join('\n')) as { checks: { differences: string[] }[] };
    expect(checks.map(({ differences }) => differences.length)).to.deep.equal([2]);
  });

  it('trace --check reports why the switch cannot be asked', async () => {
    const problem = { origin: inFile('ovs-appctl ofproto/trace'), message: 'ovs-vswitchd does not answer' };
    const { out, exitCode } = await run(
      { read: false, problems: [problem] },
      ...['trace', 'red', 'worker-a', packet, '--check'],
    );
    expect([exitCode, out.at(-1)]).to.deep.equal([4, '  ovs-appctl ofproto/trace: ovs-vswitchd does not answer']);
  });

  it('exit with 1 if the node cannot be read, or is not in the cluster', async () => {
    const unread = await runCommand(await containerOfThisNode(nothing, false), ['flows', 'worker-a', ...arguments_]);
    expect([unread.exitCode, unread.err]).to.deep.equal([1, ['error: db.sock: is not there']]);
    const unknown = await run(nothing, 'trace', 'red', 'worker-z', packet);
    expect([unknown.exitCode, unknown.err]).to.deep.equal([
      1,
      ['error: the cluster objects have no Node worker-z; expected the one of this machine'],
    ]);
  });

  it('read the objects of the agent', async () => {
    const container = await containerOfThisNode(nothing);
    const { cluster } = await capturedSituation();
    let isClosed = false;
    container.bind(ports.resourceStore).toConstantValue(
      (folder) =>
        ({
          read: () =>
            folder === '/etc/ovn-uplinks'
              ? reading({ snapshot: cluster, origins: new Map(), warnings: [] })
              : Promise.reject(new Error(folder)),
          close: () => Promise.resolve(void (isClosed = true)),
        }) as never,
    );
    const words = ['flows', 'worker-a', '--manifests', '/etc/ovn-uplinks', '--local'];
    const { out, exitCode } = await runCommand(container, words);
    expect([exitCode, out[0], isClosed]).to.deep.equal([0, 'Flows of bridge br-blue on worker-a', true]);
    const both = await runCommand(container, [...words, '--cluster', 'cluster.yaml']);
    expect([both.exitCode, both.err]).to.deep.equal([1, ['error: --cluster and --manifests: expected one of them']]);
  });

  it('--check needs --local', async () => {
    const container = await containerOfThisNode(nothing);
    const { err, exitCode } = await runCommand(container, [
      ...['trace', 'red', 'worker-a', packet, '--check', '--cluster', 'cluster.yaml'],
    ]);
    expect([exitCode, err]).to.deep.equal([
      1,
      ['error: --check asks the switch of this machine: expected --local too'],
    ]);
  });
});
