import { expect } from 'chai';
import { POD_NETWORKS_ANNOTATION } from '../../../../src/domain/conventions.ts';
import { emptyCluster } from '../../../../src/domain/index.ts';
import { eventually } from '../../../unit/adapters/processes.ts';
import { Administrator } from '../../kubernetes/administrator.ts';
import { namespace } from '../../kubernetes/network-objects.ts';
import type { NodeAgent } from '../agent/node-agent.ts';
import { LabCluster } from '../cluster/lab-cluster.ts';
import { describeOnEachUserland } from '../each-userland.ts';
import { defaultUserland } from '../userland.ts';
import { type NodeState, stateDifferences, stateOfNode } from '../cluster/node-end-state.ts';
import type { LabNode } from '../node.ts';
import { startAnswering } from '../packets/exchange.ts';
import { observed } from '../zones/zone-node.ts';
import { badCalls, refusalOf } from './bad-calls.ts';
import {
  callPlugin,
  configureNetwork,
  endPod,
  namespaceOf,
  portsOf,
  PRIMARY_INTERFACE,
  type ScheduledPod,
  startDefault,
  type StartedPod,
  startPod,
} from './lab-pod.ts';
import { networkOf, podObject } from './objects.ts';
import { answersOf, expectTenantsApart } from './reachability.ts';
import { nodeObject, startWholeNode, type WholePlace } from './whole-node.ts';

const places: readonly WholePlace[] = [
  { name: 'worker-a', address: '198.51.100.10', podSubnet: '10.244.0.0/24' },
  { name: 'worker-b', address: '198.51.100.11', podSubnet: '10.244.1.0/24' },
];

/** The tenants, each with a namespace of its name. They have the same subnets. */
const tenants = ['blue', 'red'] as const;

const MAC_FILE = `/sys/class/net/${PRIMARY_INTERFACE}/address`;

/** ovn-controller keeps one row for the tunnels that it has had (ovn-controller, binding.c, setup_qos). */
const isOfTunnels = (row: string) => row.includes('QoS table') && row.includes('"type":"linux-noop"');

/** Waits until the port of the other node of each tenant is bound to its chassis. */
async function hasRemotePorts(node: LabNode): Promise<void> {
  await eventually(
    `${node.name} has a port of the other node for each tenant`,
    async () => (await observed(node)).remotePorts.length === tenants.length,
  );
}

describeOnEachUserland(
  'two tenants with the same subnets, provided by ovn-uplinks on two nodes',
  (_machine, userland) => {
    let lab: LabCluster;
    let administrator: Administrator;
    let nodes: readonly LabNode[];
    let agents: NodeAgent[];
    let untouched: readonly NodeState[];
    const pods: StartedPod[] = [];

    /** Creates the object of a pod. */
    async function newObject(node: LabNode, tenant: string, name: string): Promise<ScheduledPod> {
      const pod = { node, namespace: tenant, name };
      lab.server.apply(podObject(pod));
      const stored = await administrator.get('Pod', `${tenant}/${name}`);
      const { uid } = stored?.['metadata'] as { readonly uid: string };
      return { ...pod, uid, network: `cluster_udn_${tenant}` };
    }

    /** Creates a pod and starts it. */
    async function newPod(node: LabNode, tenant: string, name: string): Promise<StartedPod> {
      const scheduled = await newObject(node, tenant, name);
      return { ...scheduled, addresses: await startPod(scheduled) };
    }

    /** Starts the agent of a node, and waits until it serves runtimes. */
    async function startAgent(index: number): Promise<void> {
      const { length } = Buffer.from((await agents[index]?.log()) ?? '');
      const agent = await lab.startAgent(nodes[index]!, '--networks=all');
      agents[index] = agent;
      await agent.untilLogged(`\\A.{${length}}.*serving container runtimes`);
    }

    /** The addresses of a pod by its annotation. */
    async function annotatedAddresses(inNamespace: string, name: string): Promise<readonly string[]> {
      const stored = await administrator.get('Pod', `${inNamespace}/${name}`);
      const { annotations = {} } = stored?.['metadata'] as { readonly annotations?: Readonly<Record<string, string>> };
      const entries = JSON.parse(annotations[POD_NETWORKS_ANNOTATION] ?? '{}') as Readonly<
        Record<string, { readonly ip_addresses: readonly string[] }>
      >;
      const { ip_addresses: found = [] } = entries[`${inNamespace}/${inNamespace}`] ?? {};
      return found.map((address) => address.replace(/\/.*/, ''));
    }

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
        const pod = await newObject(node, 'blue', 'twice');
        await startDefault(pod);
        const ends = await Promise.all([1, 2].map(() => callPlugin(pod, 'add')));
        expect(ends.map(({ exitCode }) => exitCode).sort()).to.deep.equal([0, 1]);
        expect(ends.map(({ stderr }) => stderr).join()).to.include('there is an interface net1 in the namespace');
        await endPod(pod);
        lab.server.kubectl(['delete', 'pod/twice', '--namespace=blue']);
      });

      it('attach a pod after their agent was killed while it attached it', async () => {
        const [node] = nodes as [LabNode];
        const before = await portsOf(node);
        const pod = await newObject(node, 'blue', 'interrupted');
        await startDefault(pod);
        const attached = agents[0]!.untilLogged(`"pods":${before.length + 1},(?!.*"pods":${before.length},)`);
        const [end] = await Promise.all([callPlugin(pod, 'add'), attached.then(() => agents[0]!.stop('SIGKILL'))]);
        process.stdout.write(`      ADD ended with status ${end.exitCode}\n`);
        await startAgent(0);
        if (end.exitCode !== 0) {
          await eventually('the next agent detaches it', async () => (await callPlugin(pod, 'del')).exitCode === 0);
          expect(await portsOf(node)).to.deep.equal(before);
          await eventually('it is attached', async () => (await callPlugin(pod, 'add')).exitCode === 0);
        }
        expect(await portsOf(node)).to.have.length(before.length + 1);
        expect(await answersOf(pod, pods[2]!.addresses[0]!)).to.equal(1);
        await endPod(pod);
        expect(await portsOf(node)).to.deep.equal(before);
        lab.server.kubectl(['delete', 'pod/interrupted', '--namespace=blue']);
      });
    }

    before(async () => {
      lab = await LabCluster.start();
      administrator = await Administrator.of(lab.server);
      await lab.install('networks');
      nodes = await Promise.all(places.map((place) => startWholeNode(lab, place, userland)));
      untouched = await Promise.all(nodes.map((node) => stateOfNode(node, [])));
      await lab.apply({ ...emptyCluster, nodes: places.map(nodeObject) });
      await lab.startManager('--networks=all');
      for (const node of nodes) await lab.newToken(node);
      agents = [];
      await Promise.all(nodes.map((_, index) => startAgent(index)));
      lab.server.apply(...tenants.map((tenant) => namespace(tenant, tenant)), ...tenants.map(networkOf));
    });
    after(async () => {
      administrator.close();
      await lab.stop();
    });

    it('get their pods attached by the CNI plugin, beside the default network', async () => {
      for (const tenant of tenants) {
        for (const type of ['NetworkCreated', 'NetworkReady'])
          lab.server.kubectl(['wait', `--for=condition=${type}`, `cudn/${tenant}`, '--timeout=60s']);
        const definition = await administrator.get('NetworkAttachmentDefinition', `${tenant}/${tenant}`);
        const { config } = definition?.['spec'] as { readonly config: string };
        for (const node of nodes) await configureNetwork(node, config);
      }
      for (const node of nodes) {
        for (const tenant of tenants) pods.push(await newPod(node, tenant, `on-${node.name}`));
        await hasRemotePorts(node);
      }
      pods.push(await newPod(nodes[1]!, 'red', 'second'));
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
      await Promise.all(nodes.map((node) => expectTenantsApart(node, pods, [pods.at(-1)!])));
    });

    it('have their addresses on their pods', async () => {
      for (const { namespace: inNamespace, name, addresses } of pods) {
        expect(await annotatedAddresses(inNamespace, name), name).to.deep.equal(addresses);
      }
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

    // They do not depend on programs of the node.
    if (userland === defaultUserland()) describeCalls();

    it('go on while the API server is away: a pod that the agent knows is attached, others are detached', async () => {
      const [node] = nodes as [LabNode];
      const known = await newObject(node, 'blue', 'late');
      const gone = await newPod(node, 'blue', 'gone');
      await agents[0]!.untilLogged('ADD Pod/blue/gone');
      await lab.server.stopApiServer();
      try {
        const late = { ...known, addresses: await startPod(known) };
        const [, , there] = pods as [StartedPod, StartedPod, StartedPod];
        expect(await answersOf(late, there.addresses[0]!)).to.equal(1);
        await endPod(gone);
        pods.push(late);
      } finally {
        await lab.server.startApiServer();
      }
      lab.server.kubectl(['delete', 'pod/gone', '--namespace=blue']);
      await eventually('the annotation follows', async () => (await annotatedAddresses('blue', 'late')).length === 2);
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
      await hasRemotePorts(node);
      const there = pods.find((pod) => pod.node !== node && pod.namespace === 'blue')!;
      for (const pod of own.filter(({ namespace: inNamespace }) => inNamespace === 'blue')) {
        await eventually(`${pod.name} is answered`, async () => (await answersOf(pod, there.addresses[0]!)) === 1);
      }
    });

    it('leave nothing on the nodes once pods and networks are deleted', async () => {
      for (const pod of pods.splice(0)) {
        await endPod(pod);
        lab.server.kubectl(['delete', `pod/${pod.name}`, `--namespace=${pod.namespace}`]);
      }
      lab.server.kubectl(['delete', ...tenants.map((tenant) => `cudn/${tenant}`), '--timeout=60s']);
      for (const [index, node] of nodes.entries()) {
        let differences: readonly string[] = [];
        await eventually(`${node.name} is as before`, async () => {
          const all = stateDifferences(untouched[index]!, await stateOfNode(node, []));
          differences = all.filter((line) => !isOfTunnels(line));
          return differences.length === 0;
        }).catch(() => expect(differences).to.deep.equal([]));
      }
    });
  },
);
