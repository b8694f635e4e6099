/** Services of tenants in a cluster of the lab, and pods behind them. */
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../../unit/adapters/processes.ts';
import type { Administrator } from '../../kubernetes/administrator.ts';
import type { TestApiServer } from '../../kubernetes/api-server.ts';
import type { LabNode } from '../node.ts';
import { summary } from '../packets/clients.ts';
import { type Exchange, PORT } from '../packets/exchange.ts';
import { exchangeAll } from '../whole-networks/default-network.ts';
import { namespaceOf, type StartedPod } from '../whole-networks/lab-pod.ts';

/** A Service of a tenant. */
export interface LabService {
  readonly tenant: string;
  readonly name: string;
  /** Its ClusterIPs, IPv4 before IPv6. */
  readonly addresses: readonly [string, string];
}

/** The port of Services, behind which pods answer at `PORT`. */
export const SERVICE_PORT = 80;

/** The source that a pod sees of itself (docs/design/services.md, "Load balancers"). */
const HAIRPIN = ['169.254.0.5', 'fd69::5'] as const;

const protocols = ['tcp', 'udp', 'sctp'] as const;

/** The protocols of a Service, in each of its families. */
const VIPS = protocols.length * 2;

/** A Service for the pods with a label `app` of its name. */
export const serviceObject = ({ tenant, name, addresses }: LabService, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: tenant, name },
  spec: {
    ipFamilyPolicy: 'RequireDualStack',
    clusterIP: addresses[0],
    clusterIPs: addresses,
    selector: { app: name },
    ports: protocols.map((protocol) => ({
      name: protocol,
      protocol: protocol.toUpperCase(),
      port: SERVICE_PORT,
      targetPort: PORT,
    })),
    ...spec,
  },
});

/** EndpointSlices for a Service without a selector, as a user writes them. @param hinted pods, each with the node that it is for by its hints */
export const slicesFor = (
  { tenant, name }: LabService,
  hinted: readonly { readonly pod: StartedPod; readonly forNode: LabNode }[],
): readonly object[] =>
  ['IPv4', 'IPv6'].map((addressType, family) => ({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      namespace: tenant,
      name: `${name}-${family}`,
      labels: { 'kubernetes.io/service-name': name },
    },
    addressType,
    endpoints: hinted.map(({ pod, forNode }) => ({
      addresses: [pod.addresses[family]],
      nodeName: pod.node.name,
      hints: { forNodes: [{ name: forNode.name }] },
    })),
    ports: protocols.map((protocol) => ({ name: protocol, protocol: protocol.toUpperCase(), port: PORT })),
  }));

/** Says of a pod what its kubelet says: whether it is ready, at an address of the default network that leads nowhere here. */
export async function setReady(
  administrator: Administrator,
  { namespace, name }: StartedPod,
  isReady: boolean,
): Promise<void> {
  const status = {
    phase: 'Running',
    podIP: '10.244.9.200',
    podIPs: [{ ip: '10.244.9.200' }, { ip: 'fd44:0:0:9::200' }],
    conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
  };
  await administrator.send({
    method: 'PATCH',
    path: `/api/v1/namespaces/${namespace}/pods/${name}/status`,
    contentType: 'application/merge-patch+json',
    body: { status },
  });
}

/** Has a Service lead to a pod. */
export function putBehind(server: TestApiServer, { namespace, name }: StartedPod, app: string): void {
  server.kubectl(['label', `pod/${name}`, `--namespace=${namespace}`, '--overwrite', `app=${app}`]);
}

/** Connections that are made to an address: one in half a million times they all reach the same one of two endpoints. */
const CONNECTIONS = 20;

/** How often and by what pods ask. */
export interface Asking extends Pick<Exchange, 'size' | 'unanswered'> {
  readonly protocols?: readonly (typeof protocols)[number][];
  readonly connections?: number;
  /** Whether answers of the pod itself do not count. */
  readonly notItself?: true;
}

/** The answers that a pod gets from a Service by a protocol in a family. */
export interface FoundAnswers {
  readonly pod: StartedPod;
  readonly protocol: string;
  readonly family: number;
  /** Each once, as `NAMESPACE ADDRESS`; an error for none. */
  readonly texts: readonly string[];
}

/** Datagrams are sent again, as clients do: OVN ends connections a moment after it has confirmed the change for which it does (ovn-nb(5), ct_flush), and loses an answer that is under way then. */
const TWICE = { rounds: 2 };

/** Connections of pods to a Service, all at the same time. */
export async function answersTo(
  pods: readonly StartedPod[],
  { addresses }: LabService,
  { protocols: by = protocols, connections = CONNECTIONS, notItself, ...asking }: Asking = {},
): Promise<readonly FoundAnswers[]> {
  const cases = pods.flatMap((pod) =>
    by.flatMap((protocol) => addresses.map((to, family) => ({ pod, protocol, to, family }))),
  );
  const found = await exchangeAll(
    cases.flatMap(({ pod, protocol, to }) =>
      Array.from({ length: connections }, () => ({
        node: pod.node,
        asked: {
          from: namespaceOf(pod),
          to,
          port: SERVICE_PORT,
          protocol,
          ...asking,
          ...(protocol === 'udp' && TWICE),
        },
      })),
    ),
  );
  return cases.map(({ pod, protocol, family }, index) => {
    const texts = found.slice(index * connections, (index + 1) * connections).flatMap((each) => {
      const answers = Object.keys(summary(each).answers);
      return answers.length > 0 ? answers : [each.error ?? 'no answer'];
    });
    const isCounted = (text: string) => notItself !== true || !text.startsWith(`${namespaceOf(pod)} `);
    return { pod, protocol, family, texts: [...new Set(texts)].filter(isCounted).sort() };
  });
}

/** The answer of an endpoint to a pod: it sees the pod itself. */
const answerOf = (endpoint: StartedPod, pod: StartedPod, family: number) =>
  `${namespaceOf(endpoint)} ${endpoint === pod ? HAIRPIN[family]! : pod.addresses[family]!}`;

/**
 * The difference between the answers that pods get from a Service and those that they should get; none where all are right.
 *
 * @param endpointsOf endpoints that a pod reaches, each of them
 */
export async function wrongAnswers(
  pods: readonly StartedPod[],
  service: LabService,
  endpointsOf: (pod: StartedPod) => readonly StartedPod[],
  asking: Asking = {},
): Promise<readonly string[]> {
  const found = await answersTo(pods, service, asking);
  return found.flatMap(({ pod, protocol, family, texts }) => {
    const expected = endpointsOf(pod)
      .filter((endpoint) => asking.notItself !== true || endpoint !== pod)
      .map((endpoint) => answerOf(endpoint, pod, family));
    if (JSON.stringify(texts) === JSON.stringify(expected.sort())) return [];
    return [`${namespaceOf(pod)} to ${service.name} by ${protocol} in family ${family}: ${texts.join(', ')}`];
  });
}

/**
 * Waits until the load balancers of a Service lead to a number of endpoints on nodes, by each protocol in each family, and connections to others have ended: an answer that is under way
 * then is lost.
 */
export async function untilServed(nodes: readonly LabNode[], service: LabService, endpoints: number): Promise<void> {
  const owner = `external_ids:k8s.ovn.org/owner=${service.tenant}/${service.name}`;
  await eventually(`${service.name} has ${endpoints} endpoints`, async () => {
    // Each look takes a tenth of a second of the only processor of a node, which what is waited for needs.
    await pause(250);
    const printed = await Promise.all(
      nodes.map((node) =>
        node.does(['ovn-nbctl', '--bare', '--columns=vips,external_ids', 'find', 'Load_Balancer', owner]),
      ),
    );
    return printed.every((text) => {
      if (text.includes('ovn-uplinks-ended')) return false;
      const vips = text.split(/\s+/).filter((each) => /^[\d[].*=/.test(each));
      const counts = vips.map(
        (each) =>
          each
            .split('=')[1]!
            .split(',')
            .filter((part) => part !== '').length,
      );
      return counts.length === VIPS && counts.every((count) => count === endpoints);
    });
  });
  await untilApplied(nodes);
}

/** Waits until nodes treat packets as their rows say. The flows follow the rows, and the datapath follows the flows: until then it goes on with the former ones (ovs-vswitchd(8), revalidator/wait). */
export async function untilApplied(nodes: readonly LabNode[]): Promise<void> {
  await Promise.all(
    nodes.map((node) =>
      node.does(['ovn-nbctl', '--wait=hv', '--timeout=60', 'sync'], ['ovs-appctl', 'revalidator/wait']),
    ),
  );
}
