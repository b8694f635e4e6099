import { resolve } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../../../unit/adapters/processes.ts';
import { addressesOf } from '../packets/tenant.ts';
import type { StartedPod } from '../whole-networks/lab-pod.ts';
import { slicesOf } from './exposed.ts';
import { type ExposedCluster, OWN, places, sharedUplinks, uplinkFor } from './exposed-cluster.ts';
import type { LabService } from './served.ts';

const GET = resolve(import.meta.dirname, '../inside/get.py');

/** The cluster, and Services of tenants in it whose source is kept, one of each, with their ports for health checks. */
interface CheckedScene {
  readonly exposed: ExposedCluster;
  readonly services: readonly { readonly service: LabService; readonly healthCheckNodePort: number }[];
}

/** Cases about what a load balancer outside asks at the uplinks of nodes. */
export function healthChecks(sceneOf: () => CheckedScene): void {
  const inUrl = (address: string) => (address.includes(':') ? `[${address}]` : address);

  /** The answer to a client behind the uplink of a tenant on a node, or the error. */
  async function answer(tenant: string, index: number, address: string, port: number): Promise<string> {
    const { node, from } = sceneOf().exposed.clientOf(tenant, index);
    const url = `http://${inUrl(address)}:${port}/`;
    return await node.does([GET, from, url]);
  }

  async function untilAnswered(expected: string, ask: () => Promise<string>): Promise<void> {
    let found = '';
    await eventually(`it is answered with ${expected}`, async () => {
      found = await ask();
      return found.includes(expected);
    }).catch(() => expect(found).to.include(expected));
  }

  const LOCAL = '"localEndpoints": 1,\n\t"serviceProxyHealthy": true';

  it('say to load balancers outside, by the uplink in both families, whether a node has endpoints that are ready', async () => {
    const { exposed, services } = sceneOf();
    // Of two uplinks with one address the host answers by one alone.
    const [first] = sharedUplinks(places[0]!);
    for (const { service, healthCheckNodePort } of services.filter(
      ({ service: { tenant } }) => uplinkFor(tenant, places[0]!) === first,
    ))
      for (const [index, place] of places.entries())
        for (const address of addressesOf(uplinkFor(service.tenant, place)))
          await untilAnswered(LOCAL, () => answer(service.tenant, index, address, healthCheckNodePort));
    const [{ service, healthCheckNodePort }] = services as [(typeof services)[number]];
    const [address] = addressesOf(uplinkFor(service.tenant, places[1]!));
    const ask = () => answer(service.tenant, 1, address!, healthCheckNodePort);
    const pods = exposed.podsOf(service.tenant);
    const apply = (ready: readonly StartedPod[]) => exposed.cluster.lab.server.apply(...slicesOf(service, ready));
    apply(pods.filter(({ node }) => node !== exposed.nodes[1]));
    await untilAnswered('503', ask);
    apply(pods);
    await untilAnswered(LOCAL, ask);
  });

  it('are refused by an uplink in a VRF until sockets of the host answer there, which the agent says', async () => {
    const { exposed, services } = sceneOf();
    const { service, healthCheckNodePort } = services.find(({ service: { tenant } }) => tenant === OWN)!;
    const [node] = exposed.nodes as [ExposedCluster['nodes'][number]];
    const [address] = addressesOf(uplinkFor(service.tenant, places[0]!));
    const ask = () => answer(service.tenant, 0, address!, healthCheckNodePort);
    const accept = (value: number) =>
      node.does(['/bin/busybox', 'sysctl', '-w', `net.ipv4.tcp_l3mdev_accept=${value}`]);
    await untilAnswered('refused', ask);
    await exposed.cluster.agentOf(node).untilLogged('HealthCheckUnreachable');
    await accept(1);
    await untilAnswered(LOCAL, ask);
    await accept(0);
  });
}
