import { expect } from 'chai';
import type { LabNode } from '../node.ts';
import { summary } from '../packets/clients.ts';
import { exchange, type Exchange } from '../packets/exchange.ts';
import { namespaceOf, PRIMARY_INTERFACE, type StartedPod } from './lab-pod.ts';

const protocols = ['tcp', 'udp', 'icmp'] as const;

/** A question of a pod to another one, and the only answer that is right; undefined where there must be none. */
interface Question {
  readonly asked: Exchange;
  readonly answer: string | undefined;
}

/** The questions of a pod to another one, by each protocol in both families. */
function questions(from: StartedPod, to: StartedPod): readonly Question[] {
  const isOwn = from.namespace === to.namespace;
  return to.addresses.flatMap((address, family) =>
    protocols.map((protocol) => {
      // The answer names the pod, and the address that it has seen.
      const answer = protocol === 'icmp' ? 'reply' : `${namespaceOf(to)} ${from.addresses[family] ?? ''}`;
      return { asked: { from: namespaceOf(from), to: address, protocol }, answer: isOwn ? answer : undefined };
    }),
  );
}

/**
 * Has the pods of a node ask all others of their tenant, and those of other tenants that have addresses which none of their own has. Fails unless all
 * of their own answer, and none of the others.
 */
export async function expectTenantsApart(node: LabNode, pods: readonly StartedPod[]): Promise<void> {
  const isAddressIn = (tenant: string, address: string) =>
    pods.some(({ namespace, addresses }) => namespace === tenant && addresses.includes(address));
  const asked = pods
    .filter((pod) => pod.node === node)
    .flatMap((from) =>
      pods
        .filter(
          (to) =>
            to !== from && (to.namespace === from.namespace || !isAddressIn(from.namespace, to.addresses[0] ?? '')),
        )
        .flatMap((to) => questions(from, to)),
    );
  const found = await exchange(
    node,
    asked.map((each) => ({ ...each.asked, unanswered: each.answer === undefined })),
  );
  expect(asked.map((each, index) => [each.asked, summary(found[index]!).answers])).to.deep.equal(
    asked.map(({ asked: question, answer }) => [question, answer === undefined ? {} : { [answer]: 1 }]),
  );
}

/** The number of answers that a pod gets by an address, to one echo request. */
export async function answersOf(from: Pick<StartedPod, 'node' | 'namespace' | 'name'>, to: string): Promise<number> {
  const [found] = await exchange(from.node, [{ from: namespaceOf(from), to, protocol: 'icmp' }]);
  return Object.values(found!.answers).reduce((sum, count) => sum + count, 0);
}

const FORGE = new URL('../inside/forge.py', import.meta.url).pathname;

/**
 * Has a pod send frames to another one of its network on its node: such with something forged, and those that it may send.
 *
 * @param forged MAC and addresses that are not its own
 * @returns what the frames were that have arrived; those that it may send begin with `own`
 */
export async function forgedArrivals(
  from: StartedPod,
  to: StartedPod,
  forged: readonly [mac: string, ipv4: string, ipv6: string],
): Promise<readonly string[]> {
  const input = JSON.stringify({ own: from.addresses, to: to.addresses, forged });
  const command = [FORGE, namespaceOf(from), namespaceOf(to), PRIMARY_INTERFACE];
  const { exitCode, stdout, stderr } = await from.node.run(command, { input });
  if (exitCode !== 0) throw new Error(`forge.py on ${from.node.name} exited with status ${exitCode}: ${stderr}`);
  return JSON.parse(stdout) as readonly string[];
}
