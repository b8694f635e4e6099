import { expect } from 'chai';
import { emptyCluster } from '../../../src/domain/index.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { Administrator } from '../kubernetes/administrator.ts';
import { namespace } from '../kubernetes/network-objects.ts';
import { configWith } from '../kubernetes/served-config.ts';
import type { NodeAgent } from '../lab/agent/node-agent.ts';
import { LabCluster } from '../lab/cluster/lab-cluster.ts';
import { ovsVsctl } from '../lab/commands.ts';
import type { LabNode } from '../lab/node.ts';
import { startAnswering } from '../lab/packets/exchange.ts';
import { SteadyTraffic } from '../lab/packets/steady.ts';
import { configureNetwork, namespaceOf, type StartedPod, startPod } from '../lab/whole-networks/lab-pod.ts';
import { createPods } from '../lab/whole-networks/objects.ts';
import { nodeObject, startWholeNode, type WholePlace } from '../lab/whole-networks/whole-node.ts';
import { LabContainer } from './lab-container.ts';
import { type Pod, podOf, withContainer } from './pod.ts';
import { unpackedImage, type UnpackedImage } from './unpacked-image.ts';

const places: readonly WholePlace[] = [
  { name: 'worker-a', address: '198.51.100.10', podSubnet: '10.244.0.0/24' },
  { name: 'worker-b', address: '198.51.100.11', podSubnet: '10.244.1.0/24' },
];

const network = {
  apiVersion: 'k8s.ovn.org/v1',
  kind: 'ClusterUserDefinedNetwork',
  metadata: { name: 'blue' },
  spec: {
    namespaceSelector: { matchLabels: { tenant: 'blue' } },
    network: { topology: 'Layer3', layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16', hostSubnet: 24 }] } },
  },
};

/** Where a node has the files of the agent's service account. */
const SERVICE_ACCOUNT = '/run/secrets/kubernetes.io/serviceaccount';

/** The socket of the Southbound database for agents. */
const PRIVATE = 'unix:/run/ovn/ovnsb_private.sock';

/** Where `config` has the databases. */
const FOLDER = '/var/lib/ovn-uplinks/ovn';

const ADMITTED = 'the Southbound database is complete';

/** Requests a second of a running pod to another one. */
const RATE = 50;

/** A node with what runs on it. */
interface OvnNode {
  readonly node: LabNode;
  readonly agent: NodeAgent;
  databases: LabContainer;
  /** The settings of Open vSwitch before anything ran. */
  readonly untouched: string;
}

async function settingsOf(node: LabNode): Promise<string> {
  return (await node.does(['ovs-vsctl', 'get', 'Open_vSwitch', '.', 'external_ids'])).trim();
}

async function admissionsOn({ agent }: OvnNode): Promise<number> {
  return (await agent.log()).split(ADMITTED).length - 1;
}

describe('OVN from the image, and an agent, on two nodes', () => {
  let lab: LabCluster;
  let administrator: Administrator;
  let image: UnpackedImage;
  let whole: Pod;
  let nodes: readonly OvnNode[];

  function start(node: LabNode, name: string): Promise<LabContainer> {
    const { address: nodeAddress = '' } = places.find((place) => place.name === node.name) ?? {};
    return LabContainer.start(node, image, withContainer(whole, name), { nodeAddress });
  }

  /** Starts a node with OVN, whose databases are empty, and an agent. */
  async function startNode(place: WholePlace): Promise<OvnNode> {
    const node = await startWholeNode(lab, place, { ovn: false });
    // A node that has had an OVN before: ovn-controller that finds this bridge and an empty Southbound database when it starts does nothing for ever.
    if (place === places[1]) await node.does(ovsVsctl`add-br br-int -- set Bridge br-int fail_mode=secure`);
    const untouched = await settingsOf(node);
    await lab.apply({ ...emptyCluster, nodes: [nodeObject(place)] });
    await lab.newToken(node);
    const databases = await start(node, 'databases');
    await databases.untilLogged('ovsdb-server \\(Open vSwitch\\)');
    await start(node, 'northd');
    await start(node, 'controller');
    const agent = await lab.startAgent(
      node,
      '--networks=all',
      `--ovn-southbound=${PRIVATE}`,
      '--admit-controller=punix:/run/ovn/ovnsb_db.sock',
    );
    await agent.untilLogged('serving container runtimes');
    return { node, agent, databases, untouched };
  }

  /** Creates a pod and starts it. */
  async function newPod(node: LabNode, name: string): Promise<StartedPod> {
    const scheduled = { node, namespace: 'blue', name };
    const [uid = ''] = await createPods({ server: lab.server, administrator }, [scheduled]);
    const pod = { ...scheduled, uid, network: 'cluster_udn_blue' };
    return { ...pod, addresses: await startPod(pod) };
  }

  const to = (from: StartedPod, { addresses: [address = ''] }: StartedPod) => ({
    from: namespaceOf(from),
    to: address,
    rate: RATE,
  });

  before(async () => {
    image = unpackedImage();
    lab = await LabCluster.start();
    administrator = await Administrator.of(lab.server);
    await lab.install('networks', 'ovn');
    whole = podOf(lab.server.kubectl(['kustomize', configWith('networks', 'ovn')]), 'DaemonSet', 'ovn-uplinks-ovn');
    await lab.startManager('--networks=all');
    nodes = await Promise.all(places.map(startNode));
    lab.server.apply(namespace('blue', 'blue'), network);
    lab.server.kubectl(['wait', '--for=condition=NetworkCreated', 'cudn/blue', '--timeout=60s']);
    const definition = await administrator.get('NetworkAttachmentDefinition', 'blue/blue');
    const { config } = definition?.['spec'] as { readonly config: string };
    for (const { node } of nodes) await configureNetwork(node, config);
  });
  after(async () => {
    administrator.close();
    await lab.stop();
  });

  it('attach pods, and lose no packet between them where the databases of one node after the other are lost', async () => {
    const [here, there] = nodes as [OvnNode, OvnNode];
    const first = await newPod(here.node, 'first');
    const second = await newPod(here.node, 'second');
    const third = await newPod(there.node, 'third');
    await startAnswering(here.node, [first, second].map(namespaceOf));
    await startAnswering(there.node, [namespaceOf(third)]);
    const traffic = [
      await SteadyTraffic.start(here.node, [to(first, second), to(first, third)]),
      await SteadyTraffic.start(there.node, [to(third, second)]),
    ];
    for (const each of nodes) {
      const { node } = each;
      expect(await admissionsOn(each), node.name).to.equal(1);
      await each.databases.stop('KILL');
      await node.does(['/bin/busybox', 'rm', '-r', FOLDER], ['/bin/busybox', 'mkdir', FOLDER]);
      each.databases = await start(node, 'databases');
      await eventually(
        `ovn-controller of ${node.name} is admitted again`,
        async () => (await admissionsOn(each)) === 2,
      );
      // What ovn-controller does then does not take packets away either.
      expect((await newPod(node, `after-on-${node.name}`)).addresses).to.have.length(1);
    }
    for (const each of traffic) await each.expectNothingLost();
  });

  it('leave Open vSwitch as it was where everything is removed by the pods of config/cleanup', async () => {
    const manifests = lab.server.kubectl(['kustomize', configWith('networks', 'ovn', 'cleanup')]);
    const pod = podOf(manifests, 'DaemonSet', 'ovn-uplinks-node');
    expect(pod.spec.initContainers?.map(({ name }) => name)).to.deep.equal(['cleanup']);
    const surroundings = { cluster: { serviceAccount: SERVICE_ACCOUNT, apiServer: lab.server } };
    for (const { node, agent, untouched } of nodes) {
      expect(await settingsOf(node))
        .to.contain('ovn-remote')
        .and.to.contain('ovn-uplinks-is-interconn');
      await agent.stop();
      const cleanup = await LabContainer.start(node, image, withContainer(pod, 'cleanup'), surroundings);
      expect(await cleanup.exit()).to.deep.equal({ exitCode: 0 });
      expect(await settingsOf(node)).to.equal(untouched);
      // Its pod is ready as long as it is not deleted.
      const waiting = await LabContainer.start(node, image, withContainer(pod, 'node'), surroundings);
      await waiting.untilLogged('what agents had programmed is removed from this node');
      expect(await waiting.stop()).to.deep.equal({ exitCode: 0 });
    }
  });
});
