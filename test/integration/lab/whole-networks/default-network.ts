import { expect } from 'chai';
import { DNS } from '../../kubernetes/dns-objects.ts';
import { ip } from '../commands.ts';
import type { LabNode } from '../node.ts';
import { type Answers, type Exchange, exchange } from '../packets/exchange.ts';
import { namespaceOf, type ScheduledPod } from './lab-pod.ts';
import type { WholePlace } from './whole-node.ts';

/** Where the Kubernetes API is: the API server has given this to its own Service. */
export const API = '10.96.0.1';

/** The port of pods that is probed, and another one at which they answer. */
export const [PROBED, OTHER] = [8080, 9090] as const;

/** All pods of the default network. */
export const ALL_PODS = ['10.244.0.0/16', 'fd44::/48'] as const;

const protocols = ['tcp', 'udp', 'icmp'] as const;

const INSIDE = new URL('../inside/answer.py', import.meta.url).pathname;

/** A node whose default network has both families, and connects its pods with those of other nodes. */
export interface ConnectedPlace extends WholePlace {
  readonly podSubnet6: string;
}

/** A place by the number of its node, from 0 on. */
export function connectedPlace(name: string, number: number): ConnectedPlace {
  return {
    name,
    address: `198.51.100.${10 + number}`,
    podSubnet: `10.244.${number}.0/24`,
    podSubnet6: number === 0 ? 'fd44::/64' : `fd44:0:0:${number}::/64`,
  };
}

/** A pod with its addresses in the default network. */
export interface DefaultPod extends ScheduledPod {
  readonly defaultAddresses: readonly string[];
}

/** A question from a node, or from a namespace on it. */
export interface Question {
  readonly node: LabNode;
  readonly asked: Exchange;
}

const textOf = ({ node, asked: { from = 'itself', protocol, to, port } }: Question) =>
  `${node.name} ${from} ${protocol} > ${to} ${port ?? ''}`;

/** Makes exchanges on several nodes at the same time. @returns what became of each */
export async function exchangeAll(questions: readonly Question[]): Promise<readonly Answers[]> {
  const nodes = [...new Set(questions.map(({ node }) => node))];
  const found = new Map<Question, Answers>();
  await Promise.all(
    nodes.map(async (node) => {
      const ofNode = questions.filter((each) => each.node === node);
      const answers = await exchange(
        node,
        ofNode.map(({ asked }) => asked),
      );
      for (const [index, question] of ofNode.entries()) found.set(question, answers[index]!);
    }),
  );
  return questions.map((question) => found.get(question)!);
}

/** Those of some questions that are answered. */
async function answered(questions: readonly Question[], unanswered: boolean): Promise<readonly string[]> {
  const found = await exchangeAll(questions.map(({ node, asked }) => ({ node, asked: { ...asked, unanswered } })));
  const hasAnswer = (index: number) => Object.keys(found[index]?.answers ?? {}).length > 0;
  return questions
    .filter((_, index) => hasAnswer(index))
    .map(textOf)
    .sort();
}

/** Asks, and fails unless all of it is answered. */
export async function expectAnswered(questions: readonly Question[]): Promise<void> {
  expect(await answered(questions, false)).to.deep.equal(questions.map(textOf).sort());
}

/** Asks, and fails unless nothing of it is answered. */
export async function expectUnanswered(questions: readonly Question[]): Promise<void> {
  expect(await answered(questions, true)).to.deep.equal([]);
}

/** Questions of pods to others by the default network, by each protocol in both families. */
export function betweenPods(from: readonly DefaultPod[], to: readonly DefaultPod[]): readonly Question[] {
  return from.flatMap((client) =>
    to
      .filter((server) => server !== client)
      .flatMap(({ defaultAddresses }) =>
        defaultAddresses.flatMap((address) =>
          protocols.map((protocol) => ({
            node: client.node,
            asked: { from: namespaceOf(client), protocol, to: address, port: PROBED },
          })),
        ),
      ),
  );
}

/** A question of a node to each address of a pod. */
export function toPod(node: LabNode, pod: DefaultPod, port: number): readonly Question[] {
  return pod.defaultAddresses.map((to) => ({ node, asked: { protocol: 'tcp', to, port } }));
}

export function toService(pod: ScheduledPod, protocol: Exchange['protocol'], to: string, port: number): Question {
  return { node: pod.node, asked: { from: namespaceOf(pod), protocol, to, port } };
}

/** The connections that a pod and its kubelet need: DNS, the Kubernetes API, and probes. */
export function neededBy(pod: DefaultPod): readonly Question[] {
  return [
    toService(pod, 'udp', DNS, 53),
    toService(pod, 'tcp', DNS, 53),
    toService(pod, 'tcp', API, 443),
    ...toPod(pod.node, pod, PROBED),
  ];
}

/** The address of a node in the network of the cluster's nodes in IPv6, by its number from 0 on. */
export const addressInNodes6 = (number: number) => `fd51::${number + 1}`;

/** Has a node reach the pods of others by the default network, and forward what its own send there. */
export async function connectPods(node: LabNode, places: readonly ConnectedPlace[]): Promise<void> {
  const number = places.findIndex(({ name }) => name === node.name);
  await node.does(
    ip`address add ${`${addressInNodes6(number)}/64`} dev vec0 nodad`,
    // Without one of the link, a node that forwards asks for no neighbour (Linux, ndisc_send_ns).
    ip`address add ${`fe80::${number + 1}/64`} dev vec0 nodad`,
    ...places.flatMap(({ podSubnet, podSubnet6, address }, index) =>
      index === number
        ? []
        : [ip`route add ${podSubnet} via ${address}`, ip`route add ${podSubnet6} via ${addressInNodes6(index)}`],
    ),
    ['/bin/busybox', 'sysctl', '-w', 'net.ipv4.ip_forward=1', 'net.ipv6.conf.all.forwarding=1'],
  );
}

/** Adds routes to all pods of the default network to a pod, as it may. */
export async function addRoutesToPods(pod: ScheduledPod, { podSubnet, podSubnet6 }: ConnectedPlace): Promise<void> {
  const gateways = [podSubnet.replace(/0\/.*/, '1'), podSubnet6.replace(/::\/.*/, '::1')];
  await pod.node.does(
    ...ALL_PODS.map((subnet, index) => ip`-n ${namespaceOf(pod)} route add ${subnet} via ${gateways[index]!} dev eth0`),
  );
}

/** Has a node answer for DNS, the Kubernetes API and other Services, as kube-proxy would have it. */
export async function startServices(node: LabNode, ...others: readonly string[]): Promise<void> {
  await node.does(
    ip`netns add services`,
    ip`link add to-services up type veth peer name eth0 netns services`,
    ip`address add 10.97.0.1/24 dev to-services`,
    ip`-n services link set eth0 up`,
    ip`-n services address add 10.97.0.2/24 dev eth0`,
    ...[DNS, API, ...others].flatMap((address) => [
      ip`-n services address add ${`${address}/32`} dev eth0`,
      ip`route add ${address} via 10.97.0.2`,
    ]),
    ip`-n services route add default via 10.97.0.1`,
  );
  for (const port of [53, 443, PROBED]) await startServer(node, port, 'services');
}

export async function startServer(node: LabNode, port: number, ...namespaces: readonly string[]): Promise<void> {
  const output = `/run/answer-${port}-${namespaces.join('-')}`;
  await node.start([INSIDE, String(port), ...namespaces], output);
  await node.until([], output, 'ready');
}
