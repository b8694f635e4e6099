import { expect } from 'chai';
import { emptyCluster } from '../../../../src/domain/index.ts';
import { eventually } from '../../../unit/adapters/processes.ts';
import { Administrator } from '../../kubernetes/administrator.ts';
import { dnsObjects } from '../../kubernetes/dns-objects.ts';
import { namespace } from '../../kubernetes/network-objects.ts';
import { onceServed } from '../../kubernetes/served-config.ts';
import type { NodeAgent } from '../agent/node-agent.ts';
import { LabCluster } from '../cluster/lab-cluster.ts';
import { ip } from '../commands.ts';
import type { LabNode } from '../node.ts';
import { type Exchange, exchange } from '../packets/exchange.ts';
import { attachPod, configureNetwork, endPod, namespaceOf, type ScheduledPod, startDefault } from './lab-pod.ts';
import { networkOf, podObject } from './objects.ts';
import { nodeObject, startWholeNode, type WholePlace } from './whole-node.ts';

const places = [
  { name: 'worker-a', address: '198.51.100.10', podSubnet: '10.244.0.0/24', podSubnet6: 'fd44::/64' },
  { name: 'worker-b', address: '198.51.100.11', podSubnet: '10.244.1.0/24', podSubnet6: 'fd44:0:0:1::/64' },
] as const satisfies readonly WholePlace[];

/** All pods of the default network. */
const DEFAULT_NETWORK = ['10.244.0.0/16', 'fd44::/48'] as const;

const tenants = ['blue', 'red'] as const;

/** Where DNS and the Kubernetes API are; the API server has given its own Service the second one. */
const [DNS, API] = ['10.96.0.10', '10.96.0.1'] as const;

/** The port of pods that is probed, and another one at which they answer. */
const [PROBED, OTHER] = [8080, 9090] as const;

const protocols = ['tcp', 'udp', 'icmp'] as const;

const INSIDE = new URL('../inside/answer.py', import.meta.url).pathname;

/** A pod with its addresses in the default network. */
interface LockedPod extends ScheduledPod {
  readonly defaultAddresses: readonly string[];
}

/** A question from a node, or from a namespace on it. */
interface Question {
  readonly node: LabNode;
  readonly asked: Exchange;
}

const textOf = ({ node, asked: { from = 'itself', protocol, to, port } }: Question) =>
  `${node.name} ${from} ${protocol} > ${to} ${port ?? ''}`;

/** Those of some questions that are answered. A connection that nobody answers is waited for before the next one, so each has a process of its own. */
async function answered(questions: readonly Question[]): Promise<readonly string[]> {
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

const all = (questions: readonly Question[]) => questions.map(textOf).sort();

/** Has a node answer for DNS and the Kubernetes API, as kube-proxy would have it. */
async function startServices(node: LabNode): Promise<void> {
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

async function startServer(node: LabNode, port: number, ...namespaces: readonly string[]): Promise<void> {
  const output = `/run/answer-${port}-${namespaces.join('-')}`;
  await node.start([INSIDE, String(port), ...namespaces], output);
  await node.until([], output, 'ready');
}

describe('pods of two tenants on two nodes, in a default network that connects all pods', () => {
  let lab: LabCluster;
  let administrator: Administrator;
  let nodes: readonly LabNode[];
  const agents: NodeAgent[] = [];
  const pods: LockedPod[] = [];

  async function newPod(node: LabNode, tenant: string, name: string): Promise<LockedPod> {
    const pod = { node, namespace: tenant, name };
    lab.server.apply(podObject({ ...pod, probedPort: PROBED }));
    const stored = await administrator.get('Pod', `${tenant}/${name}`);
    const { uid } = stored?.['metadata'] as { readonly uid: string };
    const scheduled = { ...pod, uid, network: `cluster_udn_${tenant}` };
    return { ...scheduled, defaultAddresses: await startDefault(scheduled) };
  }

  /** Attaches a pod, which then adds routes to all pods of the default network, as it may. */
  async function attach(pod: LockedPod): Promise<void> {
    await attachPod(pod);
    const place = places.find(({ name }) => name === pod.node.name)!;
    const gateways = [place.podSubnet, place.podSubnet6].map((subnet) =>
      subnet.replace(/(0|::)\/.*/, (_, end) => (end === '0' ? '1' : '::1')),
    );
    await pod.node.does(
      ...DEFAULT_NETWORK.map(
        (subnet, index) => ip`-n ${namespaceOf(pod)} route add ${subnet} via ${gateways[index]!} dev eth0`,
      ),
    );
  }

  async function startAgent(index: number): Promise<void> {
    const { length } = Buffer.from((await agents[index]?.log()) ?? '');
    const agent = await lab.startAgent(nodes[index]!, '--networks=all');
    agents[index] = agent;
    await agent.untilLogged(`\\A.{${length}}.*serving container runtimes`);
  }

  /** Questions of pods to others, by each protocol in both families. */
  const between = (from: readonly LockedPod[], to: readonly LockedPod[]): readonly Question[] =>
    from.flatMap((client) =>
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
  /** A question to each address of a pod. */
  const toPod = (node: LabNode, pod: LockedPod, port: number): readonly Question[] =>
    pod.defaultAddresses.map((to) => ({ node, asked: { protocol: 'tcp', to, port } }));
  const toService = (pod: LockedPod, protocol: 'tcp' | 'udp' | 'icmp', to: string, port: number): Question => ({
    node: pod.node,
    asked: { from: namespaceOf(pod), protocol, to, port },
  });

  /** What a pod on the first node, and its kubelet, need. */
  const needed = (pod: LockedPod): readonly Question[] => [
    toService(pod, 'udp', DNS, 53),
    toService(pod, 'tcp', DNS, 53),
    toService(pod, 'tcp', API, 443),
    ...toPod(pod.node, pod, PROBED),
  ];

  const listing = (node: LabNode) => node.does(['nft', 'list', 'ruleset', 'netdev']);
  /** The chains of the table, in one order. */
  const tableOf = async (node: LabNode) =>
    (await listing(node))
      .replaceAll(/^(table .*|\})\n/gm, '')
      .split('\n\n')
      .sort()
      .join('\n\n');
  const chainsOf = async (node: LabNode) =>
    [...(await listing(node)).matchAll(/chain (\S+)/g)].map(([, name]) => name ?? '').sort();

  before(async () => {
    lab = await LabCluster.start();
    administrator = await Administrator.of(lab.server);
    await lab.install('networks');
    nodes = await Promise.all(places.map((place) => startWholeNode(lab, place)));
    for (const [index, node] of nodes.entries()) {
      const [own, other] = [places[index]!, places[1 - index]!];
      await node.does(
        ip`address add ${`fd51::${index + 1}/64`} dev vec0 nodad`,
        ip`route add ${other.podSubnet} via ${other.address}`,
        ip`route add ${other.podSubnet6} via ${`fd51::${2 - index}`}`,
        ['/bin/busybox', 'sysctl', '-w', 'net.ipv4.ip_forward=1', 'net.ipv6.conf.all.forwarding=1'],
        // Somebody else's.
        ['nft', `add table inet ${own.name}`],
      );
    }
    await startServices(nodes[0]!);
    await lab.apply({ ...emptyCluster, nodes: places.map(nodeObject) });
    await onceServed(() => lab.server.apply(...dnsObjects(DNS, '10.244.9.9', 53)));
    await lab.startManager('--networks=all');
    for (const node of nodes) await lab.newToken(node);
    await Promise.all(nodes.map((_, index) => startAgent(index)));
    lab.server.apply(...tenants.map((tenant) => namespace(tenant, tenant)), ...tenants.map(networkOf));
    for (const tenant of tenants) {
      for (const type of ['NetworkCreated', 'NetworkReady'])
        lab.server.kubectl(['wait', `--for=condition=${type}`, `cudn/${tenant}`, '--timeout=120s']);
      const definition = await administrator.get('NetworkAttachmentDefinition', `${tenant}/${tenant}`);
      const { config } = definition?.['spec'] as { readonly config: string };
      for (const node of nodes) await configureNetwork(node, config);
    }
    for (const node of nodes) for (const tenant of tenants) pods.push(await newPod(node, tenant, `on-${node.name}`));
    for (const node of nodes) {
      const namespaces = pods.filter((pod) => pod.node === node).map(namespaceOf);
      for (const port of [PROBED, OTHER]) await startServer(node, port, ...namespaces);
    }
  });
  after(async () => {
    administrator.close();
    await lab.stop();
  });

  it('reach each other there before they are attached to their networks', async () => {
    const [first, , third, fourth] = pods as [LockedPod, LockedPod, LockedPod, LockedPod];
    const questions = [...between([first], [fourth]), ...toPod(first.node, third, PROBED), ...needed(first)];
    expect(await answered(questions)).to.deep.equal(all(questions));
  });

  it('reach none there once they are attached, by TCP, UDP and ICMP in both families', async () => {
    for (const pod of pods) await attach(pod);
    expect(await answered(between(pods, pods))).to.deep.equal([]);
  });

  it('reach DNS and the Kubernetes API, and are probed by their own nodes, and nothing more', async () => {
    const [first, , third] = pods as [LockedPod, LockedPod, LockedPod];
    const questions = [...needed(first), ...toPod(third.node, third, PROBED)];
    expect(await answered(questions)).to.deep.equal(all(questions));
    const refused = [
      toService(first, 'tcp', DNS, PROBED),
      toService(first, 'udp', API, 443),
      toService(first, 'icmp', DNS, 0),
      ...toPod(first.node, first, OTHER),
      ...toPod(first.node, third, PROBED),
    ];
    expect(await answered(refused)).to.deep.equal([]);
  });

  it('stay apart while their agent is dead; nothing else keeps them apart; the next agent does', async () => {
    const [first, second] = pods as [LockedPod, LockedPod];
    const questions = between([first], [second]);
    const before = await tableOf(nodes[0]!);
    await agents[0]!.stop('SIGKILL');
    expect(await answered(questions)).to.deep.equal([]);
    await nodes[0]!.does(['nft', 'delete table netdev ovn-uplinks']);
    expect(await answered(questions)).to.deep.equal(all(questions));
    await startAgent(0);
    await eventually('it has the rules again', async () => (await tableOf(nodes[0]!)) === before);
    expect(await answered(questions)).to.deep.equal([]);
  });

  it('have their rules again at once where somebody deletes or changes them', async () => {
    const [node] = nodes as [LabNode];
    const before = await tableOf(node);
    const [chain = ''] = (await chainsOf(node)).filter((name) => name.startsWith('to-pod'));
    for (const change of [
      'flush ruleset netdev',
      `insert rule netdev ovn-uplinks ${chain} accept`,
      `flush chain netdev ovn-uplinks ${chain}`,
    ]) {
      await node.does(['nft', change]);
      await eventually(`it is as before: ${change}`, async () => (await tableOf(node)) === before);
    }
    expect(await agents[0]!.log()).to.match(
      /Pod\/blue\/on-worker-a: its interface \S+ in the default network was not locked/,
    );
  });

  it('are probed from another address that their node gets', async () => {
    const [first] = pods as [LockedPod];
    await first.node.does(ip`address add 198.51.100.99/32 dev vec0`);
    await eventually('it passes', async () => (await tableOf(first.node)).includes('198.51.100.99'));
    await first.node.does(ip`address delete 198.51.100.99/32 dev vec0`);
    await eventually('it does not pass', async () => !(await tableOf(first.node)).includes('198.51.100.99'));
  });

  it('are locked while the API server is away, and no more once they are detached', async () => {
    const [node] = nodes as [LabNode];
    const before = await chainsOf(node);
    const late = await newPod(node, 'blue', 'late');
    await agents[0]!.untilLogged('serving');
    const known = await newPod(node, 'red', 'known');
    await attachPod(known);
    await endPod(known);
    await lab.server.stopApiServer();
    try {
      await attach(late);
      expect(await chainsOf(node)).to.have.length(before.length + 2);
      await startServer(node, PROBED, namespaceOf(late));
      expect(await answered(between([late], [pods[1]!]))).to.deep.equal([]);
      const questions = needed(late);
      expect(await answered(questions)).to.deep.equal(all(questions));
      await endPod(late);
      expect(await chainsOf(node)).to.deep.equal(before);
    } finally {
      await lab.server.startApiServer();
    }
  });

  it('leave nothing on the node, and of others everything', async () => {
    const [first, second] = pods as [LockedPod, LockedPod];
    await endPod(first);
    expect(await chainsOf(nodes[0]!)).to.have.length(2);
    await endPod(second);
    expect(await chainsOf(nodes[0]!)).to.deep.equal([]);
    await agents[1]!.stop();
    expect((await chainsOf(nodes[1]!)).length).to.equal(4);
    const cleanup = await lab.startAgent(nodes[1]!, '--cleanup');
    await cleanup.untilLogged('Pod/red/on-worker-b: detached');
    await eventually('the table is gone', async () => (await listing(nodes[1]!)) === '');
    expect(await nodes[1]!.does(['nft', 'list', 'tables'])).to.equal('table inet worker-b\n');
  });
});
