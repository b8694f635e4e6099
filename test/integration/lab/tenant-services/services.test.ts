import { resolve } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../../../unit/adapters/processes.ts';
import { serviceCidr } from '../../../unit/domain/brief-objects.ts';
import type { LabNode } from '../node.ts';
import { WireCapture } from '../packets/capture.ts';
import { PORT } from '../packets/exchange.ts';
import { SteadyTraffic } from '../packets/steady.ts';
import { namespaceOf, type StartedPod } from '../whole-networks/lab-pod.ts';
import type { WholeCluster } from '../whole-networks/whole-cluster.ts';
import { WAY } from '../whole-networks/world.ts';
import { greedyObjects, WIDE } from './greedy.ts';
import {
  clientsOfDefault,
  clientsOfTenants,
  defaultDestinations,
  expectedFates,
  foundFates,
  ofTenant,
} from './isolation.ts';
import { killAtChanges } from './killed-agents.ts';
import { addressesOf, answeringAt, deviceToDns } from './names.ts';
import { HEADLESS, OPTIONS, ServedCluster } from './served-cluster.ts';
import {
  answersTo,
  type LabService,
  putBehind,
  SERVICE_PORT,
  serviceObject,
  setReady,
  slicesFor,
  untilApplied,
  untilServed,
  wrongAnswers,
} from './served.ts';
import { tracedVerdicts, verdictOf } from './traced.ts';

const RESTART = resolve(import.meta.dirname, '../inside/restart.py');

/** The Services of tenants by number: their ClusterIPs end with it. */
const service = (number: number, tenant: string, name: string): LabService => ({
  tenant,
  name,
  addresses: [`10.96.20.${number}`, `fd96::200${number}`],
});

const web = service(1, 'blue', 'web');
const empty = service(2, 'blue', 'empty');
const ofOthers = [service(3, 'red', 'web'), service(4, 'green', 'web')] as const;
const greedy = service(5, 'red', 'greedy');
/** Services with the endpoints of the first one, which each pod is to reach in another way. */
const [sticky, near, zonal] = ['sticky', 'near', 'zonal'].map((name, index) => service(6 + index, 'blue', name)) as [
  LabService,
  LabService,
  LabService,
];
/** One whose endpoints are for the other node by their hints. */
const crossed = service(9, 'blue', 'crossed');

/** Questions per second of a stream beside changes of endpoints. */
const STREAM_RATE = 50;

const behindWeb = { selector: { app: 'web' } };

/** Packets to Services (pcap-filter(7)), and those within tunnels too. */
const toServices = '(dst net 10.96.0.0/16 or dst net fd96::/112)';
const alsoInTunnels = `${toServices} or (geneve and ${toServices})`;

/** Packets of tenants to Services, with addresses of their pods or networks. */
const ofTenants = `(${['10.20.0.0/16', 'fd20::/48', '169.254.0.0/17', 'fd69::/112'].map((net) => `src net ${net}`).join(' or ')}) and ${toServices}`;

/** The wires of nodes: to each other, and out of the cluster. */
const startCaptures = (nodes: readonly LabNode[]) =>
  Promise.all(nodes.flatMap((node) => ['vec0', WAY].map((device) => WireCapture.startAtNode(node, device))));

/** The packets that match a filter on each of some wires, once these are not captured any more. */
const packetsOn = (wires: readonly WireCapture[], filter: string) =>
  Promise.all(wires.map((wire) => wire.packets(filter)));

const stopped = (wires: readonly WireCapture[]) => Promise.all(wires.map((wire) => wire.stop()));

/** Requests of a pod to another one by TCP and UDP. */
const betweenPods = ([from, to]: readonly [StartedPod, StartedPod]) =>
  SteadyTraffic.start(
    from.node,
    to.addresses.flatMap((address) =>
      [{}, { protocol: 'tcp' as const }].map((by) => ({ from: namespaceOf(from), to: address, rate: 100, ...by })),
    ),
  );

describe('Services of three tenants, on nodes of Debian 12 and 13, beside kube-proxy and CoreDNS', () => {
  let served: ServedCluster;
  let cluster: WholeCluster;
  let nodes: readonly LabNode[];
  const podsOf = (tenant: string) => served.podsOf(tenant);
  const blue = () => podsOf('blue') as readonly [StartedPod, StartedPod];
  const isReady = (pod: StartedPod, ready: boolean) => setReady(cluster.administrator, pod, ready);

  before(async () => {
    served = await ServedCluster.start();
    ({ cluster, nodes } = served);
  });
  after(() => served.stop());

  it('lead from both nodes to endpoints on both, which see the pod that asks, by TCP, UDP and SCTP in both families', async () => {
    // What is under way between pods goes on when their switch begins to track connections.
    const [first, second] = blue();
    const traffic = await betweenPods(blue());
    const { server } = cluster.lab;
    for (const pod of served.pods) putBehind(server, pod, 'web');
    server.apply(
      ...[web, ...ofOthers, empty].map((each) => serviceObject(each)),
      serviceObject(sticky, { ...behindWeb, sessionAffinity: 'ClientIP' }),
      serviceObject(near, { ...behindWeb, internalTrafficPolicy: 'Local' }),
      serviceObject(zonal, { ...behindWeb, trafficDistribution: 'PreferSameZone' }),
      serviceObject(crossed, { selector: undefined }),
      ...slicesFor(crossed, [
        { pod: first, forNode: second.node },
        { pod: second, forNode: first.node },
      ]),
    );
    for (const each of [web, ...ofOthers, sticky]) await untilServed(nodes, each, 2);
    for (const each of [near, zonal, crossed]) await untilServed(nodes, each, 1);
    await untilServed(nodes, empty, 0);
    // Before hundreds of connections at once, for which wires between machines have no room.
    await traffic.expectNothingLost([second.node]);
    for (const each of [web, ...ofOthers]) {
      const pods = podsOf(each.tenant);
      expect(await wrongAnswers(pods, each, () => pods)).to.deep.equal([]);
    }
    server.kubectl(['wait', '--for=condition=ServicesReady', 'cudn', '--all', '--timeout=60s']);
  });

  it('carry datagrams of 5,000 bytes in both directions', async () => {
    const [onOlder, onNewer] = blue();
    const asking = { protocols: ['udp'] as const, size: 5000 };
    // OVN 23.03 knows a pod that reaches itself by the port of the last fragment, which has none (docs/limits.md).
    expect(await wrongAnswers([onOlder], web, blue, { ...asking, notItself: true })).to.deep.equal([]);
    expect(await wrongAnswers([onNewer], web, blue, asking)).to.deep.equal([]);
  });

  it('lead to an endpoint on the node, or in the zone, of the pod, to one that is for its node, or always to the same one, where they are to', async () => {
    for (const each of [near, zonal]) expect(await wrongAnswers(blue(), each, (pod) => [pod])).to.deep.equal([]);
    const others = (pod: StartedPod) => blue().filter((each) => each !== pod);
    expect(await wrongAnswers(blue(), crossed, others)).to.deep.equal([]);
    // The first packet of a client is lost (docs/limits.md), and what begins at the same time knows no former endpoint.
    await answersTo(blue(), sticky, { connections: 1, unanswered: true });
    const chosen = await answersTo(blue(), sticky, { connections: 1 });
    const again = await answersTo(blue(), sticky);
    expect(again.map(({ texts }) => texts)).to.deep.equal(chosen.map(({ texts }) => texts));
  });

  it('are reached by their tenants alone, and those of the default network by whom they are for, whatever another tenant asks for; nothing to them leaves a node', async () => {
    cluster.lab.server.apply(...greedyObjects(greedy, web.addresses));
    await untilServed(nodes, greedy, 0);
    cluster.lab.server.kubectl([
      ...['wait', '--for=condition=NetworkCreated=false', `udn/${WIDE}`, `--namespace=${WIDE}`, '--timeout=60s'],
    ]);
    const destinations = [
      ...[web, near, zonal, ...ofOthers].map((each) => ofTenant(each, true)),
      ...[empty, greedy].map((each) => ofTenant(each, false)),
      { ...ofTenant(web, false), name: 'another port of blue/web', port: SERVICE_PORT + 1 },
      ...defaultDestinations,
    ];
    const tenants = clientsOfTenants(served);
    const wires = await startCaptures(nodes);
    expect(await foundFates(tenants, destinations)).to.deep.equal(expectedFates(tenants, destinations));
    await stopped(wires);
    expect((await packetsOn(wires, alsoInTunnels)).flat()).to.deep.equal([]);
    const traced = await tracedVerdicts(served, blue(), destinations);
    const ofPackets = Object.entries(expectedFates(tenants, destinations)).flatMap(([name, fates]) =>
      name in traced
        ? [
            [
              name,
              Object.fromEntries(Object.entries(fates).map(([to, fate]) => [to, verdictOf(fate, 'blue')])),
            ] as const,
          ]
        : [],
    );
    expect(traced).to.deep.equal(Object.fromEntries(ofPackets));
    const others = clientsOfDefault(served);
    const wiresOfOthers = await startCaptures(nodes);
    expect(await foundFates(others, destinations)).to.deep.equal(expectedFates(others, destinations));
    await stopped(wiresOfOthers);
    // They are seen where they leave: kube-proxy in mode iptables leaves what it does not serve to the routes of the node.
    const [between, out, betweenOthers] = (await packetsOn(wiresOfOthers, alsoInTunnels)).map(({ length }) => length);
    expect([between, betweenOthers]).to.deep.equal([0, 0]);
    expect(out).to.be.greaterThan(0);
    expect((await packetsOn(wiresOfOthers, ofTenants)).flat()).to.deep.equal([]);
  });

  it('have subnets that are added and go: what nobody serves there is refused, and leaves the network otherwise', async () => {
    const [cidr4, cidr6] = ['10.112.0.0/16', 'fd98::/112'];
    const destinations = [{ name: 'nobody', addresses: ['10.112.0.5', 'fd98::5'], port: SERVICE_PORT }];
    const clients = clientsOfTenants(served).filter(({ owner }) => owner === 'blue');
    const fates = async () => Object.values(await foundFates(clients, destinations)).map(({ nobody }) => nobody);
    const areRefused = (isRefused: boolean) =>
      eventually('nodes have the subnets', async () => {
        const found = await Promise.all(
          nodes.map((node) => node.does(['ovn-nbctl', '--columns=match', 'list', 'ACL'])),
        );
        return found.every((text) => [cidr4, cidr6].every((cidr) => text.includes(cidr) === isRefused));
      });
    expect(await fates()).to.deep.equal(['nothing', 'nothing']);
    cluster.lab.server.apply(serviceCidr('more', cidr4, cidr6));
    await areRefused(true);
    await untilApplied(nodes);
    expect(await fates()).to.deep.equal(['refused', 'refused']);
    cluster.lab.server.kubectl(['delete', 'servicecidr/more', '--wait=false']);
    await areRefused(false);
  });

  it('have names by the DNS of the cluster, as the pods of a headless Service do, which lead to them', async () => {
    cluster.lab.server.apply({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { namespace: 'blue', name: HEADLESS, annotations: { 'ovn-uplinks/selector': 'app=web' } },
      spec: {
        clusterIP: 'None',
        ipFamilyPolicy: 'RequireDualStack',
        ports: [{ name: 'tcp', port: PORT }],
      },
    });
    const [first, second] = blue();
    const all = blue().flatMap(({ addresses }) => addresses);
    for (const pod of [first, second]) {
      expect(await deviceToDns(pod)).to.equal('eth0');
      await eventually('the pods have names', async () => (await addressesOf(pod, 'db.blue')).length === all.length);
      expect(await addressesOf(pod, 'db.blue')).to.have.members(all);
      expect(await addressesOf(pod, 'db-0.db.blue')).to.have.members(first.addresses);
      expect(await answeringAt(pod, 'db-0.db.blue', PORT)).to.deep.equal([namespaceOf(first)]);
      expect(await answeringAt(pod, 'db-1.db.blue', PORT)).to.deep.equal([namespaceOf(second)]);
      expect(await addressesOf(pod, 'web.blue')).to.have.members(web.addresses);
      expect(await answeringAt(pod, 'near.blue', SERVICE_PORT)).to.deep.equal([namespaceOf(pod)]);
    }
    // Connections of all Services end with an endpoint, one after the other.
    cluster.lab.server.kubectl([
      'delete',
      '--namespace=blue',
      'service/sticky',
      'service/near',
      'service/zonal',
      'service/crossed',
    ]);
  });

  it('lead new connections of TCP, UDP and SCTP to the pods that are ready, also while no cluster manager runs', async () => {
    const [first, second] = blue();
    await cluster.lab.stopManager();
    await isReady(second, false);
    await untilServed(nodes, web, 1);
    expect(await wrongAnswers(blue(), web, () => [first])).to.deep.equal([]);
    await cluster.lab.startManager('--networks=all', ...OPTIONS);
    await isReady(second, true);
    await untilServed(nodes, web, 2);
  });

  it('lead to a pod that comes while the cluster manager is killed, once another one leads', async () => {
    const [, second] = blue();
    const label = (app: string | null) =>
      cluster.administrator.merge('Pod', `blue/${second.name}`, { metadata: { labels: { app } } });
    await label(null);
    await untilServed(nodes, web, 1);
    const labelled = label('web');
    cluster.lab.killManager();
    await labelled;
    await untilServed(nodes, web, 2);
    expect(await wrongAnswers(blue(), web, blue)).to.deep.equal([]);
  });

  it('keep connections of TCP to an endpoint that is not ready any more, and take datagrams to another one at once', async () => {
    const [first, second] = blue();
    const stream = { from: namespaceOf(second), port: SERVICE_PORT, rate: STREAM_RATE };
    const datagrams = web.addresses.map((to, family) => ({ ...stream, to, sourcePort: 45_000 + family }));
    const connections = web.addresses.map((to) => ({ ...stream, to, protocol: 'tcp' as const }));
    await isReady(second, false);
    await untilServed(nodes, web, 1);
    const traffic = await SteadyTraffic.start(second.node, [...datagrams, ...connections]);
    await isReady(second, true);
    await untilServed(nodes, web, 2);
    await isReady(first, false);
    await untilServed(nodes, web, 1);
    const moved = datagrams.map((_, stream) => `${stream} answers ${namespaceOf(second)}`);
    for (const line of moved) await traffic.until([], line);
    const printed = await traffic.printed();
    const carried = await traffic.stop();
    // From the same ports, which the datapath knows.
    const after = await SteadyTraffic.start(second.node, datagrams);
    // Before anything is expected, as the next test begins there.
    await isReady(first, true);
    await untilServed(nodes, web, 2);
    const [lost4 = NaN, lost6 = NaN, ...ofConnections] = carried.map(({ lost }) => lost);
    for (const stream of [2, 3]) expect(printed).not.to.include(`${stream} answers ${namespaceOf(second)}`);
    expect(ofConnections).to.deep.equal([0, 0]);
    // Those that come until the datapath has the new flows are lost (docs/limits.md): for tens of milliseconds, and more on a busy machine.
    for (const lost of [lost4, lost6]) expect(lost).to.be.below(STREAM_RATE);
    // None after that.
    await after.expectNothingLost([first.node]);
  });

  it('are as they should be once agents that are killed while endpoints change run again; connections go on', async () => {
    const [stays, comes] = blue();
    await isReady(comes, false);
    await untilServed(nodes, web, 1);
    const { kills, connections } = await killAtChanges(served, web, { stays, comes, changes: 2 });
    await isReady(comes, true);
    await untilServed(nodes, web, 2);
    expect(kills.flatMap(({ wrong }) => wrong)).to.deep.equal([]);
    expect(connections.map(({ lost }) => lost)).to.deep.equal([0, 0, 0, 0]);
  });

  it('lead to their pods while there is no API server, and to others once it is back and these have changed; connections go on', async () => {
    const [first, second] = blue();
    const stream = { from: namespaceOf(second), port: SERVICE_PORT, rate: STREAM_RATE, protocol: 'tcp' as const };
    const traffic = await SteadyTraffic.start(
      second.node,
      web.addresses.map((to) => ({ ...stream, to })),
    );
    await cluster.lab.server.stopApiServer();
    try {
      for (const node of nodes) await cluster.agentOf(node).untilLogged('the objects that were read last stay in use');
      expect(await wrongAnswers(blue(), web, blue)).to.deep.equal([]);
    } finally {
      await cluster.lab.server.startApiServer();
    }
    await isReady(first, false);
    await untilServed(nodes, web, 1);
    expect(await wrongAnswers(blue(), web, () => [second])).to.deep.equal([]);
    await isReady(first, true);
    await untilServed(nodes, web, 2);
    await traffic.expectNothingLost([first.node]);
  });

  it('are as they should be once another program has changed them', async () => {
    const [node] = nodes as [LabNode];
    await node.does(['ovn-nbctl', '--all', 'destroy', 'Load_Balancer']);
    await untilServed(nodes, web, 2);
    expect(await wrongAnswers(blue(), web, blue)).to.deep.equal([]);
  });

  it('are as they should be once the Northbound database is there again, without an event', async () => {
    const [away, other] = nodes as readonly [LabNode, LabNode];
    const [first, second] = blue();
    await away.does(['ovs-appctl', '--target=/run/ovn/ovnnb_db.ctl', 'exit']);
    await isReady(first, false);
    await untilServed([other], web, 1);
    await away.does([RESTART, 'ovnnb_db']);
    await untilServed([away], web, 1);
    expect(await wrongAnswers(blue(), web, () => [second])).to.deep.equal([]);
    await isReady(first, true);
    await untilServed(nodes, web, 2);
  });

  it('lead to an endpoint that terminates as long as it serves, where none is ready, and refuse without any', async () => {
    const [first, second] = blue();
    const remove = (pod: StartedPod, ...words: readonly string[]) =>
      cluster.lab.server.kubectl(['delete', `pod/${pod.name}`, `--namespace=${pod.namespace}`, ...words]);
    remove(second, '--grace-period=60', '--wait=false');
    await untilServed(nodes, web, 1);
    expect(await wrongAnswers(blue(), web, () => [first])).to.deep.equal([]);
    remove(first, '--grace-period=60', '--wait=false');
    await untilServed(nodes, web, 2);
    expect(await wrongAnswers(blue(), web, blue)).to.deep.equal([]);
    await isReady(second, false);
    await untilServed(nodes, web, 1);
    expect(await wrongAnswers(blue(), web, () => [first])).to.deep.equal([]);
    remove(first, '--force');
    await untilServed(nodes, web, 0);
    const refused = await answersTo(blue(), web, { connections: 1 });
    expect([...new Set(refused.flatMap(({ texts }) => texts))]).to.deep.equal(['[Errno 111] Connection refused']);
  });

  it('are gone from the nodes with their objects', async () => {
    cluster.lab.server.kubectl(['delete', 'service/web', '--namespace=blue']);
    const [ofRed] = ofOthers;
    await eventually('it is gone', async () => {
      const found = await Promise.all(nodes.map((node) => node.does(['ovn-nbctl', 'lb-list'])));
      return found.every((text) => !text.includes(web.addresses[0]) && text.includes(ofRed.addresses[0]));
    });
    const clients = clientsOfTenants(served);
    const destinations = [ofTenant(web, false), ofTenant(ofRed, true)];
    expect(await foundFates(clients, destinations)).to.deep.equal(expectedFates(clients, destinations));
  });

  it('interrupt nothing between pods of a network when its last one goes', async () => {
    const red = podsOf('red') as readonly [StartedPod, StartedPod];
    const traffic = await betweenPods(red);
    cluster.lab.server.kubectl(['delete', 'service', '--all', '--namespace=red']);
    await eventually('they are gone', async () => {
      const found = await Promise.all(nodes.map((node) => node.does(['ovn-nbctl', 'list', 'Load_Balancer'])));
      return found.every((text) => !text.includes('red/') && text.includes('green/'));
    });
    await untilApplied(nodes);
    await traffic.expectNothingLost([red[1].node]);
  });
});
