import { expect } from 'chai';
import { eventually } from '../../../unit/adapters/processes.ts';
import { ip } from '../commands.ts';
import { isOfTunnels, stateDifferences, stateOfNode } from '../cluster/node-end-state.ts';
import type { LabNode } from '../node.ts';
import { WireCapture } from '../packets/capture.ts';
import { summary } from '../packets/clients.ts';
import { exchange, startAnswering } from '../packets/exchange.ts';
import { expectNoLoops, NOBODYS } from '../packets/loops.ts';
import { withoutUuids } from '../packets/programmed.ts';
import { SteadyTraffic } from '../packets/steady.ts';
import { prepare } from '../prepare.ts';
import { loggedCommands, tablesOfOthers } from '../services/rules-of-others.ts';
import { serviceObjects } from '../services/service-objects.ts';
import { observed } from '../zones/zone-node.ts';
import { isDeniedByOvn, metadataAddresses } from './denied-places.ts';
import { changeVrfRoutes, sendFrames, sendFromOutside } from './frames.ts';
import { killUnderTraffic } from './killed-while-leaving.ts';
import { namespaceOf, PRIMARY_INTERFACE, type StartedPod } from './lab-pod.ts';
import { inKernel, LeavingCluster } from './leaving-cluster.ts';
import { beginConnections, LeavingTraffic } from './leaving-traffic.ts';
import { expectTenantsApart } from './reachability.ts';
import type { WholeCluster } from './whole-cluster.ts';
import { loseNorthbound } from './whole-node.ts';
import {
  BEYOND,
  beyondAddresses,
  connectBeyond,
  defaultRoutes,
  NARROW_MTU,
  WAY,
  wayAddresses,
  wayOut,
  WORLD,
  worldAddresses,
} from './world.ts';

const protocols = ['tcp', 'udp', 'icmp'] as const;

/** The change of each node at which an agent is killed, among routes, rules and rows; `npm run lab:whole-networks killed` takes all of them. */
const KILLED_AT = [10, 16] as const;

const RESTART = new URL('../inside/restart.py', import.meta.url).pathname;

/** Begins a command that runs in a pod. */
const inPod = (pod: StartedPod) => ['ip', 'netns', 'exec', namespaceOf(pod)];

/** Whether a difference between states of a node is one of interfaces that pods have as long as they are there, or of what ovn-northd has chosen for an empty database. */
const isOfOthers = (difference: string) => /\b(ovu|veth)[0-9a-f]{8,}\b|NB_Global table/.test(difference);

describe('pods of two tenants without uplinks, which leave by their nodes, of Debian 12 and 13, beside kube-proxy', () => {
  let leaving: LeavingCluster;
  let cluster: WholeCluster;
  let nodes: readonly LabNode[];
  let pods: readonly StartedPod[];
  before(async () => {
    leaving = await LeavingCluster.start();
    ({ cluster, nodes, pods } = leaving);
  });
  after(() => leaving.stop());

  for (const protocol of protocols) {
    it(`reach the world by their own nodes, with the addresses of these, by ${protocol} in both families`, async () => {
      for (const node of nodes) await leaving.expectLeaving(node, { protocol, rounds: 20 });
    });
  }

  it('have connections with the world at once although both tenants have one address and port, by TCP and by UDP in both families', async () => {
    for (const node of nodes) {
      const [blue, red] = leaving.podsOn(node) as [StartedPod, StartedPod];
      expect(blue.addresses).to.deep.equal(red.addresses);
      for (const protocol of ['tcp', 'udp'] as const)
        await leaving.expectLeaving(node, { protocol, sourcePort: 7000, rounds: 20 });
    }
  });

  it('begin associations of SCTP with the world, also both tenants from one address and port', async () => {
    for (const node of nodes) await leaving.expectLeaving(node, { protocol: 'sctp', sourcePort: 7 });
  });

  it('exchange datagrams of 5,000 bytes with the world, whose hosts know the way to the node to be narrow in IPv6', async () => {
    for (const [number, node] of nodes.entries()) {
      // Linux sends no error about longer ones into the world (docs/limits.md).
      await node.does(ip`-n ${WORLD} route add ${wayAddresses(number)[1]} dev eth0 mtu ${NARROW_MTU}`);
      await leaving.expectLeaving(node, { protocol: 'udp', size: 5000 });
      await node.does(ip`-n ${WORLD} route delete ${wayAddresses(number)[1]} dev eth0`);
    }
  });

  it('get errors from the world: that a link there is narrow, and that a port is closed', async () => {
    for (const node of nodes) {
      await connectBeyond(node);
      await leaving.expectLeaving(node, { protocol: 'tcp', size: 5000 }, { name: BEYOND, addresses: beyondAddresses });
      for (const pod of leaving.podsOn(node)) {
        const learnt = await Promise.all(
          beyondAddresses.map((address) => node.does(ip`-n ${namespaceOf(pod)} route get ${address}`)),
        );
        for (const route of learnt) expect(route).to.include(`mtu ${NARROW_MTU}`);
      }
      const closed = leaving.questions(node, worldAddresses, { protocol: 'udp', port: 9 });
      const found = await exchange(node, closed);
      expect(found.map(({ error }) => error)).to.deep.equal(closed.map(() => '[Errno 111] Connection refused'));
    }
  });

  it('send nothing with masquerade addresses of networks, their own or others', async () => {
    const [node] = nodes as [LabNode];
    const [pod] = leaving.podsOn(node) as [StartedPod];
    const { ports, sources } = await leaving.filtered(node);
    const forged = [4, 6].map((family) => sources.filter((address) => address.includes(':') === (family === 6)));
    expect(forged.map(({ length }) => length)).to.deep.equal([2, 2]);
    const wires = await Promise.all([...ports, WAY].map((device) => WireCapture.startAtNode(node, device)));
    const ping = (source: string, to: string) =>
      node.run([...inPod(pod), 'ping', '-n', '-q', '-c', '1', '-W', '0.2', '-I', source, to]);
    for (const [family, sources] of forged.entries())
      for (const source of sources) {
        const address = ip`-n ${namespaceOf(pod)} address`;
        await node.does([...address, 'add', source, 'dev', PRIMARY_INTERFACE, ...(family === 0 ? [] : ['nodad'])]);
        await ping(source, worldAddresses[family]!);
        await node.does([...address, 'delete', source, 'dev', PRIMARY_INTERFACE]);
        await ping(pod.addresses[family]!, beyondAddresses[family]!);
      }
    await Promise.all(wires.map((wire) => wire.stop()));
    const to = async (addresses: readonly string[]) =>
      (await Promise.all(wires.map((wire) => wire.packets(addresses.map((each) => `dst ${each}`).join(' or '))))).map(
        ({ length }) => length,
      );
    expect(await to(worldAddresses)).to.deep.equal([0, 0, 0]);
    expect(await to(beyondAddresses)).to.have.members([4, 0, 4]);
  });

  it('send nothing by frames to the management port or to loopback addresses, also where the VRF has routes beyond the node', async () => {
    for (const node of nodes) {
      const [pod] = leaving.podsOn(node) as [StartedPod];
      const { port, table } = await leaving.deviceOf(pod);
      const isSilent = { atPort: 2, beyond: [] };
      expect(await sendFrames(pod, port)).to.deep.equal(isSilent);
      await changeVrfRoutes(node, 'add', table);
      expect(await sendFrames(pod, port)).to.deep.equal(isSilent);
      await changeVrfRoutes(node, 'delete', table);
    }
  });

  it('get nothing from the world by their addresses or by masquerade addresses, their own or others', async () => {
    for (const [number, node] of nodes.entries()) {
      const [pod] = leaving.podsOn(node) as [StartedPod];
      const { ports, sources } = await leaving.filtered(node);
      expect(sources).to.have.length(4);
      expect(await sendFromOutside(pod, wayAddresses(number), ports, [...pod.addresses, ...sources])).to.deep.equal({
        sent: 6,
        arrived: [],
      });
    }
  });

  it('have packets for addresses that no node has dropped at once, and none of them leaves', async () => {
    const wires = await Promise.all(nodes.map((node) => WireCapture.startAtNode(node, WAY)));
    await Promise.all(nodes.map((node) => expectNoLoops(node, leaving.podsOn(node).map(namespaceOf))));
    await Promise.all(wires.map((wire) => wire.stop()));
    const found = await Promise.all(wires.map((wire) => wire.packets(NOBODYS.map((to) => `host ${to}`).join(' or '))));
    expect(found.flat()).to.deep.equal([]);
  });

  it('keep leaving while ovn-controller is killed and started', async () => {
    for (const node of nodes) {
      const streams = leaving
        .podsOn(node)
        .flatMap((pod) => worldAddresses.map((to) => ({ from: namespaceOf(pod), to, rate: 50 })));
      const traffic = await SteadyTraffic.start(node, streams);
      await node.does([RESTART, 'ovn-controller'], ['ovn-nbctl', '--wait=hv', '--timeout=60', 'sync']);
      await traffic.expectNothingLost();
    }
  });

  it('leave again after the Northbound database has lost everything; what the kernel has for that stays', async () => {
    const rowsOf = async (node: LabNode) =>
      (await observed(node)).northbound.map((row) => withoutUuids(JSON.stringify(row))).sort();
    const [before, rows] = [await Promise.all(nodes.map(inKernel)), await Promise.all(nodes.map(rowsOf))];
    await Promise.all(nodes.map(loseNorthbound));
    for (const [number, node] of nodes.entries()) {
      await eventually('its rows are there', async () => String(await rowsOf(node)) === String(rows[number]));
      // Until then the flows of the former rows may be there.
      await node.does(['ovn-nbctl', '--wait=hv', '--timeout=60', 'sync']);
      const asked = leaving.questions(node, worldAddresses, { protocol: 'udp', unanswered: true });
      await eventually('they leave', async () => (await exchange(node, asked)).every(({ lost }) => lost === 0));
      for (const protocol of protocols) await leaving.expectLeaving(node, { protocol });
    }
    expect(await Promise.all(nodes.map(inKernel))).to.deep.equal(before);
  });

  it('reach nothing of the nodes and of the default network, whatever routes a tenant adds to them, and whatever kube-proxy serves', async () => {
    await leaving.expectServed();
    expect(await leaving.reachedOfDenied()).to.deep.equal([]);
  });

  it('are filtered by a table that kube-proxy leaves alone, as the agent does those of kube-proxy', async () => {
    const filters = () => Promise.all(nodes.map(async (node) => (await node.snapshot()).filterTables));
    const before = await filters();
    const lengths = await Promise.all(leaving.proxies.map((proxy) => proxy.logLength()));
    const addresses = ['10.96.0.61', 'fd96::61'];
    cluster.lab.server.apply(...serviceObjects('other', { addresses, endpoints: [], port: 80 }));
    for (const [number, proxy] of leaving.proxies.entries())
      await proxy.untilSynchronized(lengths[number]!, 'Adding new service port"[^\\n]*default/other');
    expect(await filters()).to.deep.equal(before);
    const written = await Promise.all(nodes.map(tablesOfOthers));
    for (const tables of written) for (const address of addresses) expect(tables.join('\n')).to.include(address);
    await Promise.all(
      nodes.map(async (node) => {
        await cluster.agentOf(node).stop();
        await node.does(['nft', 'delete table inet ovn-uplinks-egress']);
        await cluster.restartAgent(node);
      }),
    );
    await eventually('the filter is there', async () => JSON.stringify(await filters()) === JSON.stringify(before));
    expect(await Promise.all(nodes.map(tablesOfOthers))).to.deep.equal(written);
    await leaving.expectServed();
    // What nft monitor says of rules of iptables is nothing that was missed.
    for (const node of nodes) expect(await cluster.agentOf(node).log()).not.to.include('nft monitor printed');
  });

  it('leave where the policy of others is to drop what passes the node, as that of Docker, only by rules as the agent prints them, which open nothing else', async () => {
    const programs = ['iptables', 'ip6tables'];
    const [withDocker] = nodes as [LabNode];
    await withDocker.does(
      ...programs.flatMap((program) => [
        [program, '-N', 'DOCKER-USER'],
        [program, '-I', 'FORWARD', '-j', 'DOCKER-USER'],
      ]),
    );
    const policy = (name: string) => programs.map((program) => [program, '-P', 'FORWARD', name]);
    for (const node of nodes) {
      await node.does(...policy('DROP'));
      for (const family of ['ip', 'ip6'])
        await cluster.agentOf(node).untilLogged(`chain FORWARD of table ${family} filter drops what passes the node`);
    }
    await Promise.all(nodes.map((node) => leaving.expectNotLeaving(node)));
    for (const node of nodes) {
      const commands = loggedCommands(await cluster.agentOf(node).log());
      expect(commands).to.have.length(4);
      const chain = node === withDocker ? 'DOCKER-USER' : 'FORWARD';
      const withVerb = (verb: string) =>
        commands.map(([program = '', , , ...words]) => [program, verb, chain, ...words]);
      await node.does(...withVerb('-I'));
      for (const protocol of protocols) await leaving.expectLeaving(node, { protocol });
      expect(await leaving.reachedOfDenied()).to.deep.equal([]);
      await node.does(...withVerb('-D'), ...policy('ACCEPT'));
    }
  });

  it('would reach that without the filter, which the agent restores', async () => {
    for (const node of nodes) {
      await cluster.agentOf(node).stop();
      await node.does(
        ...['prerouting', 'forward', 'last'].map((chain) => ['nft', `flush chain inet ovn-uplinks-egress ${chain}`]),
        ['/bin/busybox', 'sysctl', '-w', 'net.ipv4.tcp_l3mdev_accept=1'],
      );
    }
    expect(await leaving.reachedOfDenied()).to.deep.equal(
      leaving.namesOfDenied((destination) => !isDeniedByOvn(destination)),
    );
    for (const node of nodes) {
      const [pod] = leaving.podsOn(node) as [StartedPod];
      const { port, table } = await leaving.deviceOf(pod);
      await changeVrfRoutes(node, 'add', table);
      expect((await sendFrames(pod, port)).beyond).to.have.length(2);
      await changeVrfRoutes(node, 'delete', table);
    }
    for (const node of nodes) await cluster.restartAgent(node);
    await eventually('nothing is reached', async () => (await leaving.reachedOfDenied()).length === 0);
  });

  it('leave and are filtered again at once where another program removes all tables', async () => {
    for (const node of nodes) await node.does(['nft', 'flush ruleset']);
    await eventually('the filter is there', async () => {
      const listings = await Promise.all(nodes.map((node) => node.does(['nft', 'list tables'])));
      return listings.every((listing) => listing.includes('inet ovn-uplinks-egress'));
    });
    for (const node of nodes) await leaving.expectLeaving(node, { protocol: 'udp' });
    expect(await leaving.reachedOfDenied()).to.deep.equal([]);
  });

  it('reach each other over the nodes with their own addresses, and none of the other tenant', async () => {
    for (const node of nodes) await expectTenantsApart(node, pods);
  });

  it('leave by another device as soon as the default routes of the node lead there', async () => {
    const [node] = nodes as [LabNode];
    const [pod] = leaving.podsOn(node) as [StartedPod];
    const addresses = ['192.0.2.21', '2001:db8:b::21'];
    await prepare(node, wayOut('second', 'other-world', addresses));
    await startAnswering(node, ['other-world']);
    const connections = await Promise.all(worldAddresses.map((to) => beginConnections(pod, to)));
    for (const { output } of connections) await node.until([], output, `answers ${WORLD}`);
    const times: number[] = [];
    const leadTo = async (device: string, answers: string) => {
      for (const [family, route] of defaultRoutes(device).entries())
        times.push(await node.until([route], connections[family]!.output, answers));
    };
    await leadTo('second', 'answers other-world');
    const asked = leaving.questions(node, worldAddresses, { protocol: 'udp' });
    const found = await exchange(node, asked);
    expect(found.map((each) => Object.keys(summary(each).answers))).to.deep.equal(
      asked.map((_, index) => [`other-world ${addresses[index % 2]!}`]),
    );
    await leadTo(WAY, `other-world\\nanswers ${WORLD}`);
    for (const { process } of connections) await process.signal('SIGKILL');
    await node.does(ip`link delete second`, ip`netns delete other-world`);
    process.stdout.write(`      after ${times.map(Math.round).join(', ')} ms\n`);
    // It is a fraction of a second; a busy machine may take longer.
    expect(Math.max(...times)).to.be.below(5000);
  });

  // The agents of the next test do not allow it any more.
  it('reach the metadata of clouds, link-local or not, by agents that allow it only, and nothing else', async () => {
    const wires = await Promise.all(nodes.map((node) => WireCapture.startAtNode(node, WAY)));
    await Promise.all(nodes.map((node) => leaving.expectNotLeaving(node, metadataAddresses)));
    await Promise.all(wires.map((wire) => wire.stop()));
    const filter = metadataAddresses.map((address) => `dst ${address}`).join(' or ');
    expect((await Promise.all(wires.map((wire) => wire.packets(filter)))).flat()).to.deep.equal([]);
    const options = metadataAddresses.map((address) => `--egress-allow=${address}/${address.includes(':') ? 128 : 32}`);
    await Promise.all(
      nodes.map(async (node) => {
        await cluster.agentOf(node).stop();
        await cluster.restartAgent(node, ...options);
      }),
    );
    const opened = leaving.namesOfDenied(({ to }) => metadataAddresses.some((address) => address === to));
    expect(opened).to.have.length(8);
    await eventually('only that is reached', async () => {
      const reached = await leaving.reachedOfDenied();
      return JSON.stringify(reached) === JSON.stringify(opened);
    });
    const metadata = { name: WORLD, addresses: metadataAddresses };
    for (const node of nodes) await leaving.expectLeaving(node, { protocol: 'tcp' }, metadata);
  });

  it('leave again after agents that were killed at changes of their way out; no packet with their addresses, or those of networks, is on a wire meanwhile', async () => {
    const { killed, leaked } = await killUnderTraffic(leaving, (number) => KILLED_AT.slice(number, number + 1));
    expect(leaked).to.deep.equal([]);
    for (const { name } of nodes)
      expect(killed.flatMap(({ node, egress }) => (node === name ? [egress] : []))).to.include.members([
        'none',
        'node',
      ]);
    for (const node of nodes) for (const protocol of protocols) await leaving.expectLeaving(node, { protocol });
    expect(await leaving.reachedOfDenied()).to.deep.equal([]);
  });

  it('leave no more, and nothing of it is left, once they are not to; no packet with their addresses, or those of networks, is on a wire meanwhile', async () => {
    for (const node of nodes) expect(await leaving.forwardingPorts(node)).to.have.length(2);
    const traffic = await LeavingTraffic.start(nodes, pods);
    for (const node of nodes) {
      await cluster.agentOf(node).stop();
      await cluster.restartAgent(node, '--egress=none');
    }
    await eventually('nothing is left', async () => {
      const [hosts, zones] = await Promise.all([
        Promise.all(nodes.map((node) => node.snapshot())),
        Promise.all(nodes.map(observed)),
      ]);
      const tables = new Set(zones.flatMap(({ northbound }) => northbound.map(({ table }) => table)));
      return (
        hosts.every(
          ({ filterTables, rules }) =>
            filterTables.length === 0 &&
            rules.every(({ others }) => others['src'] === undefined && others['dst'] === undefined),
        ) &&
        tables.has('Logical_Router') &&
        !tables.has('Gateway_Chassis') &&
        !tables.has('NAT')
      );
    });
    for (const node of nodes) expect(await leaving.forwardingPorts(node)).to.deep.equal([]);
    await traffic.stop();
    expect(await traffic.leaked()).to.deep.equal([]);
    for (const count of Object.values(await traffic.seen())) expect(count).to.be.above(100);
    for (const node of nodes) await expectTenantsApart(node, pods);
  });

  it('leave nothing on nodes that are cleaned up while they leave by them, and of others everything; no packet with their addresses is on a wire meanwhile', async () => {
    await Promise.all(
      nodes.map(async (node) => {
        await cluster.agentOf(node).stop();
        await cluster.restartAgent(node);
        await eventually('they leave', async () => (await leaving.forwardingPorts(node)).length === 2);
      }),
    );
    const tables = await Promise.all(nodes.map(tablesOfOthers));
    const traffic = await LeavingTraffic.start(nodes, pods);
    await Promise.all(nodes.map((node) => cluster.cleanUp(node)));
    await traffic.stop();
    expect(await traffic.leaked()).to.deep.equal([]);
    for (const [number, node] of nodes.entries()) {
      expect(await node.does(['nft', 'list', 'tables'])).not.to.include('ovn-uplinks');
      expect(await tablesOfOthers(node)).to.deep.equal(tables[number]);
      const differences = stateDifferences(leaving.untouched[number]!, await stateOfNode(node, []));
      expect(differences.filter((line) => !isOfTunnels(line) && !isOfOthers(line))).to.deep.equal([]);
    }
  });
});
