import { expect } from 'chai';
import { eventually } from '../../../unit/adapters/processes.ts';
import { describeOnEachUserland } from '../each-userland.ts';
import { defaultUserland } from '../userland.ts';
import { databaseRows } from '../agent/switch-rows.ts';
import { isOfTunnels, type NodeState, stateDifferences, stateOfNode } from '../cluster/node-end-state.ts';
import type { LabNode } from '../node.ts';
import { startAnswering } from '../packets/exchange.ts';
import { withoutUuids } from '../packets/programmed.ts';
import { SteadyTraffic } from '../packets/steady.ts';
import { SOUTHBOUND } from '../zones/zone-node.ts';
import { badCalls, refusalOf } from './bad-calls.ts';
import {
  callPlugin,
  endPod,
  namespaceOf,
  portsOf,
  PRIMARY_INTERFACE,
  startDefault,
  type StartedPod,
  startPod,
} from './lab-pod.ts';
import { answersOf, expectTenantsApart, forgedArrivals } from './reachability.ts';
import { hasRemotePorts, WholeCluster } from './whole-cluster.ts';
import type { WholePlace } from './whole-node.ts';

const places: readonly WholePlace[] = [
  { name: 'worker-a', address: '198.51.100.10', podSubnet: '10.244.0.0/24' },
  { name: 'worker-b', address: '198.51.100.11', podSubnet: '10.244.1.0/24' },
];

/** The tenants, each with a namespace of its name. They have the same subnets. */
const tenants = ['blue', 'red'] as const;

const networksOfTenants = tenants.map((tenant) => `cudn/${tenant}`);

/** The state of a node, with what OVN has made of it. */
async function stateOfZone(node: LabNode): Promise<NodeState> {
  const { snapshot, rows } = await stateOfNode(node, []);
  const southbound = await databaseRows(node, SOUTHBOUND, 'OVN_Southbound');
  // The snapshot has the chassis of other nodes. On its own, ovn-controller notes some time later what the switch can do.
  const ofNetworks = southbound.filter((row) => !row.startsWith('Chassis table'));
  return { snapshot, rows: [...rows, ...ofNetworks.map(withoutUuids)] };
}

const MAC_FILE = `/sys/class/net/${PRIMARY_INTERFACE}/address`;

describeOnEachUserland(
  'two tenants with the same subnets, provided by ovn-uplinks on two nodes',
  (_machine, userland) => {
    let cluster: WholeCluster;
    let nodes: readonly LabNode[];
    let untouched: readonly NodeState[];
    const pods: StartedPod[] = [];

    function describeCalls(): void {
      for (const call of badCalls) {
        it(`refuse a call with ${call.what}, and name it`, async () => {
          const [node] = nodes as [LabNode];
          const before = await portsOf(node);
          const printed = await refusalOf(node, namespaceOf(pods[0]!), call);
          expect(JSON.parse(printed)).to.include({ code: call.code });
          expect(printed).to.include(call.text);
          expect(await portsOf(node)).to.deep.equal(before);
        });
      }

      it('attach a pod whose runtime asks for it twice at once, once', async () => {
        const [node] = nodes as [LabNode];
        const pod = await cluster.newObject(node, 'blue', 'twice');
        await startDefault(pod);
        const ends = await Promise.all([1, 2].map(() => callPlugin(pod, 'add')));
        expect(ends.map(({ exitCode }) => exitCode).sort()).to.deep.equal([0, 1]);
        expect(ends.map(({ stderr }) => stderr).join()).to.include('there is an interface net1 in the namespace');
        await cluster.deletePod(pod);
      });

      it('go on in their network while their namespace is not selected any more, and while the other network selects it', async () => {
        const [node] = nodes as [LabNode];
        const { server } = cluster.lab;
        const label = (tenant: string) =>
          server.kubectl(['label', '--overwrite', 'namespace/blue', `tenant=${tenant}`]);
        const until = (network: string, message: string) =>
          server.kubectl([
            'wait',
            `--for=jsonpath={.status.conditions[?(@.type=="NetworkCreated")].message}=${message}`,
            `cudn/${network}`,
            '--timeout=60s',
          ]);
        const used = '0 namespaces have the network; still used by pods in blue (on-worker-a, on-worker-b)';
        const before = await portsOf(node);
        label('nobody');
        until('blue', used);
        label('red');
        until(
          'red',
          '1 of 2 namespaces do not have the network: blue (PodsExist); blue: it already has pods: on-worker-a, on-worker-b',
        );
        await expectTenantsApart(node, pods);
        expect(await portsOf(node)).to.deep.equal(before);
        label('blue');
        until('blue', '1 namespace has the network');
        until('red', '1 namespace has the network');
      });

      it('attach a pod after their agent was killed while it attached it', async () => {
        const [node] = nodes as [LabNode];
        const before = await portsOf(node);
        const pod = await cluster.newObject(node, 'blue', 'interrupted');
        await startDefault(pod);
        const attached = cluster
          .agentOf(node)
          .untilLogged(`"pods":${before.length + 1},(?!.*"pods":${before.length},)`);
        const [end] = await Promise.all([
          callPlugin(pod, 'add'),
          attached.then(() => cluster.agentOf(node).stop('SIGKILL')),
        ]);
        process.stdout.write(`      ADD ended with status ${end.exitCode}\n`);
        await cluster.restartAgent(node);
        if (end.exitCode !== 0) {
          await eventually('the next agent detaches it', async () => (await callPlugin(pod, 'del')).exitCode === 0);
          expect(await portsOf(node)).to.deep.equal(before);
          await eventually('it is attached', async () => (await callPlugin(pod, 'add')).exitCode === 0);
        }
        expect(await portsOf(node)).to.have.length(before.length + 1);
        expect(await answersOf(pod, pods[2]!.addresses[0]!)).to.equal(1);
        await endPod(pod);
        expect(await portsOf(node)).to.deep.equal(before);
        cluster.deleteObject(pod);
      });
    }

    before(async () => {
      cluster = await WholeCluster.start({ userland });
      nodes = await Promise.all(places.map((place) => cluster.startNode(place)));
      untouched = await Promise.all(nodes.map(stateOfZone));
      await cluster.register(...places);
      await Promise.all(nodes.map((node) => cluster.startAgent(node)));
      cluster.createTenants(tenants);
    });
    after(() => cluster.stop());

    it('get their pods attached by the CNI plugin, beside the default network', async () => {
      await cluster.untilReady(tenants, nodes);
      for (const node of nodes) {
        for (const tenant of tenants) pods.push(await cluster.newPod(node, tenant, `on-${node.name}`));
        await hasRemotePorts(node, tenants.length);
      }
      pods.push(await cluster.newPod(nodes[1]!, 'red', 'second'));
      for (const node of nodes) {
        await startAnswering(node, pods.filter((pod) => pod.node === node).map(namespaceOf));
      }
      expect(pods.map(({ addresses }) => addresses)).to.deep.equal([
        ['10.20.0.3', 'fd20::3'],
        ['10.20.0.3', 'fd20::3'],
        ['10.20.1.3', 'fd20:0:0:1::3'],
        ['10.20.1.3', 'fd20:0:0:1::3'],
        ['10.20.1.4', 'fd20:0:0:1::4'],
      ]);
    });

    it('reach all pods of their own on both nodes by TCP, UDP and ICMP in both families, and none of the other', async () => {
      await Promise.all(nodes.map((node) => expectTenantsApart(node, pods)));
    });

    it('have their addresses on their pods', async () => {
      for (const pod of pods) expect(await cluster.annotatedAddresses(pod), pod.name).to.deep.equal(pod.addresses);
    });

    it('answer no pod with a forged MAC or source address', async () => {
      const [from, , to] = pods as [StartedPod, StartedPod, StartedPod];
      const inPod = (...words: readonly string[]) =>
        ['ip', '-n', namespaceOf(from), ...words, 'dev', PRIMARY_INTERFACE] as const;
      const [own = ''] = from.addresses;
      const [other = ''] = to.addresses;
      expect(await answersOf(from, other)).to.equal(1);
      const forged = '10.20.0.99';
      await from.node.does(inPod('address', 'add', `${forged}/32`));
      const send = (source: string) =>
        from.node.run([
          ...['ip', 'netns', 'exec', namespaceOf(from)],
          ...['ping', '-c', '3', '-i', '0.2', '-W', '1', '-I', source, other],
        ]);
      expect((await send(forged)).exitCode).to.equal(1);
      expect((await send(own)).exitCode).to.equal(0);
      const mac = (await from.node.does(['ip', 'netns', 'exec', namespaceOf(from), 'cat', MAC_FILE])).trim();
      await from.node.does(inPod('link', 'set', 'address', '02:00:00:00:00:99'));
      expect((await send(own)).exitCode).to.equal(1);
      await from.node.does(inPod('link', 'set', 'address', mac), inPod('address', 'delete', `${forged}/32`));
      expect((await send(own)).exitCode).to.equal(0);
    });

    it('reach none of their own with a forged address, MAC, ARP packet, or neighbour discovery', async () => {
      const [, , , from, to] = pods as [StartedPod, StartedPod, StartedPod, StartedPod, StartedPod];
      // Those of the router: whoever had them would get what others send.
      const forged = ['0a:58:0a:14:01:01', '10.20.1.1', 'fd20:0:0:1::1'] as const;
      expect(await forgedArrivals(from, to, forged)).to.deep.equal([
        'own ARP reply',
        'own ARP request',
        'own IPv4',
        'own IPv6',
        'own advertisement',
        'own solicitation',
        // It says where packets to the pod's own address go: docs/limits.md.
        'solicitation with another MAC',
      ]);
    });

    // They do not depend on programs of the node.
    if (userland === defaultUserland()) describeCalls();

    it('go on while the API server is away: a pod that the agent knows is attached, others are detached', async () => {
      const [node] = nodes as [LabNode];
      const known = await cluster.newObject(node, 'blue', 'late');
      const gone = await cluster.newPod(node, 'blue', 'gone');
      await cluster.agentOf(node).untilLogged('ADD Pod/blue/gone');
      await cluster.lab.server.stopApiServer();
      try {
        const late = { ...known, addresses: await startPod(known) };
        const [, , there] = pods as [StartedPod, StartedPod, StartedPod];
        expect(await answersOf(late, there.addresses[0]!)).to.equal(1);
        await endPod(gone);
        pods.push(late);
      } finally {
        await cluster.lab.server.startApiServer();
      }
      cluster.deleteObject(gone);
      await eventually('the annotation follows', async () => (await cluster.annotatedAddresses(known)).length === 2);
    });

    it('keep the addresses of running pods when the Northbound database is lost', async () => {
      const [node] = nodes as [LabNode];
      const own = pods.filter((pod) => pod.node === node);
      const addresses = async () =>
        (await node.does(['ovn-nbctl', '--bare', '--columns=addresses', 'find', 'Logical_Switch_Port', 'type=""']))
          .split('\n')
          .filter((line) => line !== '')
          .sort();
      const before = await addresses();
      expect(before.length).to.be.greaterThan(own.length);
      await node.does([
        ...['ovn-nbctl', '--', '--all', 'destroy', 'Logical_Switch', '--', '--all', 'destroy', 'Logical_Router'],
        ...['--', '--all', 'destroy', 'Static_MAC_Binding'],
      ]);
      await eventually('all ports are there again', async () => (await addresses()).join() === before.join());
      await hasRemotePorts(node, tenants.length);
      const there = pods.find((pod) => pod.node !== node && pod.namespace === 'blue')!;
      for (const pod of own.filter(({ namespace: inNamespace }) => inNamespace === 'blue')) {
        await eventually(`${pod.name} is answered`, async () => (await answersOf(pod, there.addresses[0]!)) === 1);
      }
    });

    it('lose no packet while their networks are being deleted, which wait for them, also where an agent starts then', async () => {
      const [here, there] = nodes as [LabNode, LabNode];
      const running = (tenant: string, node: LabNode) =>
        pods.find((pod) => pod.namespace === tenant && pod.node === node)!;
      const streams = tenants.flatMap((tenant) =>
        running(tenant, there).addresses.map((to) => ({ from: namespaceOf(running(tenant, here)), to, rate: 50 })),
      );
      const traffic = await SteadyTraffic.start(here, streams);
      cluster.lab.server.kubectl(['delete', ...networksOfTenants, '--wait=false']);
      for (const tenant of tenants) {
        const names = pods.filter((pod) => pod.namespace === tenant).map(({ name }) => name);
        const message = `deletion waits for pods in namespace ${tenant} (${names.sort().join(', ')})`;
        cluster.untilMessage('NetworkCreated', tenant, message);
      }
      await cluster.agentOf(here).stop('SIGKILL');
      await cluster.restartAgent(here);
      await Promise.all(
        nodes.map((node) =>
          expectTenantsApart(
            node,
            pods.filter(({ name }) => name !== 'late'),
          ),
        ),
      );
      await traffic.expectNothingLost();
    });

    it('have networks that are gone after them, of which nothing is left on the nodes', async () => {
      for (const pod of pods.splice(0)) await cluster.deletePod(pod);
      cluster.lab.server.kubectl(['wait', '--for=delete', ...networksOfTenants, '--timeout=60s']);
      for (const [index, node] of nodes.entries()) {
        let differences: readonly string[] = [];
        await eventually(`${node.name} is as before`, async () => {
          const all = stateDifferences(untouched[index]!, await stateOfZone(node));
          differences = all.filter((line) => !isOfTunnels(line));
          return differences.length === 0;
        }).catch(() => expect(differences).to.deep.equal([]));
      }
    });
  },
);
