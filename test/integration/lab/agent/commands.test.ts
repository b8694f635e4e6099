import { resolve } from 'node:path';
import { expect } from 'chai';
import { dump } from 'js-yaml';
import { settingOf, unitFile } from '../../../unit/cmd/unit-file.ts';
import { stateOf } from '../../uplink-state.ts';
import { clusterOf } from '../clusters.ts';
import { sharedMachine } from '../shared-machine.ts';
import { clusterNode } from '../story-node.ts';
import { blue, blueBridge, agentFixture } from './agent-fixture.ts';
import { leftovers } from './leftovers.ts';
import { NodeAgent, nodeCommand, ovnUplinks, readyNetwork, unreadyNetwork } from './node-agent.ts';

const sh = (script: string) => ['/bin/busybox', 'ash', '-c', script];

const cluster = clusterOf([blue]);
const STATUS = '/run/manifests/status';
const LEDGER = '/run/ovn-uplinks/ledger.json';
const onThisNode = nodeCommand('worker-a');

describe('the commands, beside a running agent', () => {
  let agent: NodeAgent;
  before(async () => {
    const node = await (await sharedMachine()).node('worker-a');
    await node.does(...clusterNode, ...blueBridge);
    const [here] = cluster.nodes;
    const there = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker-b' } };
    await NodeAgent.prepare(node, { ...cluster, nodes: here === undefined ? [] : [here, there] });
    agent = await NodeAgent.start(node);
    await agent.until([], 'uplink-0', readyNetwork('blue'));
    // By then everything is written.
    await agent.untilLogged('settled');
  });
  after(() => agent.node.end());

  /** The ledger, and all files with their times. */
  async function writtenFiles(): Promise<string> {
    return await agent.node.does(
      sh(`cat ${LEDGER}; find ${STATUS} /run/ovn-uplinks -type f | sort | xargs stat -c '%n %i %Y'`),
    );
  }

  /** The reply to a request. */
  async function replyTo(path: string): Promise<string> {
    const answer = await agent.node.does(sh(`printf 'GET ${path} HTTP/1.0\\r\\n\\r\\n' | nc 127.0.0.1 9477`));
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    return `${/^HTTP\/\S+ (\d+)/.exec(head)?.[1]} ${body.trim()}`;
  }

  it('print with --dry-run the planned changes, with --cleanup also what would be removed, and change nothing', async () => {
    const { node } = agent;
    const before = { node: await node.snapshot(), writtenFiles: await writtenFiles() };
    const plan = await node.does(ovnUplinks(...onThisNode, '--dry-run'));
    expect(plan).to.include('Nothing to do on worker-a.');
    const removal = await node.does(
      ovnUplinks('node', '--node', 'worker-a', '--ovn-northbound', 'none', '--cleanup', '--dry-run'),
    );
    expect(removal).to.match(/- VRF blue\n +ip link delete dev blue/);
    expect(removal).to.match(/Plan: \d+ to add, \d+ to change, [1-9]\d* to remove on worker-a/);
    const elsewhere = await node.run(ovnUplinks(...nodeCommand('elsewhere'), '--dry-run'));
    expect(elsewhere.exitCode).to.equal(1);
    expect(elsewhere.stderr).to.match(
      /^error: Node\/elsewhere: does not exist, so nothing is changed on this node; the Nodes are: worker-a, worker-b;/,
    );
    expect(leftovers(before.node, await node.snapshot())).to.deep.equal([]);
    expect(await writtenFiles()).to.equal(before.writtenFiles);
    expect(await agent.log()).to.not.include('drift: ');
  });

  it('answer probes that the agent is ready, that it cannot read, and that it is ready again; it is alive all the time', async () => {
    expect(await replyTo('/readyz')).to.equal('200 ok');
    await agent.untilLogged('cannot read: .*db\\.sock', [sh('kill $(cat /run/openvswitch/ovsdb-server.pid)')]);
    expect(await replyTo('/readyz')).to.match(/^503 .*db\.sock/);
    expect(await replyTo('/healthz')).to.equal('200 ok');
    const metrics = await replyTo('/metrics');
    expect(metrics).to.match(/^ovn_uplinks_readable 0$/m);
    // The former value.
    expect(metrics).to.match(/^ovn_uplinks_networks\{reason="Ready"\} 1$/m);
    // Read from the kernel when it is asked for.
    expect(metrics).to.match(/^ovn_uplinks_conntrack_entries_limit [1-9]\d*$/m);
    const start =
      'ovsdb-server /run/openvswitch/conf.db --remote=punix:/run/openvswitch/db.sock --detach --pidfile --log-file -vconsole:off';
    await agent.untilLogged('cannot read: .*nothing to do', [sh(start)]);
    expect(await replyTo('/readyz')).to.equal('200 ok');
    expect(await replyTo('/healthz')).to.equal('200 ok');
    expect(await replyTo('/metrics')).to.match(/^ovn_uplinks_readable 1$/m);
  });

  it('include cluster-manager, which aggregates the states of all agents', async () => {
    const { node } = agent;
    const manager = await node.start(
      ovnUplinks('cluster-manager', '--manifests', '/run/manifests'),
      '/run/manager.log',
    );
    const untilStatus = (kind: string, name: string, pattern: string) =>
      node.until([], `${STATUS}/${kind}/${name}.yaml`, pattern);
    const untilNetwork = (pattern: string) => untilStatus('ClusterUserDefinedNetwork', 'blue', pattern);
    await node.does(sh(`mkdir -p ${STATUS}/Uplink ${STATUS}/ClusterUserDefinedNetwork`));
    await untilStatus('Uplink', 'uplink-0', '1 of 2 selected nodes not ready: worker-b \\(UplinkStateMissing\\)');
    await untilNetwork('1 of 2 active nodes not ready: worker-b');

    const state = `${STATUS}/UplinkState/uplink-0.worker-b.yaml`;
    const write = async (reason: string) => {
      await node.write('/run/manifests/.state', dump(stateOf('worker-b', reason)));
      await node.does(sh(`mv /run/manifests/.state ${state}`));
    };
    await write('Ready');
    await untilStatus('Uplink', 'uplink-0', '2 of 2 selected nodes ready');
    await untilNetwork('ready on 2 of 2 active nodes');
    await write('UplinkBridgeMappingFailed');
    await untilNetwork('1 of 2 active nodes not ready: worker-b \\(UplinkBridgeMappingFailed\\)');
    // The agent has not changed the state of the other node.
    expect(await node.read(state)).to.include('UplinkBridgeMappingFailed');

    await manager.signal('SIGTERM');
    expect(await manager.exit()).to.deep.equal({ exitCode: 0 });
  });
});

describe('the commands, on a node without an agent', () => {
  const { newNode, newAgent } = agentFixture();

  it('print with --dry-run the planned changes, and write nothing; exit with --once with status 0 if all changes were applied', async () => {
    const node = await newNode(...blueBridge);
    const before = await node.snapshot();
    await NodeAgent.prepare(node, cluster);
    const plan = await node.does(ovnUplinks(...onThisNode, '--dry-run'));
    expect(plan).to.match(/\+ VRF blue with table 1011\n +ip link add dev blue up type vrf table 1011/);
    expect(await node.does(sh(`ls -A ${STATUS}/UplinkState; ls /run | grep ovn-uplinks || true`))).to.equal('');

    // A folder with the name of the temporary file prevents the ledger from being written. A process that listens on the
    // agent's port does not matter.
    const listen = `import socket, time; s = socket.create_server(('127.0.0.1', 9477)); print('listens', flush=True); time.sleep(1000)`;
    await node.start(['/usr/bin/python3', '-ESsB', '-c', listen], '/run/listens');
    await node.until([sh(`mkdir -p ${LEDGER}.new`)], '/run/listens', 'listens');
    const failing = await node.run(ovnUplinks(...onThisNode, '--once'));
    expect(failing.exitCode, failing.stderr).to.equal(1);
    const state = `${STATUS}/UplinkState/uplink-0.worker-a.yaml`;
    expect(await node.read(state))
      .to.match(new RegExp(unreadyNetwork('blue', 'UplinkVRFAttachmentFailed')))
      .and.include('cannot be written');
    expect(leftovers(before, await node.snapshot())).to.deep.equal([]);

    const succeeding = await node.run([
      ...sh(`rmdir ${LEDGER}.new && exec "$@"`),
      'sh',
      ...ovnUplinks(...onThisNode, '--once'),
    ]);
    expect(succeeding.exitCode, succeeding.stderr).to.equal(0);
    expect(await node.read(state)).to.match(new RegExp(readyNetwork('blue')));
    const cleanup = await node.run(ovnUplinks('node', '--cleanup'));
    expect(cleanup.exitCode, cleanup.stderr).to.equal(0);
    expect(leftovers(before, await node.snapshot())).to.deep.equal([]);
  });

  it('exit on SIGTERM within the timeout of the unit, even if ip hangs', async () => {
    const hanging = resolve(import.meta.dirname, '../inside/hanging');
    const agent = await newAgent(cluster, [...blueBridge, sh('echo "master blue" > /run/hang; touch /run/hung')], {
      path: `${hanging}:/usr/sbin:/usr/bin:/sbin:/bin`,
    });
    await agent.node.until([], '/run/hung', 'master blue');
    const start = performance.now();
    expect(await agent.stop()).to.deep.equal({ exitCode: 0 });
    const seconds = (performance.now() - start) / 1000;
    expect(seconds).to.be.lessThan(Number(settingOf(unitFile('ovn-uplinks.service'), 'TimeoutStopSec')) / 2);
    expect((await agent.node.run(sh('pgrep -f "sleep 98765"'))).stdout).to.equal('');
  });
});
