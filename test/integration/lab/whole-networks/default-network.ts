import { ip } from '../commands.ts';
import type { LabNode } from '../node.ts';
import { type Exchange, exchange } from '../packets/exchange.ts';

/** Where DNS and the Kubernetes API are; the API server has given its own Service the second one. */
export const [DNS, API] = ['10.96.0.10', '10.96.0.1'] as const;

/** The port of pods that is probed, and another one at which they answer. */
export const [PROBED, OTHER] = [8080, 9090] as const;

const INSIDE = new URL('../inside/answer.py', import.meta.url).pathname;

/** A question from a node, or from a namespace on it. */
export interface Question {
  readonly node: LabNode;
  readonly asked: Exchange;
}

const textOf = ({ node, asked: { from = 'itself', protocol, to, port } }: Question) =>
  `${node.name} ${from} ${protocol} > ${to} ${port ?? ''}`;

/** Those of some questions that are answered. A connection that nobody answers is waited for before the next one, so each has a process of its own. */
export async function answered(questions: readonly Question[]): Promise<readonly string[]> {
  const connections = questions.filter(({ asked }) => asked.protocol === 'tcp').map((each) => [each]);
  const others = [...new Set(questions.map(({ node }) => node))].map((node) =>
    questions.filter((each) => each.node === node && each.asked.protocol !== 'tcp'),
  );
  const groups = [...connections, ...others].filter(({ length }) => length > 0);
  const found = await Promise.all(
    groups.map(async (group) => {
      const answers = await exchange(
        group[0]!.node,
        group.map(({ asked }) => asked),
      );
      return group.filter((_, index) => Object.keys(answers[index]?.answers ?? {}).length > 0);
    }),
  );
  return found.flat().map(textOf).sort();
}

export const all = (questions: readonly Question[]) => questions.map(textOf).sort();

/** Has a node answer for DNS and the Kubernetes API, as kube-proxy would have it. */
export async function startServices(node: LabNode): Promise<void> {
  await node.does(
    ip`netns add services`,
    ip`link add to-services up type veth peer name eth0 netns services`,
    ip`address add 10.97.0.1/24 dev to-services`,
    ip`-n services link set eth0 up`,
    ip`-n services address add 10.97.0.2/24 dev eth0`,
    ...[DNS, API].flatMap((address) => [
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
