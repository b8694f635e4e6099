import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  MANAGED_BY_LABEL,
  SERVICE_NAME_LABEL,
  SERVICE_PROXY,
  SERVICE_PROXY_LABEL,
} from '../../../../src/domain/basics/conventions.ts';
import { eventually } from '../../../unit/adapters/processes.ts';
import type { TestApiServer } from '../../kubernetes/api-server.ts';
import { metricsOf } from '../agent/scale.ts';
import { inGroups, numbered, percentiles, reportFigure, timed } from '../cluster/figures.ts';
import type { LabNode } from '../node.ts';
import { memoryOfDaemons, processorTime } from '../packets/daemons.ts';
import { PORT, startAnswering } from '../packets/exchange.ts';
import type { Userland } from '../userland.ts';
import { namespaceOf, type StartedPod } from '../whole-networks/lab-pod.ts';
import { type WholeCluster } from '../whole-networks/whole-cluster.ts';
import { onOneNode } from './one-node.ts';

const BEGUN = resolve(import.meta.dirname, '../inside/begun.py');

/** Changes that are measured, and the endpoints of each other Service. */
const [CHANGES, ENDPOINTS] = [100, 10];

/** Changes after which the figures so far are said. */
const REPORTED = 20;

/** Objects that are created at the same time. */
const AT_ONCE = 16;

/** Connections that are begun in a second: a figure is right to a two hundredth of it. */
const RATE = 200;

/** Seconds until OVN has all Services, and milliseconds between two looks. */
const [PATIENCE, LOOK] = [1200, 2000];

const TENANT = 'blue';
const MEASURED = { name: 'web', address: '10.96.20.1' } as const;
const MEASURED_SLICE = `/apis/discovery.k8s.io/v1/namespaces/${TENANT}/endpointslices/${MEASURED.name}-x`;
const MERGE = 'application/merge-patch+json';

/** Milliseconds in which nothing is changed. */
const IDLE = 10_000;

const bytes = (number: number) => `${String((number >> 8) & 255)}.${String(number & 255)}`;

function serviceObject(name: string, clusterIP: string): object {
  const ports = [{ name: 'web', protocol: 'UDP', port: 80, targetPort: PORT }];
  return { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { clusterIP, ports } };
}

/** An EndpointSlice as that of kube-controller-manager, with its labels. */
function sliceObject(service: string, endpoints: readonly object[]): object {
  const labels = {
    [SERVICE_NAME_LABEL]: service,
    [SERVICE_PROXY_LABEL]: SERVICE_PROXY,
    [MANAGED_BY_LABEL]: 'campaign',
  };
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: `${service}-x`, labels },
    addressType: 'IPv4',
    ports: [{ name: 'web', protocol: 'UDP', port: PORT }],
    endpoints,
  };
}

/** A pod behind a Service, at an address of the default network. */
const behind = ({ name, uid, node }: StartedPod) => ({
  addresses: [name === 'first' ? '10.244.0.101' : '10.244.0.102'],
  conditions: { ready: true },
  nodeName: node.name,
  targetRef: { kind: 'Pod', namespace: TENANT, name, uid },
});

/** Writes of EndpointSlices that the API server has taken, and of all other objects but leases. */
function writesSoFar(server: TestApiServer): { readonly slices: number; readonly others: number } {
  const found = { slices: 0, others: 0 };
  for (const line of server.kubectl(['get', '--raw=/metrics']).split('\n')) {
    const [, labels = '', value] = /^apiserver_request_total\{(.*)\} (\S+)$/.exec(line) ?? [];
    if (!/verb="(POST|PUT|PATCH|APPLY|DELETE)"/.test(labels) || /[{,]resource="(leases|events|)"/.test(labels))
      continue;
    found[labels.includes(',resource="endpointslices"') ? 'slices' : 'others'] += Number(value);
  }
  return found;
}

/** Processor time of the agent of a node so far, in seconds, and its memory, in MiB. */
async function agentOf(node: LabNode): Promise<{ readonly seconds: number; readonly memory: number }> {
  const metrics = await metricsOf(node);
  return {
    seconds: metrics.get('process_cpu_seconds_total') ?? 0,
    memory: Math.round((metrics.get('process_resident_memory_bytes') ?? 0) / 2 ** 20),
  };
}

/** Creates the Service that is measured. */
function createMeasured(server: TestApiServer, endpoints: readonly object[]): void {
  for (const object of [serviceObject(MEASURED.name, MEASURED.address), sliceObject(MEASURED.name, endpoints)])
    server.kubectl(['create', `--namespace=${TENANT}`, '--filename=-'], JSON.stringify(object));
}

/** Creates Services with endpoints that are no pods, and waits until OVN has all of them. */
async function createServices(cluster: WholeCluster, node: LabNode, count: number): Promise<void> {
  const { administrator } = cluster;
  const create = (path: string, body: object) => administrator.send({ method: 'POST', path, body });
  const services = `/api/v1/namespaces/${TENANT}/services`;
  const slices = `/apis/discovery.k8s.io/v1/namespaces/${TENANT}/endpointslices`;
  await inGroups([...numbered('s', count).entries()], AT_ONCE, async ([number, name]) => {
    await create(services, serviceObject(name, `10.96.${bytes(0x2000 + number)}`));
    const endpoints = Array.from({ length: ENDPOINTS }, (_, index) => ({
      addresses: [`10.20.${bytes(0x0800 + number * ENDPOINTS + index)}`],
      conditions: { ready: true },
    }));
    await create(slices, sliceObject(name, endpoints));
  });
  const end = performance.now() + PATIENCE * 1000;
  for (;;) {
    const printed = await node.does(['ovn-nbctl', '--bare', '--columns=vips', 'list', 'Load_Balancer']);
    const complete = printed.split('\n').filter((line) => line.split(',').length === ENDPOINTS).length;
    if (complete === count) break;
    if (performance.now() > end) throw new Error(`OVN has ${complete} of ${count} Services after ${PATIENCE} s`);
    await pause(LOOK);
  }
  await node.does(['ovn-nbctl', '--wait=hv', `--timeout=${PATIENCE}`, 'sync']);
}

/** Milliseconds of each change of the measured Service's only endpoint, until a new connection reaches the other one. */
async function change(cluster: WholeCluster, pods: readonly [StartedPod, StartedPod, StartedPod]): Promise<number[]> {
  const [client, ...endpoints] = pods;
  const { node } = client;
  const output = '/run/begun.log';
  const words = [namespaceOf(client), MEASURED.address, '80', String(RATE)];
  const asking = await node.start([BEGUN, ...words], output);
  await node.until([], output, 'answers blue-first');
  const times: number[] = [];
  for (let number = 0; number < CHANGES; number++) {
    // Nothing of the change before is under way.
    await node.does(['ovn-nbctl', '--wait=hv', '--timeout=60', 'sync']);
    const other = endpoints[(number + 1) % 2]!;
    const { length } = Buffer.from(await node.read(output));
    const seen = node.until([], output, `\\A.{${length}}.*answers ${namespaceOf(other)}\\n`);
    const begin = performance.now();
    const body = { endpoints: [behind(other)] };
    await cluster.administrator.send({ method: 'PATCH', path: MEASURED_SLICE, contentType: MERGE, body });
    await seen;
    times.push(performance.now() - begin);
    if (times.length % REPORTED === 0) reportFigure(`first packets after ${times.length} changes`, percentiles(times));
  }
  await asking.signal('SIGKILL');
  return times;
}

/**
 * From a changed EndpointSlice in the API, whose mirror the cluster manager has to write first, until a new connection reaches the new endpoint, on a node with many Services.
 *
 * @param count of the other Services on the node
 */
export async function changedEndpoints(count: number, userland: Userland): Promise<unknown> {
  return await onOneNode({ memory: 2048, userland }, [], async (cluster, node) => {
    cluster.createTenants([TENANT]);
    await cluster.untilReady([TENANT], [node]);
    const pods: StartedPod[] = [];
    for (const name of ['client', 'first', 'second']) pods.push(await cluster.newPod(node, TENANT, name));
    const [, first] = pods as [StartedPod, StartedPod, StartedPod];
    await startAnswering(node, pods.map(namespaceOf));
    const alone = await agentOf(node);
    const created = await timed(() => createServices(cluster, node, count));
    const before = await agentOf(node);
    reportFigure(`${count} Services`, { created, agent: before });
    const { server } = cluster.lab;
    createMeasured(server, [behind(first)]);
    const [writes, agent] = [writesSoFar(server), await agentOf(node)];
    const { result: times, seconds } = await processorTime(node, () =>
      change(cluster, pods as [StartedPod, StartedPod, StartedPod]),
    );
    const [writesAfter, after] = [writesSoFar(server), await agentOf(node)];
    return {
      services: count,
      endpoints: ENDPOINTS,
      firstPacket: percentiles(times),
      slowest: Math.round(Math.max(...times)),
      writesOfAChange: {
        // Without the change itself.
        slices: (writesAfter.slices - writes.slices - CHANGES) / CHANGES,
        others: (writesAfter.others - writes.others) / CHANGES,
      },
      agent: {
        processorTimeOfAChange: Math.round(((after.seconds - agent.seconds) / CHANGES) * 1000),
        processorTimeOfAll: Math.round((before.seconds - alone.seconds) * 1000),
        memory: { withoutServices: alone.memory, withServices: before.memory, afterChanges: after.memory },
      },
      secondsOfDaemons: seconds,
      memoryOfDaemons: await memoryOfDaemons(node),
      created,
    };
  });
}

/** Changes of the endpoint of a Service on a node that does not have its network, as it has no pod of it: processor time of the agent, and what is in OVN then. */
export async function withoutPods(): Promise<unknown> {
  return await onOneNode({}, ['--dynamic-udn'], async (cluster, node) => {
    cluster.createTenants([TENANT]);
    await cluster.untilReady([TENANT], [node]);
    const { server } = cluster.lab;
    createMeasured(server, [{ addresses: ['10.20.0.9'] }]);
    const before = await agentOf(node);
    const idle = await timed(() => pause(IDLE));
    const after = await agentOf(node);
    const changing = await timed(async () => {
      for (let number = 0; number < CHANGES; number++) {
        const endpoints = [{ addresses: [`10.20.0.${10 + number}`] }];
        const body = { endpoints };
        await cluster.administrator.send({ method: 'PATCH', path: MEASURED_SLICE, contentType: MERGE, body });
        await mirrored(cluster, `10.20.0.${10 + number}`);
      }
    });
    const last = await agentOf(node);
    const idleShare = (after.seconds - before.seconds) / idle;
    return {
      changes: CHANGES,
      processorTimeOfAChange:
        Math.round(((last.seconds - after.seconds - idleShare * changing) / CHANGES) * 10_000) / 10,
      memory: { before: before.memory, after: last.memory },
      loadBalancers: (await node.does(['ovn-nbctl', 'lb-list'])).trim(),
      switches: (await node.does(['ovn-nbctl', 'ls-list'])).trim(),
    };
  });
}

/** Waits until the mirror of the measured Service has an address. */
async function mirrored({ administrator }: WholeCluster, address: string): Promise<void> {
  await eventually('the mirror follows', async () => {
    const mirror = await administrator.get('EndpointSlice', `${TENANT}/ovn-uplinks-${MEASURED.name}-x`);
    return JSON.stringify(mirror?.['endpoints'] ?? []).includes(`"${address}"`);
  });
}
