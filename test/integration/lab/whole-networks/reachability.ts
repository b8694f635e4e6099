import { expect } from 'chai';
import type { LabNode } from '../node.ts';
import { summary } from '../packets/clients.ts';
import { exchange, type Exchange } from '../packets/exchange.ts';
import { namespaceOf, PRIMARY_INTERFACE, type StartedPod } from './lab-pod.ts';

const protocols = ['tcp', 'udp', 'icmp'] as const;

/** A question of a pod to another one, and the only answer that is right; absent where there must be none. */
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
 * Has the pods of a node ask all others of their tenant, and others: pods that have addresses which no pod of the asking tenant has. Fails unless all
 * of their own answer, and none of the others.
 */
export async function expectTenantsApart(
  node: LabNode,
  pods: readonly StartedPod[],
  others: readonly StartedPod[],
): Promise<void> {
  const asked = pods
    .filter((pod) => pod.node === node)
    .flatMap((from) =>
      pods
        .filter((to) => to !== from && (to.namespace === from.namespace || others.includes(to)))
        .flatMap((to) => questions(from, to)),
    );
  // A connection that nobody answers is waited for before the next one is opened.
  const isAnswered = ({ answer }: Question) => answer !== undefined;
  const groups = [asked.filter(isAnswered), ...asked.filter((each) => !isAnswered(each)).map((each) => [each])];
  const outcomes = await Promise.all(
    groups.map((group) =>
      exchange(
        node,
        group.map((each) => each.asked),
      ),
    ),
  );
  const found = outcomes.flat().map((each) => summary(each).answers);
  const expected = groups.flat().map(({ answer }) => (answer === undefined ? {} : { [answer]: 1 }));
  expect(groups.flat().map((each, index) => [each.asked, found[index]])).to.deep.equal(
    groups.flat().map((each, index) => [each.asked, expected[index]]),
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
