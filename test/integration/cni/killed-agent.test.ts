/**
 * The agent, killed at each step of its calls: the plugin, the agent with its adapters, OVN, Open vSwitch, nftables and the kernel are real; the objects of
 * the cluster are in memory.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { type ClusterSnapshot, emptyCluster, type Pod } from '../../../src/domain/index.ts';
import type { AttachStep } from '../../../src/ports/pods/pod-report.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { KilledAgent } from './killed-agent.ts';
import type { DetachStep } from './mortal-agent.ts';
import { configureNetwork, OvnOnHost } from './ovn.ts';
import { configureDefault, PodHost } from './pod-host.ts';
import { environmentOf, objects, podOf, ROUTER } from './served-pods.ts';

/** Those from the last one before the first effect on. */
const ATTACH_STEPS = Object.keys({
  namespace: true,
  addresses: true,
  annotation: true,
  interface: true,
  port: true,
  lock: true,
  flows: true,
  answer: true,
} satisfies Record<Exclude<AttachStep, 'objects' | 'turn'>, true>) as readonly AttachStep[];

const DETACH_STEPS = Object.keys({
  'interface-deleted': true,
  unlocked: true,
  'logical-port-removed': true,
  'switch-port-removed': true,
} satisfies Record<DetachStep, true>) as readonly DetachStep[];

const withPods = (pods: readonly Pod[]): ClusterSnapshot => ({
  ...emptyCluster,
  nodes: [objects.node],
  namespaces: [objects.namespace],
  clusterUserDefinedNetworks: [objects.network],
  pods,
  configMaps: [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'ovn-uplinks', name: 'ovn-uplinks-ids' },
      data: { 'node-3': 'worker-a', 'network-1': 'cluster_udn_blue' },
    },
  ],
});

/** The remains of attachments on a node. */
interface Remains {
  readonly logicalPorts: readonly string[];
  readonly switchPorts: readonly string[];
  readonly links: readonly string[];
  readonly locks: string;
}

const lines = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .sort();

describe('an agent that is killed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ovn-uplinks-test-'));
  const neighbour = podOf('neighbour');
  let host: PodHost;
  let ovn: OvnOnHost;
  let agent: KilledAgent;
  /** The state of the node with the neighbour alone. */
  let undisturbed: Remains;

  const startAgent = async (...pods: readonly Pod[]) => {
    agent = await KilledAgent.start(host, ovn, folder, withPods([neighbour, ...pods]));
  };
  const call = (command: 'add' | 'del' | 'check', pod: Pod) =>
    host.cnitool(command, 'cluster_udn_blue', pod.metadata.name, environmentOf(pod));
  const succeeds = async (command: 'add' | 'del' | 'check', pod: Pod) => {
    const { status, stderr } = await call(command, pod);
    expect(status, `${command} of ${pod.metadata.name}: ${stderr}`).to.equal(0);
  };

  /** Everything that attachments leave on the node. */
  const remains = async (): Promise<Remains> => ({
    logicalPorts: lines(
      await ovn.does(
        'ovn-nbctl --bare --no-headings --format=csv --columns=name,addresses find Logical_Switch_Port type=\'""\'',
      ),
    ),
    switchPorts: lines(await ovn.does('ovs-vsctl list-ports br-int')).filter((name) => name.startsWith('ovu')),
    links: lines(await host.does("ip -brief link show type veth | cut -d ' ' -f 1")),
    locks: await host.does('nft list ruleset'),
  });
  const untilNothingIsLeft = async () => {
    let found: unknown;
    await eventually('nothing is left', async () => {
      found = await remains();
      return isDeepStrictEqual(found, undisturbed);
    }).catch(() => expect(found).to.deep.equal(undisturbed));
  };

  /** Creates a pod, with its interface in the default network. */
  const create = async (name: string): Promise<Pod> => {
    const pod = podOf(name);
    await agent.set(withPods([neighbour, pod]));
    await host.does(`ip netns add ${name}`);
    const { status, stderr } = await host.cnitool('add', 'default', name, { CNI_IFNAME: 'eth0' });
    expect(status, stderr).to.equal(0);
    return pod;
  };
  /** Ends a pod whose attachment is deleted, or was forgotten by its runtime. */
  const end = async (pod: Pod) => {
    await host.does(`ip netns delete ${pod.metadata.name}`);
    await agent.set(withPods([neighbour]));
  };
  /** Makes a call in which the agent is killed, and starts the next one. */
  const killed = async (command: 'add' | 'del', pod: Pod, step: AttachStep | DetachStep) => {
    await agent.dieAfter(step);
    const [end, signal] = await Promise.all([call(command, pod), agent.untilKilled()]);
    expect(signal).to.equal('SIGKILL');
    await startAgent(pod);
    return end;
  };

  /** The addresses of the pod's logical switch port are its own, on its interface and in its annotation, and others answer it. */
  const works = async (pod: Pod) => {
    const { name, uid = '' } = pod.metadata;
    await succeeds('check', pod);
    const { logicalPorts } = await remains();
    const all = logicalPorts.flatMap((line) => line.match(/\d+\.\d+\.\d+\.\d+/g) ?? []);
    expect(new Set(all).size, logicalPorts.join('\n')).to.equal(2);
    const [port = ''] = logicalPorts.filter((line) => line.includes(name));
    const [own = 'none'] = port.match(/\d+\.\d+\.\d+\.\d+/) ?? [];
    expect(readFileSync(join(folder, 'annotations', uid), 'utf8')).to.include(`${own}/24`);
    for (const to of [...all.filter((each) => each !== own), ROUTER[6]]) {
      const ping = ['netns', 'exec', name, 'ping', '-c', '1', '-W', '5', to];
      expect((await host.run('ip', ping)).status, `${name} > ${to}`).to.equal(0);
    }
  };

  before(async () => {
    host = await PodHost.start(join(folder, 'cni.sock'));
    // Its interfaces: those of the machine otherwise.
    await host.does('mount -t sysfs sysfs /sys');
    ovn = await OvnOnHost.start(host);
    await configureNetwork(host, ovn);
    await configureDefault(host);
    await startAgent();
    await create('neighbour');
    await agent.set(withPods([neighbour]));
    await succeeds('add', neighbour);
    undisturbed = await remains();
  });
  after(async () => {
    await agent.stop();
    await ovn.stop();
    await host.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const step of ATTACH_STEPS) {
    describe(`in ADD after the step ${step}`, () => {
      it('attaches the pod when the runtime tries again', async () => {
        const pod = await create(`again-${step}`);
        expect((await killed('add', pod, step)).status).not.to.equal(0);
        const { status, stderr } = await call('add', pod);
        if (status !== 0) {
          expect(stderr).to.include('there is an interface net1 in the namespace');
          await succeeds('del', pod);
          await succeeds('add', pod);
        }
        await works(pod);
        await succeeds('del', pod);
        await end(pod);
        await untilNothingIsLeft();
      });

      it('leaves nothing when the runtime deletes the attachment', async () => {
        const pod = await create(`deleted-${step}`);
        await killed('add', pod, step);
        await succeeds('del', pod);
        // Its addresses may rest until the pod is gone.
        const { locks, switchPorts } = await remains();
        expect({ locks, switchPorts }).to.deep.equal({
          locks: undisturbed.locks,
          switchPorts: undisturbed.switchPorts,
        });
        await end(pod);
        await untilNothingIsLeft();
      });

      it('leaves nothing when the runtime only deletes the namespace', async () => {
        const pod = await create(`forgotten-${step}`);
        await killed('add', pod, step);
        await end(pod);
        await untilNothingIsLeft();
      });
    });
  }

  for (const step of DETACH_STEPS) {
    it(`in DEL after the step ${step} leaves nothing, whether the runtime repeats DEL or not`, async () => {
      for (const again of [true, false]) {
        const pod = await create(`${again ? 'again' : 'once'}-${step}`);
        await succeeds('add', pod);
        // The plugin has deleted the interface.
        expect(await killed('del', pod, step)).to.include({ status: 0 });
        if (again) await succeeds('del', pod);
        await end(pod);
        await untilNothingIsLeft();
      }
    });
  }
});
