import { expect } from 'chai';
import { emptyCluster } from '../../../../src/domain/index.ts';
import { eventually } from '../../../unit/adapters/processes.ts';
import { Administrator } from '../../kubernetes/administrator.ts';
import { DNS } from '../../kubernetes/dns-objects.ts';
import { namespace } from '../../kubernetes/network-objects.ts';
import type { NodeAgent } from '../agent/node-agent.ts';
import { LabCluster } from '../cluster/lab-cluster.ts';
import { ip } from '../commands.ts';
import type { LabNode } from '../node.ts';
import {
  addRoutesToPods,
  API,
  betweenPods,
  connectedPlace,
  connectPods,
  type DefaultPod,
  expectAnswered,
  expectUnanswered,
  neededBy,
  OTHER,
  PROBED,
  startServer,
  startServices,
  toPod,
  toService,
} from './default-network.ts';
import { attachPod, configureNetwork, endPod, namespaceOf, startDefault } from './lab-pod.ts';
import { Multus } from './multus.ts';
import { createPods, networkOf } from './objects.ts';
import { nodeObject, startWholeNode } from './whole-node.ts';

const places = ['worker-a', 'worker-b'].map(connectedPlace);

const tenants = ['blue', 'red'] as const;

/** The addresses of an allowed Service of the default network, and of another one. */
const [ALLOWED, OTHER_SERVICE] = ['10.96.0.77', '10.96.0.78'] as const;

/** DNS at an address that is no ClusterIP, as of a cache on each node. */
const NODE_DNS = '169.254.20.10';

/** The allowed Service, with a port that is allowed and one that is not. */
const allowedService = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: 'shop', name: 'registry' },
    spec: { clusterIP: ALLOWED, ports: [443, PROBED].map((port) => ({ name: `p${port}`, port })) },
  },
];

describe('pods of two tenants on two nodes, in a default network that connects all pods', () => {
  let lab: LabCluster;
  let administrator: Administrator;
  let nodes: readonly LabNode[];
  const agents: NodeAgent[] = [];
  const pods: DefaultPod[] = [];

  async function newPod(node: LabNode, tenant: string, name: string): Promise<DefaultPod> {
    const pod = { node, namespace: tenant, name };
    const [uid = ''] = await createPods({ server: lab.server, administrator }, [{ ...pod, probedPort: PROBED }]);
    const scheduled = { ...pod, uid, network: `cluster_udn_${tenant}` };
    return { ...scheduled, defaultAddresses: await startDefault(scheduled) };
  }

  /** Attaches a pod, which then adds routes to all pods of the default network, as it may. */
  async function attach(pod: DefaultPod): Promise<void> {
    await attachPod(pod);
    await addRoutesToPods(
      pod,
      places.find(({ name }) => name === pod.node.name)!,
    );
  }

  async function startAgent(index: number): Promise<void> {
    const { length } = Buffer.from((await agents[index]?.log()) ?? '');
    const allowed = `--default-services=shop/registry:${String(PROBED)},shop/registry:${String(PROBED)}`;
    const agent = await lab.startAgent(nodes[index]!, '--networks=all', allowed, `--dns-addresses=${NODE_DNS}`);
    agents[index] = agent;
    await agent.untilLogged(`\\A.{${length}}.*serving container runtimes`);
  }

  const listing = (node: LabNode) => node.does(['nft', 'list', 'ruleset', 'netdev']);
  /** The chains of the table, in one order. */
  const tableOf = async (node: LabNode) =>
    (await listing(node))
      .replaceAll(/^(table .*|\})\n/gm, '')
      .split('\n\n')
      .map((chain) => chain.trimEnd())
      .sort()
      .join('\n\n');
  /** Waits until the table is as it was, and shows in what it differs if it does not become so. */
  const untilTable = async (node: LabNode, before: string) => {
    await eventually('the table is as before', async () => (await tableOf(node)) === before).catch(async () => {
      expect(await tableOf(node)).to.equal(before);
    });
  };
  const chainsOf = async (node: LabNode) =>
    [...(await listing(node)).matchAll(/chain (\S+)/g)].map(([, name]) => name ?? '').sort();

  before(async () => {
    lab = await LabCluster.start();
    administrator = await Administrator.of(lab.server);
    await lab.install('networks');
    nodes = await Promise.all(places.map((place) => startWholeNode(lab, place)));
    for (const node of nodes) {
      await connectPods(node, places);
      // Somebody else's.
      await node.does(['nft', `add table inet ${node.name}`]);
    }
    await startServices(nodes[0]!, ALLOWED, OTHER_SERVICE, NODE_DNS);
    await lab.apply({ ...emptyCluster, nodes: places.map(nodeObject) });
    lab.server.apply(...allowedService);
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
    const [first, , third, fourth] = pods as [DefaultPod, DefaultPod, DefaultPod, DefaultPod];
    const questions = [...betweenPods([first], [fourth]), ...toPod(first.node, third, PROBED), ...neededBy(first)];
    await expectAnswered(questions);
  });

  it('reach none there once they are attached, by TCP, UDP and ICMP in both families', async () => {
    for (const pod of pods) await attach(pod);
    await expectUnanswered(betweenPods(pods, pods));
  });

  it('reach DNS and the Kubernetes API, and are probed by their own nodes, and nothing more', async () => {
    const [first, , third] = pods as [DefaultPod, DefaultPod, DefaultPod];
    const atNode = (['udp', 'tcp'] as const).map((protocol) => toService(first, protocol, NODE_DNS, 53));
    const questions = [...neededBy(first), ...atNode, ...toPod(third.node, third, PROBED)];
    await expectAnswered(questions);
    const refused = [
      toService(first, 'tcp', NODE_DNS, PROBED),
      toService(first, 'tcp', DNS, PROBED),
      toService(first, 'udp', API, 443),
      toService(first, 'icmp', DNS, 0),
      ...toPod(first.node, first, OTHER),
      ...toPod(first.node, third, PROBED),
    ];
    await expectUnanswered(refused);
  });

  it('reach a Service of the default network that is allowed, by the port that is, and no other one', async () => {
    const [first] = pods as [DefaultPod];
    await expectAnswered([toService(first, 'tcp', ALLOWED, PROBED)]);
    await expectUnanswered([toService(first, 'tcp', ALLOWED, 443), toService(first, 'tcp', OTHER_SERVICE, PROBED)]);
    const deviceOf = async (address: string) =>
      / dev (\S+)/.exec(await first.node.does(ip`-n ${namespaceOf(first)} route get ${address}`))?.[1];
    for (const address of [API, DNS, NODE_DNS, ALLOWED]) expect(await deviceOf(address)).to.equal('eth0');
    for (const address of [OTHER_SERVICE, '10.96.255.9']) expect(await deviceOf(address)).to.equal('net1');
  });

  it('stay apart while their agent is dead; nothing else keeps them apart; the next agent does', async () => {
    const [first, second] = pods as [DefaultPod, DefaultPod];
    const questions = betweenPods([first], [second]);
    const before = await tableOf(nodes[0]!);
    await agents[0]!.stop('SIGKILL');
    await expectUnanswered(questions);
    await nodes[0]!.does(['nft', 'delete table netdev ovn-uplinks']);
    await expectAnswered(questions);
    await startAgent(0);
    await untilTable(nodes[0]!, before);
    await expectUnanswered(questions);
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
      await untilTable(node, before);
    }
    expect(await agents[0]!.log()).to.match(
      /Pod\/blue\/on-worker-a: its interface \S+ in the default network was not locked/,
    );
  });

  it('are probed from another address that their node gets', async () => {
    const [first] = pods as [DefaultPod];
    await first.node.does(ip`address add 198.51.100.99/32 dev vec0`);
    await eventually('it passes', async () => (await tableOf(first.node)).includes('198.51.100.99'));
    await first.node.does(ip`address delete 198.51.100.99/32 dev vec0`);
    await eventually('it does not pass', async () => !(await tableOf(first.node)).includes('198.51.100.99'));
  });

  it('are reached by others at a port that one of them opens while it runs, until it is closed', async () => {
    const [first, , third] = pods as [DefaultPod, DefaultPod, DefaultPod];
    const client = { node: first.node, namespace: 'shop', name: 'client', uid: 'client', network: '' };
    await startDefault(client);
    const asks = (protocol: 'tcp' | 'udp' | 'sctp', port: number) =>
      third.defaultAddresses.map((to) => ({
        node: client.node,
        asked: { from: namespaceOf(client), protocol, to, port },
      }));
    const open = [...toPod(first.node, third, OTHER), ...asks('tcp', OTHER), ...asks('sctp', OTHER)];
    const closed = [
      ...toPod(first.node, third, PROBED),
      ...(['tcp', 'udp', 'sctp'] as const).flatMap((protocol) => asks(protocol, PROBED)),
    ];
    const annotate = (text: string) =>
      lab.server.kubectl([
        'annotate',
        'pod',
        third.name,
        '-n',
        third.namespace,
        `k8s.ovn.org/open-default-ports${text}`,
      ]);
    const isOpen = async () => (await tableOf(third.node)).includes(`tcp dport ${String(OTHER)} accept`);
    await expectUnanswered([...open, ...closed]);
    const ports = [
      ...['tcp', 'sctp'].map((protocol) => ({ protocol, port: OTHER })),
      { protocol: 'udp', port: PROBED },
    ];
    annotate(`=${JSON.stringify(ports)}`);
    await eventually('the port is open', isOpen);
    await expectAnswered(open);
    await expectUnanswered([...closed, ...betweenPods([third], [first])]);
    await eventually('the pod says that the other one is closed', () =>
      /OpenPortsRefused .*found udp.*opens only tcp /.test(
        lab.server.kubectl(['describe', 'pod', third.name, '-n', third.namespace]),
      ),
    );
    annotate('-');
    await eventually('the port is closed', async () => !(await isOpen()));
    await expectUnanswered([...open, ...closed]);
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
      await expectUnanswered(betweenPods([late], [pods[1]!]));
      const questions = neededBy(late);
      await expectAnswered(questions);
      await endPod(late);
      expect(await chainsOf(node)).to.deep.equal(before);
    } finally {
      await lab.server.startApiServer();
    }
  });

  /** A pod that Multus starts, as its annotations say. */
  async function selecting(inNamespace: string, name: string, annotations: Readonly<Record<string, string>>) {
    const [node] = nodes as [LabNode];
    const pod = { node, namespace: inNamespace, name };
    const [uid = ''] = await createPods({ server: lab.server, administrator }, [{ ...pod, annotations }]);
    await node.does(ip`netns add ${namespaceOf(pod)}`, ip`-n ${namespaceOf(pod)} link set lo up`);
    return { ...pod, uid, network: '' };
  }
  const portsOfSwitch = (network: string) =>
    nodes[0]!.does(['ovn-nbctl', 'lsp-list', `cluster_udn_${network}_worker-a`]);

  it('are attached by Multus to the network of their namespace, whether they select it, another one or nothing, and locked', async () => {
    const multus = new Multus(lab, nodes[0]!);
    const ipam = { type: 'host-local', ranges: [[{ subnet: '10.99.0.0/24' }]] };
    lab.server.apply({
      apiVersion: 'k8s.cni.cncf.io/v1',
      kind: 'NetworkAttachmentDefinition',
      metadata: { name: 'storage', namespace: 'blue' },
      spec: { config: JSON.stringify({ cniVersion: '1.0.0', name: 'storage', type: 'ptp', ipam }) },
    });
    for (const [name, annotations, further] of [
      ['own', { 'k8s.v1.cni.cncf.io/networks': 'blue' }, []],
      ['nothing', {}, []],
      ['listed', { 'k8s.v1.cni.cncf.io/networks': 'blue/storage' }, ['net2']],
      ['json', { 'k8s.v1.cni.cncf.io/networks': '[{"name": "storage", "interface": "disk0"}]' }, ['disk0']],
    ] as const) {
      const before = await chainsOf(nodes[0]!);
      const pod = await selecting('blue', name, annotations);
      const status = await multus.add(pod);
      expect(status.map((each) => each.interface)).to.deep.equal(['eth0', 'net1', ...further]);
      expect(status[1]?.ips[0]).to.match(/^10\.20\.0\./);
      expect(await portsOfSwitch('blue')).to.include(`blue.blue_blue_${name}`);
      expect(await portsOfSwitch('red')).not.to.include(name);
      expect(await chainsOf(nodes[0]!)).to.have.length(before.length + 2);
      await multus.delete(pod);
      expect(await chainsOf(nodes[0]!)).to.deep.equal(before);
    }
  });

  it('are refused twice in their network, and in a namespace that has none, of which nothing is left', async () => {
    const multus = new Multus(lab, nodes[0]!);
    lab.server.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'green' } });
    const before = [await chainsOf(nodes[0]!), await portsOfSwitch('blue'), await portsOfSwitch('red')];
    for (const [inNamespace, name, selection, reason] of [
      ['blue', 'greedy', 'blue, blue', 'interface net1 of the pod is in that network already'],
      // By whatever name: it would be their own network once more.
      ['blue', 'curious', 'red/red', 'interface net1 of the pod is in that network already'],
      ['green', 'strange', 'red/red', 'Namespace/green has no label k8s.ovn.org/primary-user-defined-network'],
    ] as const) {
      const pod = await selecting(inNamespace, name, { 'k8s.v1.cni.cncf.io/networks': selection });
      const error = await multus.add(pod).then(
        () => 'attached',
        (refusal: unknown) => String(refusal),
      );
      expect(error).to.include(reason);
      expect([await chainsOf(nodes[0]!), await portsOfSwitch('blue'), await portsOfSwitch('red')]).to.deep.equal(
        before,
      );
    }
  });

  it('are not in the default network at all where their annotation has their own in its place', async () => {
    const multus = new Multus(lab, nodes[0]!);
    const before = await chainsOf(nodes[0]!);
    const pod = await selecting('blue', 'without', { 'v1.multus-cni.io/default-network': 'blue/blue' });
    const status = await multus.add(pod);
    expect(status.map(({ interface: name, ips }) => [name, ips[0]?.replace(/\d+$/, '')])).to.deep.equal([
      ['eth0', '10.20.0.'],
    ]);
    expect(await chainsOf(nodes[0]!)).to.deep.equal(before);
    await multus.delete(pod);
  });

  it('leave nothing on the node, and of others everything', async () => {
    const [first, second] = pods as [DefaultPod, DefaultPod];
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
