/**
 * `npm run lab:whole-networks [MEASUREMENT...]`: measures networks that ovn-uplinks provides, with a real API server, on a node of the lab with OVN and
 * kernel datapath: latency, pods, networks, nodes; killed, agents that are killed at each change of the way out by the node, on two nodes; all of them by default. Takes a quarter of an hour and 4 GiB. Prints the figures as one JSON document; times
 * are milliseconds, memory is MiB. Run nothing else at the same time.
 */
import { CHASSIS_ID_ANNOTATION, ENCAPSULATION_IPS_ANNOTATION } from '../../../../src/domain/basics/conventions.ts';
import { eventually } from '../../../unit/adapters/processes.ts';
import { announcement, nodeReport } from '../../kubernetes/node-reports.ts';
import { metricsOf } from '../agent/scale.ts';
import {
  inGroups,
  numbered as names,
  percentiles,
  reportFigure as report,
  runMeasurements,
  timed,
} from '../cluster/figures.ts';
import type { LabNode } from '../node.ts';
import { memoryOfDaemons, processorTime } from '../packets/daemons.ts';
import { observed } from '../zones/zone-node.ts';
import { everyChange, killUnderTraffic } from './killed-while-leaving.ts';
import { attachPod, callPlugin, type ScheduledPod, startDefault } from './lab-pod.ts';
import { LeavingCluster } from './leaving-cluster.ts';
import { createPods } from './objects.ts';
import { hasRemotePorts, WholeCluster } from './whole-cluster.ts';
import { cniCommand, nodeObject, type WholePlace } from './whole-node.ts';

/** Pods that are attached one after the other, and then at once. */
const PODS_OF_LATENCY = 100;
/** The first and the last of them are compared: how long a pod takes does not depend on how many there are. */
const PODS_OF_SHARE = 20;
const PODS = 250;
const NETWORKS = 100;
const NODES = 100;

/** Seconds until all networks have to be ready that are created at the same time. */
const ALL_READY = 600;

const MEMORY = 1536;

/** Pods that a kubelet starts at the same time. */
const AT_ONCE = 10;

const place: WholePlace = { name: 'worker-a', address: '198.51.100.10', podSubnet: '10.244.0.0/23' };

/** A node, and its cluster. */
interface Measured {
  readonly cluster: WholeCluster;
  readonly node: LabNode;
}

/** The content of OVN and Open vSwitch of the node, and the memory of the programs that are there for it. */
async function holdings(node: LabNode) {
  const { northbound, chassis, remotePorts } = await observed(node);
  const flows = await node.does(['ovs-ofctl', '-O', 'OpenFlow14', 'dump-aggregate', 'br-int']);
  return {
    northboundRows: northbound.length,
    chassis: chassis.length,
    remotePorts: remotePorts.length,
    integrationBridgeFlows: Number(/flow_count=(\d+)/.exec(flows)?.[1]),
    memory: {
      agent: Math.round((await metricsOf(node)).get('process_resident_memory_bytes')! / 2 ** 20),
      ...(await memoryOfDaemons(node)),
    },
  };
}

/** Milliseconds of each step of attaching pods so far, and their number. */
async function steps(
  node: LabNode,
): Promise<Readonly<Record<string, { readonly sum: number; readonly count: number }>>> {
  const metrics = await metricsOf(node);
  const found = [...metrics.keys()].flatMap((name) => {
    const match = /^ovn_uplinks_cni_step_seconds_count(\{step="(\w+)"\})$/.exec(name);
    return match === null ? [] : [[match[1]!, match[2]!] as const];
  });
  const ofStep = ([labels, step]: readonly [string, string]) => {
    const value = (what: string) => metrics.get(`ovn_uplinks_cni_step_seconds_${what}${labels}`) ?? 0;
    return [step, { sum: value('sum') * 1000, count: value('count') }] as const;
  };
  return Object.fromEntries(found.map(ofStep));
}

/** The mean of each step of attaching pods since then, in milliseconds. */
async function meansSince(before: Awaited<ReturnType<typeof steps>>, node: LabNode): Promise<Record<string, number>> {
  const entries = Object.entries(await steps(node)).map(([step, { sum, count }]) => {
    const { sum: formerSum, count: formerCount } = before[step] ?? { sum: 0, count: 0 };
    return [step, Math.round((sum - formerSum) / (count - formerCount))] as const;
  });
  return Object.fromEntries(entries);
}

/** Creates pods whose default network is there already, `AT_ONCE` at the same time. */
async function scheduledPods({ cluster, node }: Measured, names: readonly string[]): Promise<readonly ScheduledPod[]> {
  const ofNode = { node, namespace: 'blue' };
  const creators = { server: cluster.lab.server, administrator: cluster.administrator };
  const uids = await createPods(
    creators,
    names.map((name) => ({ ...ofNode, name })),
  );
  const pods = names.map((name, index) => ({ ...ofNode, name, uid: uids[index]!, network: 'cluster_udn_blue' }));
  await inGroups(pods, AT_ONCE, startDefault);
  return pods;
}

/** A cluster with the node and its agent, and tenants whose networks are ready there. */
async function onNode<Figures>(
  tenants: readonly string[],
  measure: (measured: Measured) => Promise<Figures>,
): Promise<Figures> {
  const cluster = await WholeCluster.start({ memory: MEMORY });
  try {
    const node = await cluster.startNode(place);
    await cluster.register(place);
    await cluster.startAgent(node);
    cluster.createTenants(tenants);
    await cluster.untilReady(tenants, [node]);
    return await measure({ cluster, node });
  } finally {
    await cluster.stop();
  }
}

/** Attaches a pod, again after each refusal, as the kubelet does. @returns the number of refusals */
async function attachAtLast(pod: ScheduledPod): Promise<number> {
  for (let refusals = 0; ; refusals++) {
    const { exitCode, stderr } = await callPlugin(pod, 'add');
    if (exitCode === 0) return refusals;
    report(`${pod.name} is refused`, stderr.split('\n', 1)[0]);
    await callPlugin(pod, 'del');
  }
}

/**
 * From the start of cnitool until a pod has had an answer of its network's router, after which the plugin ends; beside the start of a program on the node, and of
 * cnitool with the plugin where that does nothing, and the means of the steps within.
 */
async function latency(measured: Measured) {
  let refusals = 0;
  const attach = (pod: ScheduledPod) =>
    timed(async () => {
      refusals += await attachAtLast(pod);
    });
  const atFirst = await steps(measured.node);
  const alone: number[] = [];
  const programs: number[] = [];
  const versions: number[] = [];
  for (const pod of await scheduledPods(measured, names('alone', PODS_OF_LATENCY))) {
    programs.push(await timed(() => measured.node.does(['/bin/true'])));
    const version = { CNI_COMMAND: 'VERSION' };
    const input = '{"cniVersion":"1.0.0"}';
    versions.push(await timed(() => measured.node.run(cniCommand('ovn-uplinks-cni', [], version), { input })));
    alone.push(await attach(pod));
  }
  const oneAfterTheOther = {
    ...percentiles(alone),
    firstPods: percentiles(alone.slice(0, PODS_OF_SHARE)),
    lastPods: percentiles(alone.slice(-PODS_OF_SHARE)),
    refusals,
    steps: await meansSince(atFirst, measured.node),
  };
  report('one after the other', oneAfterTheOther);
  refusals = 0;
  const together = await scheduledPods(measured, names('together', PODS_OF_LATENCY));
  const before = await steps(measured.node);
  const { result, seconds } = await processorTime(measured.node, () => Promise.all(together.map(attach)));
  const allAtOnce = { ...percentiles(result), refusals, seconds, steps: await meansSince(before, measured.node) };
  return {
    startOfProgram: percentiles(programs),
    startOfPlugin: percentiles(versions),
    oneAfterTheOther,
    allAtOnce,
  };
}

/** Creates nodes that are objects only, with what their agents would write. @param first number of the first one */
async function createNodes({ lab, administrator }: WholeCluster, created: readonly string[], first: number) {
  const nodes = created.map((name, index) => {
    const number = first + index;
    const address = `198.51.${101 + Math.floor(number / 200)}.${1 + (number % 200)}`;
    const { status: _, ...object } = nodeObject({ name, address, podSubnet: `10.245.${number}.0/24` });
    const annotations = {
      ...announcement(name).metadata.annotations,
      [CHASSIS_ID_ANNOTATION]: `chassis-${name}`,
      [ENCAPSULATION_IPS_ANNOTATION]: JSON.stringify([address]),
    };
    return { ...object, metadata: { name, annotations } };
  });
  await eventually('the API server applies the policies no more', () => {
    try {
      lab.server.apply(...nodes);
      return true;
    } catch {
      return false;
    }
  });
  const reports = [];
  for (const name of created) reports.push(await nodeReport(administrator, name, { networks: [1] }));
  lab.server.apply(...reports);
}

const measurements: Readonly<Record<string, () => Promise<unknown>>> = {
  latency: () => onNode(['blue'], latency),

  pods: () =>
    onNode(['blue'], async (measured) => {
      const pods = await scheduledPods(measured, names('pod', PODS));
      const attached = await timed(() => inGroups(pods, AT_ONCE, attachPod));
      return { pods: PODS, attached, ...(await holdings(measured.node)) };
    }),

  networks: () =>
    onNode([], async ({ cluster, node }) => {
      const tenants = names('tenant', NETWORKS);
      const before = await holdings(node);
      const { result, seconds } = await processorTime(node, () =>
        timed(async () => {
          cluster.createTenants(tenants);
          await cluster.untilReady(tenants, [node], ALL_READY);
        }),
      );
      const all = await holdings(node);
      const oneMore = await timed(async () => {
        cluster.createTenants(['another']);
        await cluster.untilReady(['another'], []);
      });
      return { networks: NETWORKS, allReady: result, seconds, oneMoreReady: oneMore, before, after: all };
    }),

  /** The other nodes are objects only: the rows for them are those that there would be. */
  nodes: () =>
    onNode(['blue'], async ({ cluster, node }) => {
      const before = await holdings(node);
      const others = names('other', NODES);
      // The agents of nodes write these objects, and there are none.
      cluster.lab.server.kubectl([
        'delete',
        'validatingadmissionpolicybinding',
        'ovn-uplinks-nodes',
        'ovn-uplinks-ids',
      ]);
      const { result, seconds } = await processorTime(node, () =>
        timed(async () => {
          await createNodes(cluster, others, 0);
          await hasRemotePorts(node, NODES);
        }),
      );
      const all = await holdings(node);
      const oneMore = await timed(async () => {
        await createNodes(cluster, ['another'], NODES);
        await hasRemotePorts(node, NODES + 1);
      });
      return { nodes: NODES, allReached: result, seconds, oneMoreReached: oneMore, before, after: all };
    }),

  killed: async () => {
    const leaving = await LeavingCluster.start();
    try {
      const { killed, leaked } = await killUnderTraffic(
        leaving,
        (number) => everyChange(1 + number, leaving.nodes.length),
        (each) => {
          report('killed', each);
        },
      );
      for (const node of leaving.nodes) await leaving.expectLeaving(node, { protocol: 'udp' });
      if (leaked.length > 0) process.exitCode = 1;
      return { killed: killed.length, leaked };
    } finally {
      await leaving.stop();
    }
  },
};

await runMeasurements('lab:whole-networks', measurements);
