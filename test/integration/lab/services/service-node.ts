import { ip } from '../commands.ts';
import type { Machine } from '../machine.ts';
import type { ArgumentVector, LabNode } from '../node.ts';
import { type Exchange, exchange, startAnswering } from '../packets/exchange.ts';
import { prepare } from '../prepare.ts';

/** The address of the node in the network of the cluster's nodes. */
export const NODE_ADDRESS = '198.51.100.10';

/** Addresses of the pod that answers. */
export const endpoint = ['10.244.0.5', 'fd00:10:244::5'] as const;

/** The subnets of pods in the cluster. */
export const podSubnets = ['10.244.0.0/16', 'fd00:10:244::/48'] as const;

/** A place with a network of its own: its name, and its link to the node, with the node's addresses before its own. */
interface Neighbour {
  readonly name: string;
  readonly near: readonly [string, string];
  readonly own: readonly [string, string];
}

const server: Neighbour = { name: 'server', near: ['10.244.0.1', 'fd00:10:244::1'], own: endpoint };
const client: Neighbour = {
  name: 'client',
  near: ['10.244.1.1', 'fd00:10:244:1::1'],
  own: ['10.244.1.6', 'fd00:10:244:1::6'],
};
const router: Neighbour = { name: 'router', near: ['192.0.2.6', '2001:db8:b::6'], own: ['192.0.2.1', '2001:db8:b::1'] };

const lengths = [24, 64];

function linked({ name, near, own }: Neighbour): readonly ArgumentVector[] {
  return [
    ip`netns add ${name}`,
    ip`link add ${name} up type veth peer name eth0 netns ${name}`,
    ip`-n ${name} link set lo up`,
    ip`-n ${name} link set eth0 up`,
    ...near.map((address, family) => ip`address add ${address}/${lengths[family]!} dev ${name} nodad`),
    ...own.map((address, family) => ip`-n ${name} address add ${address}/${lengths[family]!} dev eth0 nodad`),
    ...near.map((address) => ip`-n ${name} route add default via ${address}`),
  ];
}

/**
 * A node with a pod `server` and a pod `client`, and the router of its default routes, which answers for addresses of Services itself: an answer says
 * whether the node has translated the address.
 */
export async function serviceNode(machine: Machine, addresses: readonly string[]): Promise<LabNode> {
  const node = await machine.node('worker-a', { openVSwitch: false, networkCard: true });
  await prepare(node, [
    ip`link set vec0 up`,
    ip`address add ${NODE_ADDRESS}/24 dev vec0`,
    ...[server, client, router].flatMap(linked),
    ...router.own.map((address) => ip`route add default via ${address}`),
    ...addresses.map((address) => ip`-n ${router.name} address add ${address} dev lo nodad`),
  ]);
  await startAnswering(node, [server.name, router.name]);
  return node;
}

const askers = [{ from: client.name }, {}];

/** Which of them answer at addresses, to the pod `client` and to the node itself, by TCP and by UDP, each once. */
export async function answering(node: LabNode, addresses: readonly string[]): Promise<readonly string[]> {
  return await named(node, addresses, [
    ...askers.map((asker) => ({ ...asker, protocol: 'tcp' as const })),
    ...askers.map((asker) => ({ ...asker, protocol: 'udp' as const })),
  ]);
}

/** As `answering` where no answer is expected: only by UDP, as a connection is waited for twice. */
export async function silent(node: LabNode, addresses: readonly string[]): Promise<readonly string[]> {
  return await named(
    node,
    addresses,
    askers.map((asker) => ({ ...asker, protocol: 'udp', unanswered: true })),
  );
}

async function named(
  node: LabNode,
  addresses: readonly string[],
  questions: readonly Omit<Exchange, 'to'>[],
): Promise<readonly string[]> {
  const answers = await exchange(
    node,
    addresses.flatMap((to) => questions.map((question) => ({ ...question, to }))),
  );
  const names = answers.map(({ answers: texts }) => Object.keys(texts)[0]?.split(' ')[0] ?? 'none');
  return [...new Set(names)];
}

/** Why the pod `client` gets no connection to addresses, each reason once. */
export async function refusals(node: LabNode, addresses: readonly string[]): Promise<readonly (string | undefined)[]> {
  const answers = await exchange(
    node,
    addresses.map((to) => ({ from: client.name, to, protocol: 'tcp' })),
  );
  return [...new Set(answers.map(({ error }) => error))];
}

/** The answer of a DNS server at an address about a name, to the pod `client`. */
export async function lookup(node: LabNode, name: string, at: string): Promise<string> {
  return await node.does(['ip', 'netns', 'exec', client.name, 'busybox', 'nslookup', `${name}.`, at]);
}
