/** Services of tenants in a cluster of the lab, and pods behind them. */
import { eventually } from '../../../unit/adapters/processes.ts';
import type { TestApiServer } from '../../kubernetes/api-server.ts';
import type { LabNode } from '../node.ts';
import { summary } from '../packets/clients.ts';
import { exchange, PORT } from '../packets/exchange.ts';
import { namespaceOf, type StartedPod } from './lab-pod.ts';

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
export const HAIRPIN = ['169.254.0.5', 'fd69::5'] as const;

/** A Service for the pods with a label `app`. */
export const serviceObject = ({ tenant, name, addresses }: LabService, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: tenant, name },
  spec: {
    ipFamilyPolicy: 'RequireDualStack',
    clusterIP: addresses[0],
    clusterIPs: addresses,
    selector: { app: name },
    ports: ['TCP', 'UDP'].map((protocol) => ({
      name: protocol.toLowerCase(),
      protocol,
      port: SERVICE_PORT,
      targetPort: PORT,
    })),
    ...spec,
  },
});

/** Says of a pod what its kubelet says: whether it is ready, at an address of the default network that leads nowhere here. */
export function setReady(server: TestApiServer, { namespace, name }: StartedPod, isReady: boolean): void {
  const status = {
    phase: 'Running',
    podIP: '10.244.9.200',
    podIPs: [{ ip: '10.244.9.200' }, { ip: 'fd44:0:0:9::200' }],
    conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
  };
  server.kubectl([
    ...['patch', `pod/${name}`, `--namespace=${namespace}`, '--subresource=status', '--type=strategic'],
    `--patch=${JSON.stringify({ status })}`,
  ]);
}

/** Has a Service lead to a pod. */
export function putBehind(server: TestApiServer, { namespace, name }: StartedPod, service: LabService): void {
  server.kubectl(['label', `pod/${name}`, `--namespace=${namespace}`, '--overwrite', `app=${service.name}`]);
}

const protocols = ['tcp', 'udp'] as const;

/** Connections that are made to an address: one in half a million times they all reach the same one of two endpoints. */
const CONNECTIONS = 20;

/** Connections of pods of a node to an address of each of some Services by a protocol. @returns what answers, once each, as `NAMESPACE ADDRESS`; an error for none */
async function answersTo(
  pod: StartedPod,
  { addresses }: LabService,
  protocol: (typeof protocols)[number],
  connections: number,
): Promise<readonly (readonly string[])[]> {
  const found = await exchange(
    pod.node,
    addresses.flatMap((to) =>
      Array.from({ length: connections }, () => ({
        from: namespaceOf(pod),
        to,
        port: SERVICE_PORT,
        protocol,
        ...(connections === 1 && { unanswered: true }),
      })),
    ),
  );
  return addresses.map((_, family) => {
    const ofFamily = found.slice(family * connections, (family + 1) * connections);
    const texts = ofFamily.flatMap((each) => {
      const answers = Object.keys(summary(each).answers);
      return answers.length > 0 ? answers : [each.error ?? 'no answer'];
    });
    return [...new Set(texts)].sort();
  });
}

/** The answers that a pod should get from a Service: one of each endpoint, which sees the pod itself. */
function expectedOf(pod: StartedPod, endpoints: readonly StartedPod[]): readonly (readonly string[])[] {
  return HAIRPIN.map((hairpin, family) =>
    endpoints
      .map((endpoint) => `${namespaceOf(endpoint)} ${endpoint === pod ? hairpin : pod.addresses[family]!}`)
      .sort(),
  );
}

/** The difference between the answers that pods get from a Service and those that they should get; none where all are right. */
export async function wrongAnswers(
  pods: readonly StartedPod[],
  service: LabService,
  endpoints: readonly StartedPod[],
): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const pod of pods)
    for (const protocol of protocols) {
      const found = await answersTo(pod, service, protocol, CONNECTIONS);
      const expected = expectedOf(pod, endpoints);
      if (JSON.stringify(found) !== JSON.stringify(expected))
        wrong.push(`${namespaceOf(pod)} to ${service.name} by ${protocol}: ${JSON.stringify(found)}`);
    }
  return wrong;
}

/** Why pods get no connection to a Service, each reason once, by TCP and by UDP. */
export async function refusals(pods: readonly StartedPod[], service: LabService): Promise<readonly string[]> {
  const found: string[] = [];
  for (const pod of pods)
    for (const protocol of protocols) found.push(...(await answersTo(pod, service, protocol, 1)).flat());
  return [...new Set(found)].sort();
}

/**
 * Waits until the load balancers of a Service lead to a number of endpoints on nodes, by each protocol in each family, and connections to others have ended: an answer that is under way
 * then is lost.
 */
export async function untilServed(nodes: readonly LabNode[], service: LabService, endpoints: number): Promise<void> {
  const owner = `external_ids:k8s.ovn.org/owner=${service.tenant}/${service.name}`;
  await eventually(`${service.name} has ${endpoints} endpoints`, async () => {
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
      return counts.length === 4 && counts.every((count) => count === endpoints);
    });
  });
}
