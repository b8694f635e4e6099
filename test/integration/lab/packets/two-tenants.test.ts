import { expect } from 'chai';
import type { LabNode } from '../node.ts';
import { ip } from '../commands.ts';
import { type Client, datagramsOf, expectAnswers, podsAndHosts, summary, wordsOf } from './clients.ts';
import { WireCapture } from './capture.ts';
import { exchange } from './exchange.ts';
import { expectNoLoops } from './loops.ts';
import { podAddresses, podNamespace } from './own-half.ts';
import { carrying, preparedNode } from './packet-node.ts';
import { providerNamespace } from './provider.ts';
import { blue, common, red } from './tenant.ts';

const tenants = [blue, red];
const clients = podsAndHosts(tenants);

/** Subnets of services. */
const SERVICES = ['10.96.0.0/16', 'fd00:10:96::/112'] as const;

describe('two tenants with the same addresses', () => {
  let node: LabNode;
  let wires: Readonly<Record<string, WireCapture>>;

  before(async () => {
    node = await preparedNode(tenants);
    const started = tenants.map(async ({ name, uplink }) => [
      name,
      await WireCapture.start(node, providerNamespace(uplink)),
    ]);
    wires = Object.fromEntries(await Promise.all(started)) as Record<string, WireCapture>;
    await carrying(
      node,
      tenants,
      undefined,
      SERVICES.flatMap((subnet) => ['--service-cidr', subnet]),
    );
  });
  after(() => node.end());

  it('have TCP connections of pods and hosts answered by their own providers', () =>
    expectAnswers(node, clients, { protocol: 'tcp', rounds: 50 }));
  it('have UDP of pods and hosts answered by their own providers', () =>
    expectAnswers(node, clients, { protocol: 'udp', ownPorts: true, rounds: 700 }));
  it('have echo requests answered', () => expectAnswers(node, clients, { protocol: 'icmp', rounds: 100 }));
  it('exchange datagrams in fragments', () =>
    expectAnswers(node, clients, { protocol: 'udp', size: 4000, rounds: 10 }));
  it('use one source port in all pods and hosts at the same time', () =>
    expectAnswers(node, clients, { protocol: 'tcp', sourcePort: 43_000, rounds: 3 }));

  it('have their pods reached from outside by their own addresses', async () => {
    const cases = tenants.flatMap((tenant) => podAddresses.map((to, family) => ({ tenant, to, family })));
    const answers = await exchange(
      node,
      cases.map(({ tenant, to }) => ({ from: providerNamespace(tenant.uplink), protocol: 'tcp', to, rounds: 10 })),
    );
    const seen = answers.map(({ answers: counts }) =>
      Object.keys(counts).map((answer) => answer.split(' ').slice(0, 2)),
    );
    expect(seen).to.deep.equal(cases.map(({ tenant, family }) => [[podNamespace(tenant), common.gateways[family]]]));
  });

  it('have packets for addresses that no node has dropped at once', () =>
    expectNoLoops(node, tenants.map(podNamespace)));

  it('have their pods seen by other nodes with the address of their uplink', async () => {
    const cases = tenants.flatMap((tenant) => common.otherNode.map((to, family) => ({ tenant, to, family })));
    const answers = await exchange(
      node,
      cases.map(({ tenant, to }) => ({ from: podNamespace(tenant), protocol: 'tcp', to, rounds: 10 })),
    );
    expect(answers.map(summary)).to.deep.equal(
      cases.map(({ tenant, family }) => ({
        answers: { [`${providerNamespace(tenant.uplink)} ${common.uplink[family]!}`]: 10 },
        lost: 0,
      })),
    );
  });

  it('have a pod and the host of the other tenant use one tuple towards other nodes at the same time', async () => {
    const [bluePod, redPod, blueHost, redHost] = clients as [Client, Client, Client, Client];
    // A tuple that was used before is still tracked.
    const pairs = [
      { sourcePort: 701, pair: [bluePod, redHost] },
      { sourcePort: 702, pair: [redPod, blueHost] },
    ];
    for (const { sourcePort, pair } of pairs) {
      const cases = pair.flatMap((client) => common.otherNode.map((to, family) => ({ client, to, family })));
      const answers = await exchange(
        node,
        cases.map(({ client, to }) => ({ ...wordsOf(client), protocol: 'tcp', sourcePort, to, rounds: 3 })),
      );
      expect(answers).to.deep.equal(
        cases.map(({ client: { tenant }, family }) => ({
          answers: { [`${providerNamespace(tenant.uplink)} ${common.uplink[family]!} ${sourcePort}`]: 3 },
          lost: 0,
        })),
      );
    }
  });

  it('have processes in their VRFs that reach no service', async () => {
    for (const { name } of tenants) {
      for (const to of ['10.96.0.10', 'fd00:10:96::10']) {
        const { stdout } = await node.run(['ping', '-n', '-c', '3', '-i', '0.2', '-w', '1', '-I', name, to]);
        expect(stdout, `${name} to ${to}`).to.include(', 0 received, 100% packet loss');
      }
    }
  });

  it('have sent nothing on the other wire, and nothing about masquerade addresses on either', async () => {
    for (const wire of Object.values(wires)) await wire.stop();
    for (const tenant of tenants) {
      const packets = async (filter: string) => await wires[tenant.name]!.packets(filter);
      expect(await packets(datagramsOf(clients, (client) => client.tenant === tenant))).to.have.length(5600);
      expect(await packets(datagramsOf(clients, (client) => client.tenant !== tenant))).to.deep.equal([]);
      expect(await packets('net 169.254.0.0/17 or net fd69::/112')).to.deep.equal([]);
      expect(await packets(SERVICES.map((subnet) => `net ${subnet}`).join(' or '))).to.deep.equal([]);
      // The target of a solicitation or advertisement is at byte 8 of the message.
      expect(await packets('icmp6 and ip6[40] >= 135 and ip6[48:4] == 0xfd690000')).to.deep.equal([]);
    }
  });

  it('have their pods answer other nodes from their own addresses', async () => {
    const cases = tenants.flatMap((tenant) => podAddresses.map((to, family) => ({ tenant, to, family })));
    for (const { tenant, family } of cases) {
      const [subnet, via, source] = [common.nodeSubnets, common.uplink, common.otherNode].map((each) => each[family]!);
      await node.does(ip`-n ${providerNamespace(tenant.uplink)} route replace ${subnet!} via ${via!} src ${source!}`);
    }
    const answers = await exchange(
      node,
      cases.map(({ tenant, to }) => ({ from: providerNamespace(tenant.uplink), protocol: 'tcp', to, rounds: 10 })),
    );
    expect(answers.map(summary)).to.deep.equal(
      cases.map(({ tenant, family }) => ({
        answers: { [`${podNamespace(tenant)} ${common.otherNode[family]!}`]: 10 },
        lost: 0,
      })),
    );
  });
});
