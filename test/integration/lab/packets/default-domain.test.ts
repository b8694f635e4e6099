import { resolve } from 'node:path';
import { expect } from 'chai';
import type { NodeAgent } from '../agent/node-agent.ts';
import { ip } from '../commands.ts';
import { eventually } from '../../../unit/adapters/processes.ts';
import type { LabNode } from '../node.ts';
import { expectAnswers, podsAndHosts } from './clients.ts';
import { exchange } from './exchange.ts';
import { podNamespace } from './own-half.ts';
import { carrying, preparedNode } from './packet-node.ts';
import { providerNamespace } from './provider.ts';
import type { Tenant } from './tenant.ts';

const uplink = { name: 'shared', macAddress: '02:00:00:00:09:06' };
const tenants = ['amber', 'green', 'violet'].map((name, index): Tenant => ({ name, networkId: index + 1, uplink }));
const clients = podsAndHosts(tenants);

describe('three networks of the default domain on one bridge', () => {
  let node: LabNode;

  let agent: NodeAgent;

  before(async () => {
    node = await preparedNode(tenants);
    ({ agent } = await carrying(node, tenants));
  });
  after(() => node.end());

  it("leave with the uplink's address, as TCP", () => expectAnswers(node, clients, { protocol: 'tcp', rounds: 50 }));
  it("leave with the uplink's address, as UDP", () => expectAnswers(node, clients, { protocol: 'udp', rounds: 200 }));
  it('have echo requests answered', () => expectAnswers(node, clients, { protocol: 'icmp', rounds: 50 }));
  it('exchange datagrams in fragments', () =>
    expectAnswers(node, clients, { protocol: 'udp', size: 4000, rounds: 10 }));
  it('use one source port in all pods and on the host at the same time', () =>
    expectAnswers(node, clients, { protocol: 'tcp', sourcePort: 43_000, rounds: 10 }));

  it('continue to send to a neighbour on the link after ovs-vswitchd has lost its learned flows', async () => {
    const neighbour = '192.0.2.77';
    await node.does(ip`-n ${providerNamespace(uplink)} address add ${neighbour}/24 dev eth0`);
    const pods = tenants.map(podNamespace);
    const lostOf = async (rounds: number) =>
      (
        await exchange(
          node,
          pods.map((from) => ({ from, protocol: 'udp', to: neighbour, rounds }) as const),
        )
      ).map(({ lost }) => lost);
    await lostOf(2);
    await agent.untilLogged(`managed neighbour ${neighbour}.*?\\+ 2 flows on br-shared`);
    const flowsOfOvn = async () => {
      const aggregate = await node.does(['ovs-ofctl', '-O', 'OpenFlow15', 'dump-aggregate', 'br-int']);
      return Number(/flow_count=(\d+)/.exec(aggregate)?.[1]);
    };
    const before = await flowsOfOvn();
    const repaired = '(?:repaired: [^\\n]* flows .*?){2}';
    await agent.untilLogged(repaired, [[resolve(import.meta.dirname, '../inside/restart.py'), 'ovs-vswitchd']]);
    // ovn-controller adds its own flows again some time after it says so.
    await eventually('OVN has its flows', async () => (await flowsOfOvn()) >= before);
    expect(await lostOf(3)).to.deep.equal([0, 0, 0]);
  });
});
