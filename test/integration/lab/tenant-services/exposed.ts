/** Services that are reached from the wire, by the uplinks of two nodes: what is asked there, and what answers. */
import type { LabNode } from '../node.ts';
import { summary } from '../packets/clients.ts';
import type { Exchange } from '../packets/exchange.ts';
import { PORT } from '../packets/exchange.ts';
import { exchangeAll } from '../whole-networks/default-network.ts';
import type { StartedPod } from '../whole-networks/lab-pod.ts';
import type { LabService } from './served.ts';

const protocols = ['tcp', 'udp', 'sctp'] as const;

/** A Service of all protocols that leads to pods which its slices name. */
export const exposedService = (
  { tenant, name, addresses }: LabService,
  nodePort: number,
  port: number,
  spec: object = {},
) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: tenant, name },
  spec: {
    type: 'NodePort',
    ipFamilyPolicy: 'RequireDualStack',
    clusterIP: addresses[0],
    clusterIPs: addresses,
    ports: protocols.map((protocol) => ({
      name: protocol,
      protocol: protocol.toUpperCase(),
      port,
      targetPort: PORT,
      nodePort,
    })),
    ...spec,
  },
});

/** Its slices, as a user writes them. */
export const slicesOf = ({ tenant, name }: LabService, pods: readonly StartedPod[]): readonly object[] =>
  ['IPv4', 'IPv6'].map((addressType, family) => ({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { namespace: tenant, name: `${name}-${family}`, labels: { 'kubernetes.io/service-name': name } },
    addressType,
    endpoints: pods.map((pod) => ({
      addresses: [pod.addresses[family]],
      nodeName: pod.node.name,
      conditions: { ready: true },
    })),
    ports: protocols.map((protocol) => ({ name: protocol, protocol: protocol.toUpperCase(), port: PORT })),
  }));

/** A client, and what it asks. */
export interface Asked extends Pick<Exchange, 'to' | 'port' | 'unanswered'> {
  readonly node: LabNode;
  readonly from?: string;
  readonly protocols?: readonly (typeof protocols)[number][];
  readonly connections?: number;
}

/** The answers that clients get, each once, as `PROTOCOL: NAMESPACE ADDRESS`; an error for none. */
export async function answersFrom(asked: Asked): Promise<readonly string[]> {
  const { node, protocols: by = ['tcp', 'udp'], connections = 12, ...exchange } = asked;
  const cases = by.flatMap((protocol) => Array.from({ length: connections }, () => protocol));
  const found = await exchangeAll(cases.map((protocol) => ({ node, asked: { ...exchange, protocol } })));
  const texts = cases.flatMap((protocol, index) => {
    const answers = Object.keys(summary(found[index]!).answers);
    const all = answers.length > 0 ? answers : [found[index]!.error ?? 'no answer'];
    return all.map((each) => `${protocol}: ${each}`);
  });
  return [...new Set(texts)].sort();
}
