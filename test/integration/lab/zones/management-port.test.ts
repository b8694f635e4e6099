import { resolve } from 'node:path';
import { expect } from 'chai';
import type { NodeSnapshot } from '../../../../src/domain/index.ts';
import { NodeAgent } from '../agent/node-agent.ts';
import { ovsVsctl } from '../commands.ts';
import type { LabNode } from '../node.ts';
import { summary } from '../packets/clients.ts';
import { type Exchange, exchange, startAnswering } from '../packets/exchange.ts';
import { podAddresses, podNamespace } from '../packets/own-half.ts';
import { providerNamespace } from '../packets/provider.ts';
import { addressesOf, blue, common, red, type Tenant } from '../packets/tenant.ts';
import { prepare } from '../prepare.ts';
import { sharedMachine } from '../shared-machine.ts';
import { providedCluster, providedNode } from './provided-node.ts';

/** With the same subnets and addresses: only their VRFs tell them apart. */
const tenants = [blue, red];

/** The host's addresses on the management ports: the second ones of the subnets of the node's pods. */
const managementAddresses = ['10.20.1.2', 'fd20:0:0:1::2'];

/** The name of the node's own network namespace, in which the host answers. */
const HOST = 'host';

const protocols = ['tcp', 'udp', 'icmp'] as const;

/** Names of the devices that are there for provided networks. */
const devicesOf = ({ links }: NodeSnapshot) =>
  links
    .filter(({ name, kind }) => kind === 'vrf' || name.startsWith('ovn-k8s-mp'))
    .map(({ name, master = '' }) => `${name} ${master}`.trim())
    .sort();

describe('two provided networks with the same subnets, each with an uplink in its VRF', () => {
  let node: LabNode;
  let agent: NodeAgent;
  before(async () => {
    ({ node, agent } = await providedNode(tenants, await sharedMachine()));
    await prepare(node, [
      // Sockets of the host that are bound to nothing answer connections that come in by a VRF.
      ['sysctl', '--quiet', 'net.ipv4.tcp_l3mdev_accept=1'],
      // Packets have to come in where answers leave.
      ['sysctl', '--quiet', 'net.ipv4.conf.all.rp_filter=1'],
    ]);
    await prepare(node, [['ip', 'netns', 'attach', HOST, '1']]);
    await startAnswering(node, [HOST, ...tenants.map(podNamespace)]);
  });
  after(() => node.end());

  /** Checks that each of some questions has the answer that is expected. */
  async function expectAnswered(cases: readonly { readonly asked: Exchange; readonly answer: string }[]) {
    const found = await exchange(
      node,
      cases.map(({ asked }) => asked),
    );
    expect(cases.map(({ asked }, index) => [asked, summary(found[index]!)])).to.deep.equal(
      cases.map(({ asked, answer }) => [asked, { answers: { [answer]: 1 }, lost: 0 }]),
    );
  }

  const everyCase = (
    make: (tenant: Tenant, family: number, protocol: (typeof protocols)[number]) => Exchange,
    answer: (tenant: Tenant, family: number) => string,
  ) =>
    tenants.flatMap((tenant) =>
      [0, 1].flatMap((family) =>
        protocols.map((protocol) => ({
          asked: make(tenant, family, protocol),
          answer: protocol === 'icmp' ? 'reply' : answer(tenant, family),
        })),
      ),
    );

  const fromHost = () =>
    everyCase(
      ({ name }, family, protocol) => ({ device: name, protocol, to: podAddresses[family]! }),
      (tenant, family) => `${podNamespace(tenant)} ${managementAddresses[family]!}`,
    );

  it('have their management ports in their VRFs', async () => {
    expect(devicesOf(await node.snapshot())).to.deep.equal(['blue', 'ovn-k8s-mp1 blue', 'ovn-k8s-mp2 red', 'red']);
  });

  it('have pods that the host reaches from the VRF, each network its own', async () => {
    await expectAnswered(fromHost());
  });

  it('have pods that reach the outside by their own uplink', async () => {
    await expectAnswered(
      everyCase(
        (tenant, family, protocol) => ({ from: podNamespace(tenant), protocol, to: common.outside[family]! }),
        ({ uplink }, family) => `${providerNamespace(uplink)} ${podAddresses[family]!}`,
      ),
    );
  });

  it('have pods that reach the address of the node on their uplink, and on the management port', async () => {
    const ask = (tenant: Tenant, protocol: 'tcp' | 'icmp', to: string, family: number) => ({
      asked: { from: podNamespace(tenant), protocol, to },
      answer: protocol === 'icmp' ? 'reply' : `${HOST} ${podAddresses[family]!}`,
    });
    await expectAnswered(
      tenants.flatMap((tenant) =>
        [addressesOf(tenant.uplink), managementAddresses].flatMap((addresses) =>
          addresses.flatMap((to, family) => [ask(tenant, 'tcp', to, family), ask(tenant, 'icmp', to, family)]),
        ),
      ),
    );
  });

  it('do not have the host forward what pods send to the management port', async () => {
    const [to] = common.outside;
    const inPod = podNamespace(blue);
    const asks = async () =>
      (await node.run(['ip', 'netns', 'exec', inPod, 'ping', '-c', '3', '-i', '0.2', '-W', '1', to])).exitCode;
    expect(await asks(), 'by the router').to.equal(0);
    await node.does(['ip', '-n', inPod, 'route', 'add', to, 'via', managementAddresses[0]!]);
    expect(await asks(), 'by the management port').to.equal(1);
    await node.does(['ip', '-n', inPod, 'route', 'delete', to]);
    expect(await asks(), 'by the router again').to.equal(0);
  });

  it('take no routes from router advertisements of pods, though new devices of the node do', async () => {
    await node.does(['sysctl', '--quiet', 'net.ipv6.conf.default.accept_ra=2'], ovsVsctl`del-port ovn-k8s-mp1`);
    await untilReached();
    await node.does([
      ...['ip', 'netns', 'exec', podNamespace(blue), resolve(import.meta.dirname, '../inside/advertise.py'), 'eth0'],
    ]);
    // Its answer comes after the advertisement has arrived.
    const asked: Exchange = { from: podNamespace(blue), protocol: 'icmp', to: managementAddresses[1]! };
    await expectAnswered([{ asked, answer: 'reply' }]);
    expect(await node.does(['ip', '-6', 'route', 'show', 'table', 'all', 'proto', 'ra'])).to.equal('');
  });

  /** Waits until the host reaches all pods, as the agent repairs what was done. */
  async function untilReached(deadline = 60_000): Promise<void> {
    const end = performance.now() + deadline;
    for (;;) {
      const found = await exchange(
        node,
        fromHost().map(({ asked }) => asked),
      );
      // Without a route, nothing is sent, and so nothing is lost.
      if (found.every(({ answers, lost }) => lost === 0 && Object.keys(answers).length > 0)) break;
      if (performance.now() > end) throw new Error(`not reached: ${JSON.stringify(found)}`);
    }
    await expectAnswered(fromHost());
  }

  it('are as before after somebody deletes a management port, sets one down, or takes it out of its VRF', async () => {
    for (const words of [
      ovsVsctl`del-port ovn-k8s-mp1`,
      ['ip', 'link', 'set', 'dev', 'ovn-k8s-mp2', 'down'],
      ['ip', 'link', 'set', 'dev', 'ovn-k8s-mp2', 'nomaster'],
      ['ip', 'link', 'delete', 'dev', 'blue'],
    ]) {
      await node.does(words);
      await untilReached();
    }
  });

  it('leave nothing of a network that is deleted, and the other as it is', async () => {
    await NodeAgent.save(node, providedCluster([red], tenants));
    await agent.untilLogged('"msg":"- VRF blue"');
    expect(devicesOf(await node.snapshot())).to.deep.equal(['ovn-k8s-mp2 red', 'red']);
    await expectAnswered(fromHost().filter(({ asked }) => asked.device === 'red'));
  });
});
