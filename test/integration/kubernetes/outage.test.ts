import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { accessOfKubeconfig, type ClusterAccess } from '../../../src/adapters/kubernetes/cluster-access.ts';
import { customResourceDefinitions } from '../../../src/domain/api/custom-resource-definition.ts';
import { completeNode } from '../../../src/testing/index.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { clusterOf } from '../lab/clusters.ts';
import { Administrator } from './administrator.ts';
import { TestApiServer } from './api-server.ts';
import { FaultProxy } from './fault-proxy.ts';
import { type RunningLoop, startAgent, startManager } from './loops.ts';

/** Milliseconds of an outage: with a backoff of its own a list would wait as long again. */
const AWAY = 12_000;

/** Milliseconds within which all follow once there are answers again, also on a busy machine. */
const FOLLOWS = 9000;

/** Milliseconds that an API server asks clients to wait until it has read which kinds there are (kube-apiserver, Retry-After). */
const STARTING = 5000;

/** Requests of a client in an outage at most: one of each list, and then ever fewer, to one every two seconds. */
const REQUESTS = 30;

const { nodes, uplinks, clusterUserDefinedNetworks } = clusterOf([{ name: 'blue', device: 'br-blue' }]);

const node = completeNode({
  nodeName: 'worker-a',
  links: [{ name: 'eth1' }, { name: 'br-blue', addresses: [{ address: '192.0.2.6', prefixLength: 24 }] }],
  bridges: [{ name: 'br-blue', ports: [{ name: 'eth1' }] }],
});

describe('an agent and a cluster manager while the API server is away', () => {
  let server: TestApiServer;
  let administrator: Administrator;
  const proxies: FaultProxy[] = [];
  const loops: RunningLoop[] = [];

  before(async () => {
    server = await TestApiServer.start();
    administrator = await Administrator.of(server);
    server.apply(...customResourceDefinitions());
    for (const object of [...nodes, ...uplinks, ...clusterUserDefinedNetworks]) await administrator.apply(object);
    const access = await accessOfKubeconfig(server.kubeconfig);
    if (!access.read) throw new Error(JSON.stringify(access.problems));
    for (const start of [startManager, (to: ClusterAccess) => startAgent(to, node)]) {
      const proxy = await FaultProxy.before(access.value);
      proxies.push(proxy);
      loops.push(start(proxy.access));
    }
    await followed('br-blue', 'AllNodesReady');
  });
  after(async () => {
    for (const loop of loops) await loop.stop();
    for (const proxy of proxies) await proxy.stop();
    administrator.close();
    await server.stop();
  });

  /** Waits until the condition of the Uplink is about its spec, which the agent has reported on. */
  async function followed(hostInterfaceName: string, reason: string): Promise<void> {
    await administrator.apply({
      ...uplinks[0],
      spec: { nodeConfigs: [{ type: 'OVSBridge', nodeSelector: {}, hostInterfaceName }] },
    });
    await eventually(`${hostInterfaceName} is reported as ${reason}`, async () => {
      const { status, metadata } = (await administrator.get('Uplink', 'uplink-0')) as unknown as {
        readonly metadata: { readonly generation: number };
        readonly status?: {
          readonly conditions: readonly { readonly reason: string; readonly observedGeneration: number }[];
        };
      };
      const condition = status?.conditions[0];
      return condition?.reason === reason && condition.observedGeneration === metadata.generation;
    });
  }

  /** Has an outage, in which clients ask rarely, and then all follow. */
  async function expectFollows(
    outage: { begin(): Promise<void>; end(): Promise<void> },
    [hostInterfaceName, reason, within]: readonly [string, string, number],
  ): Promise<void> {
    await outage.begin();
    const before = proxies.map((proxy) => proxy.count(''));
    await pause(AWAY);
    const requests = proxies.map((proxy, index) => proxy.count('') - (before[index] ?? 0));
    await outage.end();
    const begin = performance.now();
    await followed(hostInterfaceName, reason);
    const time = performance.now() - begin;
    process.stdout.write(`      ${requests.join(' and ')} requests; they follow after ${(time / 1000).toFixed(1)} s\n`);
    for (const count of requests) expect(count).to.be.within(1, REQUESTS);
    expect(time).to.be.below(within);
  }

  it('wait, ask rarely, and follow at once where a connection, or an API server behind a load balancer, is there again', async () => {
    const unavailable = { status: 503, headers: { 'content-type': 'text/html' }, body: '<html>No server</html>' };
    await expectFollows(
      {
        begin: () => {
          for (const [index, proxy] of proxies.entries()) {
            proxy.fault = { answer: () => (index === 0 ? unavailable : 'dropped') };
            proxy.cut();
          }
          return Promise.resolve();
        },
        end: () => {
          for (const proxy of proxies) proxy.fault = {};
          return Promise.resolve();
        },
      },
      ['br-other', 'HostInterfaceNotFound', FOLLOWS],
    );
  });

  it('wait, ask rarely, and follow as soon as it may where the API server has been started again', async () => {
    await expectFollows({ begin: () => server.stopApiServer(), end: () => server.startApiServer() }, [
      'br-blue',
      'AllNodesReady',
      STARTING + FOLLOWS,
    ]);
  });
});
