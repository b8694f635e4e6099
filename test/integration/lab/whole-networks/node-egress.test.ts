import { expect } from 'chai';
import { eventually } from '../../../unit/adapters/processes.ts';
import type { LabNode } from '../node.ts';
import { summary } from '../packets/clients.ts';
import { exchange, startAnswering } from '../packets/exchange.ts';
import { WireCapture } from '../packets/capture.ts';
import { prepare } from '../prepare.ts';
import { connectedPlace, connectPods, startServices } from './default-network.ts';
import { addDeniedPlaces, addRoutesByPrimary, deniedFor, type DeniedPlaces, questionsTo } from './denied-places.ts';
import { namespaceOf, type StartedPod } from './lab-pod.ts';
import { expectTenantsApart } from './reachability.ts';
import { WholeCluster } from './whole-cluster.ts';
import { connectWorld, defaultRoutes, WAY, wayAddresses, wayOut, WORLD, worldAddresses } from './world.ts';

const places = ['worker-a', 'worker-b'].map(connectedPlace);

/** The tenants, which have the same subnets. */
const tenants = ['blue', 'red'] as const;

const protocols = ['tcp', 'udp', 'icmp'] as const;

describe('pods of two tenants without uplinks, which leave by their nodes, of Debian 12 and 13', () => {
  let cluster: WholeCluster;
  let nodes: readonly LabNode[];
  const pods: StartedPod[] = [];
  const denied: DeniedPlaces[] = [];

  /** The pods of a node. */
  const podsOn = (node: LabNode) => pods.filter((pod) => pod.node === node);

  /** The destinations that pods of a node must not reach, by its number. */
  const deniedOn = (number: number) =>
    deniedFor(places[number]!, number, places[1 - number]!, [denied[number]!, denied[1 - number]!]);

  /** Names of the destinations that the pods of all nodes reach though they must not. */
  async function reachedOfDenied(): Promise<readonly string[]> {
    const found = await Promise.all(
      nodes.map(async (node, number) => {
        const destinations = deniedOn(number);
        const questions = podsOn(node).flatMap((pod) => questionsTo(pod, destinations));
        const answers = await exchange(
          node,
          questions.map(({ asked }) => ({ ...asked, unanswered: true })),
        );
        const reached = answers.map(({ answers: each }) => Object.keys(each).length > 0);
        return podsOn(node).flatMap((pod, place) =>
          destinations.flatMap(({ name }, index) =>
            reached[place * destinations.length + index] === true ? [`${pod.namespace} on ${node.name}: ${name}`] : [],
          ),
        );
      }),
    );
    return found.flat();
  }

  /** Expects that the pods of a node reach the world, which sees the address of the node. @param number of the node */
  async function expectLeaving(
    node: LabNode,
    number: number,
    protocol: (typeof protocols)[number],
    rounds = 20,
  ): Promise<void> {
    const asked = podsOn(node).flatMap((pod) =>
      worldAddresses.map((to) => ({ from: namespaceOf(pod), to, protocol, rounds })),
    );
    const found = await exchange(node, asked);
    const answer = (family: number) =>
      protocol === 'icmp' ? 'reply' : `${WORLD} ${wayAddresses(number)[family] ?? ''}`;
    expect(asked.map((each, index) => [each, summary(found[index]!)])).to.deep.equal(
      asked.map((each, index) => [each, { answers: { [answer(index % 2)]: rounds }, lost: 0 }]),
    );
  }

  before(async () => {
    // By the second device, nodes reach each other: without the filter, pods would too.
    cluster = await WholeCluster.start({}, '--egress=node', '--egress-devices=vec0');
    // Zones of both releases of OVN.
    const options = [{}, { userland: 'debian-13' as const }];
    nodes = await Promise.all(places.map((place, number) => cluster.startNode(place, options[number])));
    for (const [number, node] of nodes.entries()) {
      await connectPods(node, places);
      await startServices(node);
      await connectWorld(node, number);
      denied.push(await addDeniedPlaces(node));
    }
    await cluster.register(...places);
    for (const node of nodes) await cluster.startAgent(node);
    cluster.createTenants(tenants);
    await cluster.untilReady(tenants, nodes);
    for (const node of nodes) for (const tenant of tenants) pods.push(await cluster.newPod(node, tenant, node.name));
    for (const [number, node] of nodes.entries()) {
      await startAnswering(node, podsOn(node).map(namespaceOf));
      for (const pod of podsOn(node)) await addRoutesByPrimary(pod, deniedOn(number));
    }
  });
  after(() => cluster.stop());

  for (const protocol of protocols) {
    it(`reach the world by their own nodes, with the addresses of these, by ${protocol} in both families`, async () => {
      for (const [number, node] of nodes.entries()) await expectLeaving(node, number, protocol);
    });
  }

  it('reach nothing of the nodes and of the default network, whatever routes a tenant adds to them', async () => {
    expect(await reachedOfDenied()).to.deep.equal([]);
  });

  it('would reach that without the filter, which the agent restores', async () => {
    for (const node of nodes) {
      await cluster.agentOf(node).stop();
      await node.does(
        ...['prerouting', 'forward', 'last'].map((chain) => ['nft', `flush chain inet ovn-uplinks-egress ${chain}`]),
        ['/bin/busybox', 'sysctl', '-w', 'net.ipv4.tcp_l3mdev_accept=1'],
      );
    }
    // OVN alone drops the two others.
    const reached = (number: number) =>
      deniedOn(number)
        .map(({ name }) => name)
        .filter((name) => name !== 'metadata' && name !== 'a Service of the default network');
    expect(await reachedOfDenied()).to.deep.equal(
      nodes.flatMap((node, number) =>
        podsOn(node).flatMap((pod) => reached(number).map((name) => `${pod.namespace} on ${node.name}: ${name}`)),
      ),
    );
    for (const node of nodes) await cluster.restartAgent(node);
    await eventually('nothing is reached', async () => (await reachedOfDenied()).length === 0);
  });

  it('leave and are filtered again at once where another program removes all tables', async () => {
    for (const node of nodes) await node.does(['nft', 'flush ruleset']);
    await eventually('the filter is there', async () => {
      const listings = await Promise.all(nodes.map((node) => node.does(['nft', 'list tables'])));
      return listings.every((listing) => listing.includes('inet ovn-uplinks-egress'));
    });
    for (const [number, node] of nodes.entries()) await expectLeaving(node, number, 'udp', 1);
    expect(await reachedOfDenied()).to.deep.equal([]);
  });

  it('reach each other over the nodes with their own addresses, and none of the other tenant', async () => {
    for (const node of nodes) await expectTenantsApart(node, pods);
  });

  it('leave by another device as soon as the default routes of the node lead there', async () => {
    const [node] = nodes as [LabNode];
    const [pod] = podsOn(node) as [StartedPod];
    const addresses = ['192.0.2.21', '2001:db8:b::21'];
    await prepare(node, wayOut('second', 'other-world', addresses));
    await startAnswering(node, ['other-world']);
    await node.does(...defaultRoutes('second'));
    const asked = worldAddresses.map((to) => ({
      from: namespaceOf(pod),
      to,
      protocol: 'udp' as const,
      unanswered: true,
    }));
    await eventually('they leave by it', async () => {
      const found = await exchange(node, asked);
      return found.every((each, family) => summary(each).answers[`other-world ${addresses[family]}`] === 1);
    });
    await node.does(...defaultRoutes(WAY));
  });

  it('leave no more, and nothing of it is left, once they are not to; no packet with their addresses, or those of networks, is on a wire meanwhile', async () => {
    const wires = await Promise.all(
      nodes.flatMap((node) => [WAY, 'vec0'].map((device) => WireCapture.startAtNode(node, device))),
    );
    const pings = await Promise.all(
      pods.flatMap(({ node, ...pod }) =>
        worldAddresses.map((to, family) => {
          const ping = ['ping', '-n', '-q', '-i', '0.01', '-w', '30', to];
          return node.start(
            ['ip', 'netns', 'exec', namespaceOf(pod), ...ping],
            `/run/ping-${namespaceOf(pod)}-${family}`,
          );
        }),
      ),
    );
    for (const node of nodes) {
      await cluster.agentOf(node).stop();
      await cluster.restartAgent(node, '--egress=none');
    }
    await eventually('nothing is left', async () => {
      const found = await Promise.all(nodes.map((node) => node.snapshot()));
      return found.every(
        ({ filterTables, rules, northbound }) =>
          filterTables.length === 0 &&
          rules.every(({ others }) => others['src'] === undefined && others['dst'] === undefined) &&
          northbound.every(({ table }) => table !== 'Gateway_Chassis' && table !== 'NAT'),
      );
    });
    await Promise.all(pings.map((ping) => ping.signal('SIGKILL')));
    await Promise.all(wires.map((wire) => wire.stop()));
    const ofNetworks = 'net 10.20.0.0/16 or net 169.254.0.0/17 or net fd20::/48 or net fd69::/112';
    expect((await Promise.all(wires.map((wire) => wire.packets(ofNetworks)))).flat()).to.deep.equal([]);
    expect((await Promise.all(wires.map((wire) => wire.packets('icmp or icmp6')))).flat().length).to.be.above(100);
    for (const node of nodes) await expectTenantsApart(node, pods);
  });
});
