import { expect } from 'chai';
import { clusterOf } from '../clusters.ts';
import { blue, blueBridge } from './blue.ts';
import { agentFixture } from './agent-fixture.ts';
import { leftovers } from './leftovers.ts';
import { NodeAgent, nodeCommand, ovnUplinks, readyNetwork } from './node-agent.ts';
import { egressBridge, egressWords, watchReserved } from './reserved-bridges.ts';
import { switchRows } from './switch-rows.ts';

const inOwnVrf = clusterOf([blue]);
const inDefaultDomain = clusterOf([{ name: 'blue', device: 'br-blue' }]);
const withoutNetwork = { ...inOwnVrf, clusterUserDefinedNetworks: [], routeAdvertisements: [] };
const forwarding = 'net.ipv4.conf.br-blue.forwarding';
const readyIn = (vrf: string) => `${readyNetwork('blue')}\\n      reason: Ready\\n      vrf: ${vrf}\\n`;
const readyInDefault = `${readyNetwork('blue')}\\n      reason: Ready\\n  nodeName`;

describe('a tenant', () => {
  const { newNode } = agentFixture();

  it('is programmed, moved to the default routing domain and back, and removed without leftovers; other bridges are not changed', async () => {
    const node = await newNode(...blueBridge, ...egressBridge, ['sysctl', '-w', `${forwarding}=0`]);
    const [before, rows, reserved] = [await node.snapshot(), await switchRows(node), await watchReserved(node)];
    await NodeAgent.prepare(node, inOwnVrf);
    const agent = await NodeAgent.start(node, { words: egressWords });

    await agent.until([], 'uplink-0', readyIn('blue'));
    expect(await reserved()).to.deep.equal([]);
    const programmed = await node.snapshot();
    expect(programmed.links.find(({ name }) => name === 'br-blue')?.master).to.equal('blue');
    expect(programmed.switchExternalIds['ovn-bridge-mappings']).to.equal('physnet:br-ex,cluster_udn_blue:br-blue');
    expect(programmed.sysctls[forwarding]).to.equal('1');
    expect(programmed.routes.find(({ destination }) => destination === '203.0.113.128/25')?.table).to.equal(1011);

    await NodeAgent.save(node, inDefaultDomain);
    await agent.until([], 'uplink-0', readyInDefault);
    expect(await reserved()).to.deep.equal([]);
    const moved = await node.snapshot();
    expect(moved.links.find(({ name }) => name === 'br-blue')?.master).to.equal(undefined);
    expect(moved.routes.find(({ destination }) => destination === '203.0.113.128/25')?.table).to.equal(254);

    await NodeAgent.save(node, inOwnVrf);
    await agent.until([], 'uplink-0', readyIn('blue'));
    expect(await reserved()).to.deep.equal([]);
    expect(leftovers(programmed, await node.snapshot())).to.deep.equal([]);

    await NodeAgent.save(node, withoutNetwork);
    await agent.untilForgotten();
    expect(await reserved()).to.deep.equal([]);
    expect(leftovers(before, await node.snapshot())).to.deep.equal([]);
    expect(await switchRows(node)).to.deep.equal(rows);
    expect(await agent.stop()).to.deep.equal({ exitCode: 0 });
  });
});

describe('a programmed tenant', () => {
  const { newNode } = agentFixture();

  it('stays when the agent exits, and is removed by --cleanup', async () => {
    const node = await newNode(...blueBridge);
    const before = await node.snapshot();
    await NodeAgent.prepare(node, inOwnVrf);
    const agent = await NodeAgent.start(node);
    await agent.until([], 'uplink-0', readyIn('blue'));
    expect(await agent.stop()).to.deep.equal({ exitCode: 0 });
    expect((await node.snapshot()).links.find(({ name }) => name === 'br-blue')?.master).to.equal('blue');
    await node.does(ovnUplinks('node', '--cleanup', '--listen', 'none'));
    expect(leftovers(before, await node.snapshot())).to.deep.equal([]);
  });

  it('is removed by --cleanup even if it is held', async () => {
    const node = await newNode(...blueBridge);
    const before = await node.snapshot();
    await NodeAgent.prepare(node, inOwnVrf);
    await node.does(ovnUplinks(...nodeCommand('worker-a'), '--once', '--listen', 'none'));
    const held = { ...inOwnVrf, networkAttachmentDefinitions: [] };
    await NodeAgent.save(node, held);
    const agent = await NodeAgent.start(node);
    await agent.until([], 'uplink-0', 'reason: NetworkNotAllocated');
    await agent.stop();
    expect((await node.snapshot()).links.find(({ name }) => name === 'br-blue')?.master).to.equal('blue');
    await node.does(ovnUplinks('node', '--cleanup', '--listen', 'none'));
    expect(leftovers(before, await node.snapshot())).to.deep.equal([]);
  });
});

describe('a node', () => {
  const { newAgent } = agentFixture();

  it('has one agent: a second one reports the first', async () => {
    const agent = await newAgent(withoutNetwork, []);
    await agent.untilLogged('reconciling the node');
    const second = await agent.node.run(ovnUplinks('node', '--manifests', '/run/manifests', '--listen', 'none'));
    expect(second.exitCode).to.equal(1);
    expect(second.stderr).to.match(/^error: the agent with process id \d+ runs on this node already/);
    await agent.stop('SIGKILL');
    const next = await NodeAgent.start(agent.node);
    await next.untilLogged('reconciling the node');
    expect((await next.log()).split('reconciling the node'), 'starts in the log').to.have.length(3);
    await next.stop('SIGKILL');
    const third = await agent.node.run(ovnUplinks('node', '--cleanup', '--listen', 'none'));
    expect(third.exitCode, third.stderr).to.equal(0);
  });
});
