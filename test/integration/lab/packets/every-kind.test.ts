/**
 * Networks of every kind on one node, with the Open vSwitch and the OVN of Debian 13: each kind of row is there, and carries each kind of packet. What
 * else these networks do is tested on one userland.
 */
import { expect } from 'chai';
import { type NodeAgent, ovnUplinks } from '../agent/node-agent.ts';
import { ip } from '../commands.ts';
import type { LabNode } from '../node.ts';
import { prepare } from '../prepare.ts';
import { sharedMachine } from '../shared-machine.ts';
import { datapathState } from './bridge-state.ts';
import { expectAnswers, podsAndHosts, summary } from './clients.ts';
import { exchange, startAnswering } from './exchange.ts';
import { expectNoLoops } from './loops.ts';
import { managementPortInVrf, podAddressesOf, podNamespace } from './own-half.ts';
import { carrying, NORTHBOUND, preparedNode } from './packet-node.ts';
import { providerNamespace } from './provider.ts';
import { addressesOf, blue, common, type LabUplink, nodeSubnetsOf, type Tenant } from './tenant.ts';

/** An uplink whose provider reaches pods of a Layer2 network on whichever node they are. */
const layer2Uplink = (name: string, macAddress: string): LabUplink => ({
  name,
  macAddress,
  nodeSubnets: common.clusterSubnets,
});

/** In the default routing domain, with an address of its own: pods of the node reach it. */
const green: Tenant = {
  name: 'green',
  networkId: 2,
  uplink: { name: 'green', macAddress: '02:00:00:00:02:06', addresses: ['192.0.2.7', '2001:db8:b::7'] },
};

/** In the default routing domain, in a VLAN of a bridge each. */
const vlans = [10, 20].map((vlan, index): Tenant => ({
  name: `vlan${vlan}`,
  networkId: 3 + index,
  uplink: { name: `v${vlan}`, macAddress: `02:00:00:00:${vlan}:06`, access: { bridge: 'br-vlans', vlan } },
}));

const behindTransitRouter: Tenant = {
  name: 'amber',
  networkId: 5,
  layer2: 'transit-router',
  targetVRF: 'auto',
  uplink: layer2Uplink('amber', '02:00:00:00:05:06'),
};

const onOneSwitch: Tenant = {
  name: 'violet',
  networkId: 6,
  layer2: 'switch',
  targetVRF: 'auto',
  uplink: layer2Uplink('violet', '02:00:00:00:06:06'),
};

const tenants = [blue, green, ...vlans, behindTransitRouter, onOneSwitch];
const clients = podsAndHosts(tenants);

/** Tenants whose pods keep their addresses. */
const advertised = tenants.filter(({ targetVRF }) => targetVRF !== undefined);

/** The name of the node's own network namespace, in which the host answers. */
const HOST = 'host';

/** A packet in each direction, of a network whose pods keep their addresses and of one whose pods do not. */
const traces: readonly (readonly string[])[] = [
  ['blue', `udp ${common.outside[0]}:40000 > ${podAddressesOf(blue)[0]}:53`],
  ['blue', `tcp ${podAddressesOf(blue)[0]}:40000 > ${common.otherNode[0]}:443`],
  ['green', `tcp [${podAddressesOf(green)[1]}]:40000 > [${common.outside[1]}]:443`],
];

describe('networks of every kind on one node, on Debian 13', () => {
  let node: LabNode;
  let agent: NodeAgent;
  let untouched: readonly string[];
  before(async () => {
    node = await preparedNode(tenants, () => sharedMachine('debian-13'));
    untouched = await datapathState(node, tenants);
    ({ agent } = await carrying(node, tenants));
  });
  after(() => node.end());

  const run = (...words: readonly string[]) =>
    node.run(ovnUplinks(...words, '--manifests', '/run/manifests', '--local', '--ovn-northbound', NORTHBOUND));

  for (const protocol of ['tcp', 'udp', 'icmp'] as const) {
    it(`have pods and hosts answered by their own providers by ${protocol} in both families`, () =>
      expectAnswers(node, clients, { protocol, rounds: 20 }));
  }
  it('exchange datagrams in fragments', () => expectAnswers(node, clients, { protocol: 'udp', size: 4000, rounds: 5 }));
  it('use one source port in all pods and hosts at the same time', () =>
    expectAnswers(node, clients, { protocol: 'tcp', sourcePort: 43_000, rounds: 3 }));

  it('have advertised pods reached from outside by their own addresses', async () => {
    const cases = advertised.flatMap((tenant) => podAddressesOf(tenant).map((to) => ({ tenant, to })));
    const answers = await exchange(
      node,
      cases.map(({ tenant, to }) => ({ from: providerNamespace(tenant.uplink), protocol: 'tcp', to, rounds: 3 })),
    );
    const seen = answers.map(({ answers: counts }) =>
      Object.keys(counts).map((answer) => answer.split(' ').slice(0, 2)),
    );
    expect(seen).to.deep.equal(
      cases.map(({ tenant }, index) => [[podNamespace(tenant), common.gateways[index % common.gateways.length]]]),
    );
  });

  it('have packets for addresses that no node has dropped at once', () =>
    expectNoLoops(node, [blue, green].map(podNamespace)));

  it('have advertised pods of Layer3 seen by other nodes with the address of their uplink', async () => {
    const answers = await exchange(
      node,
      common.otherNode.map((to) => ({ from: podNamespace(blue), protocol: 'tcp', to, rounds: 3 })),
    );
    expect(answers.map(summary)).to.deep.equal(
      common.uplink.map((address) => ({ answers: { [`${providerNamespace(blue.uplink)} ${address}`]: 3 }, lost: 0 })),
    );
  });

  for (const [network = '', packet = ''] of traces) {
    it(`trace of ${packet} of ${network}: the switch does the same`, async () => {
      const { stdout, stderr, exitCode } = await run('trace', network, 'worker-a', packet, '--check');
      expect(exitCode, `${stdout}\n${stderr}`).to.equal(0);
      expect(stdout).to.include('the switch does the same').and.not.include('assumed');
    });
  }

  it('have their packets counted by flows, and a capture that leaves nothing to do', async () => {
    const { stdout, stderr } = await run('flows', 'worker-a', '--output', 'json');
    const flows = JSON.parse(stdout) as Record<string, { why: string; packets: number | null }[]>;
    const counted = (bridge: string, why: string) =>
      (flows[bridge] ?? []).filter((flow) => flow.why.startsWith(why)).map(({ packets }) => packets ?? 0);
    expect(Math.max(...counted('br-green', 'egress leaves')), stderr).to.be.at.least(1);
    expect(Math.max(...counted('br-blue', 'pods keep their addresses'))).to.be.at.least(1);
    await node.does(ovnUplinks('capture', '--out', '/run/captured', '--ovn-northbound', NORTHBOUND));
    const inputs = ['--cluster', '/run/manifests/cluster.yaml', '--host', 'worker-a=/run/captured'];
    const planned = await node.run(ovnUplinks('plan', ...inputs));
    expect(planned.stdout, planned.stderr).to.include('Nothing to do on worker-a.');
  });

  it('reach the address of the node on their own uplink', async () => {
    await prepare(node, [
      ...[blue, green].flatMap(managementPortInVrf),
      // Sockets of the host that are bound to nothing answer connections that come in by a VRF.
      ['sysctl', '--quiet', 'net.ipv4.tcp_l3mdev_accept=1'],
      ip`netns attach ${HOST} 1`,
    ]);
    await startAnswering(node, [HOST]);
    const cases = [blue, green].flatMap((tenant) => addressesOf(tenant.uplink).map((to) => ({ tenant, to })));
    const answers = await exchange(
      node,
      cases.map(({ tenant, to }) => ({ from: podNamespace(tenant), protocol: 'tcp', to, rounds: 3 })),
    );
    expect(answers.map(summary)).to.deep.equal(
      cases.map(({ tenant }, index) => ({ answers: { [`${HOST} ${podAddressesOf(tenant)[index % 2]}`]: 3 }, lost: 0 })),
    );
  });

  it('report the MTU of pods to senders that exceed it', async () => {
    const receivers = [blue, green];
    for (const { uplink } of receivers) {
      const namespace = providerNamespace(uplink);
      // The provider does not know it any more.
      const routes = nodeSubnetsOf(uplink).map(
        (subnet, index) => ip`-n ${namespace} route replace ${subnet} via ${addressesOf(uplink)[index]!}`,
      );
      await node.does(...routes, ...addressesOf(uplink).map((to) => ip`-n ${namespace} route delete ${to}`));
    }
    // The first answer is too long for the pod. The provider is told, and sends the next ones in fragments.
    const exchanges = receivers.flatMap((tenant) =>
      common.outside.map((to) => ({ from: podNamespace(tenant), protocol: 'udp', to, size: 1440, rounds: 3 }) as const),
    );
    const answers = await exchange(node, exchanges);
    expect(answers.map(({ answers: counts, lost }) => [Object.values(counts), lost])).to.deep.equal(
      exchanges.map(() => [[2], 1]),
    );
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
