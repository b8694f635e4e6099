import { expect } from 'chai';
import { emptyCluster } from '../../../src/domain/index.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { Administrator } from '../kubernetes/administrator.ts';
import { namespace } from '../kubernetes/network-objects.ts';
import { configWith } from '../kubernetes/served-config.ts';
import type { NodeAgent } from '../lab/agent/node-agent.ts';
import { LabCluster } from '../lab/cluster/lab-cluster.ts';
import type { LabNode } from '../lab/node.ts';
import { configureNetwork, namespaceOf, startPod } from '../lab/whole-networks/lab-pod.ts';
import { createPods } from '../lab/whole-networks/objects.ts';
import { nodeObject, startWholeNode } from '../lab/whole-networks/whole-node.ts';
import { LabContainer } from './lab-container.ts';
import { type Pod, podOf, withContainer } from './pod.ts';
import { unpackedImage, type UnpackedImage } from './unpacked-image.ts';

const place = { name: 'worker-a', address: '198.51.100.10', podSubnet: '10.244.0.0/24' };

const network = {
  apiVersion: 'k8s.ovn.org/v1',
  kind: 'ClusterUserDefinedNetwork',
  metadata: { name: 'blue' },
  spec: {
    namespaceSelector: { matchLabels: { tenant: 'blue' } },
    network: { topology: 'Layer3', layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16', hostSubnet: 24 }] } },
  },
};

/** Where the node has the files of the agent's service account. */
const SERVICE_ACCOUNT = '/run/secrets/kubernetes.io/serviceaccount';

/** The socket of the Southbound database for agents. */
const PRIVATE = 'unix:/run/ovn/ovnsb_private.sock';

const PINGS = '/run/pings';
const ADMITTED = 'the Southbound database is complete';

describe('OVN from the image, and an agent,', () => {
  let lab: LabCluster;
  let administrator: Administrator;
  let node: LabNode;
  let agent: NodeAgent;
  let image: UnpackedImage;
  let whole: Pod;
  let databases: LabContainer;
  let untouched: string;

  const settings = async () => (await node.does(['ovs-vsctl', 'get', 'Open_vSwitch', '.', 'external_ids'])).trim();
  const start = (name: string) =>
    LabContainer.start(node, image, withContainer(whole, name), { nodeAddress: place.address });

  /** Creates a pod and starts it. */
  async function newPod(name: string) {
    const scheduled = { node, namespace: 'blue', name };
    const [uid = ''] = await createPods({ server: lab.server, administrator }, [scheduled]);
    const pod = { ...scheduled, uid, network: 'cluster_udn_blue' };
    return { pod, addresses: await startPod(pod) };
  }

  const admissions = async () => (await agent.log()).split(ADMITTED).length - 1;

  before(async () => {
    image = unpackedImage();
    lab = await LabCluster.start();
    administrator = await Administrator.of(lab.server);
    await lab.install('networks', 'ovn');
    whole = podOf(lab.server.kubectl(['kustomize', configWith('networks', 'ovn')]), 'DaemonSet', 'ovn-uplinks-ovn');
    node = await startWholeNode(lab, place, { ovn: false });
    untouched = await settings();
    await lab.apply({ ...emptyCluster, nodes: [nodeObject(place)] });
    await lab.startManager('--networks=all');
    await lab.newToken(node);
    databases = await start('databases');
    await databases.untilLogged('ovsdb-server \\(Open vSwitch\\)');
    await start('northd');
    await start('controller');
    agent = await lab.startAgent(
      node,
      '--networks=all',
      `--ovn-southbound=${PRIVATE}`,
      '--admit-controller=punix:/run/ovn/ovnsb_db.sock',
    );
    await agent.untilLogged('serving container runtimes');
    lab.server.apply(namespace('blue', 'blue'), network);
    lab.server.kubectl(['wait', '--for=condition=NetworkCreated', 'cudn/blue', '--timeout=60s']);
    const definition = await administrator.get('NetworkAttachmentDefinition', 'blue/blue');
    await configureNetwork(node, (definition?.['spec'] as { readonly config: string }).config);
  });
  after(async () => {
    administrator.close();
    await lab.stop();
  });

  it('attach pods, and lose no packet of them where the databases are lost', async () => {
    const [first, second] = [await newPod('first'), await newPod('second')];
    expect(await admissions()).to.equal(1);
    const ping = ['ping', '-n', '-i', '0.02', '-W', '2', second.addresses[0] ?? ''];
    const pinging = await node.start(['ip', 'netns', 'exec', namespaceOf(first.pod), ...ping], PINGS);
    await node.until([], PINGS, 'bytes from');
    await databases.stop('KILL');
    const folder = '/var/lib/ovn-uplinks/ovn';
    await node.does(['/bin/busybox', 'rm', '-r', folder], ['/bin/busybox', 'mkdir', folder]);
    databases = await start('databases');
    await eventually('ovn-controller is admitted again', async () => (await admissions()) === 2);
    // What ovn-controller does then does not take packets away either.
    expect((await newPod('third')).addresses).to.have.length(1);
    await pinging.signal('SIGINT');
    await pinging.exit();
    const [, sent = '', received = ''] = /(\d+) packets transmitted, (\d+) received/.exec(await node.read(PINGS)) ?? [];
    console.log(`      ${Number(sent) - Number(received)} of ${sent} packets lost`);
    expect(Number(sent)).to.be.above(50);
    expect(received).to.equal(sent);
  });

  it('leave Open vSwitch as it was where everything is removed by the pods of config/cleanup', async () => {
    expect(await settings())
      .to.contain('ovn-remote')
      .and.to.contain('ovn-uplinks-is-interconn');
    await agent.stop();
    const manifests = lab.server.kubectl(['kustomize', configWith('networks', 'ovn', 'cleanup')]);
    const pod = podOf(manifests, 'DaemonSet', 'ovn-uplinks-node');
    expect(pod.spec.initContainers?.map(({ name }) => name)).to.deep.equal(['cleanup']);
    const surroundings = { cluster: { serviceAccount: SERVICE_ACCOUNT, apiServer: lab.server } };
    const cleanup = await LabContainer.start(node, image, withContainer(pod, 'cleanup'), surroundings);
    expect(await cleanup.exit()).to.deep.equal({ exitCode: 0 });
    expect(await settings()).to.equal(untouched);
    // Its pod is ready as long as it is not deleted.
    const waiting = await LabContainer.start(node, image, withContainer(pod, 'node'), surroundings);
    await waiting.untilLogged('nothing of ovn-uplinks is left');
    expect(await waiting.stop()).to.deep.equal({ exitCode: 0 });
  });
});
