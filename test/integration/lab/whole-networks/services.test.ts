import { expect } from 'chai';
import { eventually } from '../../../unit/adapters/processes.ts';
import { ControllerManager } from '../../kubernetes/programs/controller-manager.ts';
import type { LabNode } from '../node.ts';
import { startAnswering } from '../packets/exchange.ts';
import { SteadyTraffic } from '../packets/steady.ts';
import { connectedPlace } from './default-network.ts';
import { namespaceOf, type StartedPod } from './lab-pod.ts';
import {
  type LabService,
  putBehind,
  refusals,
  SERVICE_PORT,
  serviceObject,
  setReady,
  untilServed,
  wrongAnswers,
} from './served.ts';
import { WholeCluster } from './whole-cluster.ts';

const places = ['worker-a', 'worker-b'].map(connectedPlace);

/** The tenants, which have the same subnets. */
const tenants = ['blue', 'red'] as const;

const web: LabService = { tenant: 'blue', name: 'web', addresses: ['10.96.20.1', 'fd96::2001'] };
const empty: LabService = { tenant: 'blue', name: 'empty', addresses: ['10.96.20.2', 'fd96::2002'] };
const ofRed: LabService = { tenant: 'red', name: 'web', addresses: ['10.96.20.3', 'fd96::2003'] };
const nobodys: LabService = { tenant: 'blue', name: 'nobody', addresses: ['10.96.20.9', 'fd96::2009'] };

/** The subnets of the Services. */
const SUBNETS = ['--service-cidr=10.96.0.0/16', '--service-cidr=fd96::/112'];

const REFUSED = '[Errno 111] Connection refused';

describe('Services of two tenants, on nodes of Debian 12 and 13', () => {
  let cluster: WholeCluster;
  let nodes: readonly LabNode[];
  const pods: StartedPod[] = [];
  const podsOf = (tenant: string) => pods.filter(({ namespace }) => namespace === tenant);

  before(async () => {
    cluster = await WholeCluster.start({}, ...SUBNETS);
    const options = [{}, { userland: 'debian-13' as const }];
    nodes = await Promise.all(places.map((place, number) => cluster.startNode(place, options[number])));
    await cluster.register(...places);
    for (const node of nodes) await cluster.startAgent(node);
    cluster.createTenants(tenants);
    await ControllerManager.start(cluster.lab.server, ['endpointslice', 'garbage-collector']);
    await cluster.untilReady(tenants, nodes);
    for (const node of nodes) for (const tenant of tenants) pods.push(await cluster.newPod(node, tenant, node.name));
    for (const node of nodes) await startAnswering(node, pods.filter((pod) => pod.node === node).map(namespaceOf));
    for (const pod of pods) setReady(cluster.lab.server, pod, true);
  });
  after(() => cluster.stop());

  it('lead from both nodes to endpoints on both, which see the pod that asks, by TCP and UDP in both families', async () => {
    // What is under way between pods goes on when their switch begins to track connections.
    const [first, , second] = pods as [StartedPod, StartedPod, StartedPod];
    const traffic = await SteadyTraffic.start(
      first.node,
      second.addresses.map((to) => ({ from: namespaceOf(first), to, rate: 100 })),
    );
    const { server } = cluster.lab;
    for (const pod of pods) putBehind(server, pod, pod.namespace === 'blue' ? web : ofRed);
    server.apply(...[web, empty, ofRed].map((service) => serviceObject(service)));
    for (const service of [web, ofRed]) await untilServed(nodes, service, 2);
    await untilServed(nodes, empty, 0);
    expect(await wrongAnswers(podsOf('blue'), web, podsOf('blue'))).to.deep.equal([]);
    expect(await wrongAnswers(podsOf('red'), ofRed, podsOf('red'))).to.deep.equal([]);
    await traffic.expectNothingLost();
  });

  it('refuse at once where there is no endpoint, where it is one of another tenant, or none', async () => {
    for (const service of [empty, ofRed, nobodys])
      expect([service.name, await refusals(podsOf('blue'), service)]).to.deep.equal([service.name, [REFUSED]]);
    expect(await refusals(podsOf('red'), web)).to.deep.equal([REFUSED]);
  });

  it('follow the readiness of pods, also while no cluster manager runs', async () => {
    const [first, second] = podsOf('blue') as [StartedPod, StartedPod];
    await cluster.lab.stopManager();
    setReady(cluster.lab.server, second, false);
    await untilServed(nodes, web, 1);
    expect(await wrongAnswers(podsOf('blue'), web, [first])).to.deep.equal([]);
    await cluster.lab.startManager('--networks=all', ...SUBNETS);
    setReady(cluster.lab.server, second, true);
    await untilServed(nodes, web, 2);
  });

  it('keep connections of TCP to an endpoint that is not ready any more, and take datagrams to another one at once', async () => {
    const [first, second] = podsOf('blue') as [StartedPod, StartedPod];
    setReady(cluster.lab.server, second, false);
    await untilServed(nodes, web, 1);
    const traffic = await SteadyTraffic.start(
      second.node,
      web.addresses.flatMap((to) =>
        [{}, { protocol: 'tcp' as const }].map((protocol) => ({
          from: namespaceOf(second),
          to,
          port: SERVICE_PORT,
          rate: 50,
          ...protocol,
        })),
      ),
    );
    setReady(cluster.lab.server, second, true);
    await untilServed(nodes, web, 2);
    setReady(cluster.lab.server, first, false);
    await untilServed(nodes, web, 1);
    for (const datagrams of [0, 2]) await traffic.until([], `${datagrams} answers ${namespaceOf(second)}`);
    const printed = await traffic.printed();
    for (const connection of [1, 3]) expect(printed).not.to.include(`${connection} answers ${namespaceOf(second)}`);
    const [datagrams4, connection4, datagrams6, connection6] = (await traffic.stop()).map(({ lost }) => lost);
    expect([connection4, connection6]).to.deep.equal([0, 0]);
    // An answer that is under way when a connection of UDP ends is lost.
    for (const lost of [datagrams4, datagrams6]) expect(lost).to.be.at.most(3);
    setReady(cluster.lab.server, first, true);
    await untilServed(nodes, web, 2);
  });

  it('are as they should be once an agent that was killed runs again, or another program has changed them', async () => {
    const [first] = podsOf('blue') as [StartedPod];
    const [node] = nodes as [LabNode];
    await cluster.agentOf(node).stop('SIGKILL');
    setReady(cluster.lab.server, first, false);
    await untilServed(nodes.slice(1), web, 1);
    await cluster.restartAgent(node);
    await untilServed(nodes, web, 1);
    setReady(cluster.lab.server, first, true);
    await untilServed(nodes, web, 2);
    await node.does(['ovn-nbctl', '--all', 'destroy', 'Load_Balancer']);
    await untilServed(nodes, web, 2);
    expect(await wrongAnswers(podsOf('blue'), web, podsOf('blue'))).to.deep.equal([]);
  });

  it('are gone from the nodes with their objects', async () => {
    const { server } = cluster.lab;
    server.kubectl(['delete', 'service/web', '--namespace=blue']);
    await eventually('it is gone', async () => {
      const found = await Promise.all(nodes.map((node) => node.does(['ovn-nbctl', 'lb-list'])));
      return found.every((text) => !text.includes(web.addresses[0]) && text.includes(ofRed.addresses[0]));
    });
    expect(await refusals(podsOf('blue'), web)).to.deep.equal([REFUSED]);
    expect(await wrongAnswers(podsOf('red'), ofRed, podsOf('red'))).to.deep.equal([]);
  });
});
