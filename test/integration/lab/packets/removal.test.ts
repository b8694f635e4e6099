import { expect } from 'chai';
import { NodeAgent, ovnUplinks, readyNetwork, unreadyNetwork } from '../agent/node-agent.ts';
import type { LabNode } from '../node.ts';
import { expectAnswers, podsAndHosts } from './clients.ts';
import { datapathState } from './bridge-state.ts';
import { carrying, preparedNode } from './packet-node.ts';
import { blue, bridgeOf, clusterWith, red } from './tenant.ts';

const tenants = [blue, red];

/** Packets by flow of a bridge; without those that end by themselves. */
async function packetsByFlow(node: LabNode, bridge: string): Promise<ReadonlyMap<string, number>> {
  const printed = await node.does(['ovs-ofctl', '-O', 'OpenFlow14', 'dump-flows', bridge]);
  const flows = printed.split('\n').flatMap((line) => {
    const [, before, packets, after] = /^(.*)duration=.*n_packets=(\d+), n_bytes=\d+, (.*)$/.exec(line) ?? [];
    return packets === undefined || line.includes('timeout=') ? [] : [[`${before}${after}`, Number(packets)] as const];
  });
  return new Map(flows);
}

describe('tenants that are removed', () => {
  let node: LabNode;
  let agent: NodeAgent;
  let untouched: readonly string[];
  before(async () => {
    node = await preparedNode(tenants);
    untouched = await datapathState(node, tenants);
    ({ agent } = await carrying(node, tenants));
  });
  after(() => node.end());

  it('one by one do not disturb packets of the others or the counters of their flows', async () => {
    const counted = await packetsByFlow(node, bridgeOf(red.uplink));
    const cluster = clusterWith(tenants);
    const isRed = ({ metadata }: { readonly metadata: { readonly name: string } }) => metadata.name === red.name;
    const withoutBlue = {
      ...cluster,
      clusterUserDefinedNetworks: cluster.clusterUserDefinedNetworks.filter(isRed),
      routeAdvertisements: cluster.routeAdvertisements.filter(isRed),
    };
    await Promise.all([
      expectAnswers(node, [{ tenant: red, kind: 'pod' }], { protocol: 'udp', rounds: 3000 }),
      NodeAgent.save(node, withoutBlue).then(() => agent.untilForgotten(blue.name)),
    ]);
    const later = await packetsByFlow(node, bridgeOf(red.uplink));
    const total = (flows: ReadonlyMap<string, number>) =>
      [...flows.values()].reduce((sum, packets) => sum + packets, 0);
    expect([...later.keys()]).to.deep.equal([...counted.keys()]);
    expect([...counted].filter(([flow, packets]) => (later.get(flow) ?? 0) < packets)).to.deep.equal([]);
    // In each family, there and back.
    expect(total(later) - total(counted)).to.be.at.least(4 * 3000);
  });

  it('come back once another program has deleted its router of the same name; meanwhile the others carry packets', async () => {
    const router = `GR_cluster_udn_${blue.name}_${node.name}`;
    await node.does(['ovn-nbctl', 'lr-add', router]);
    await NodeAgent.save(node, clusterWith(tenants));
    await agent.until([], 'uplink-0', unreadyNetwork(blue.name, 'GatewayRouterFailed'));
    expect(await agent.node.read('/run/manifests/status/UplinkState/uplink-0.worker-a.yaml')).to.include(
      `Logical_Router ${router}`,
    );
    await expectAnswers(node, [{ tenant: red, kind: 'pod' }], { protocol: 'udp', rounds: 10 });
    await agent.until([['ovn-nbctl', 'lr-del', router]], 'uplink-0', readyNetwork(blue.name));
    await expectAnswers(node, podsAndHosts(tenants), { protocol: 'icmp', rounds: 2 });
  });

  it('leave bridges and databases as they were, row for row', async () => {
    await agent.stop();
    await node.does(ovnUplinks('node', '--node', node.name, '--cleanup', '--listen', 'none'));
    const left = await datapathState(node, tenants);
    expect({
      gone: untouched.filter((line) => !left.includes(line)),
      new: left.filter((line) => !untouched.includes(line)),
    }).to.deep.equal({ gone: [], new: [] });
  });
});
