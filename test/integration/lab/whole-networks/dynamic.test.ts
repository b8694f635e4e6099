import { expect } from 'chai';
import { eventually } from '../../../unit/adapters/processes.ts';
import { type NodeState, stateDifferences, stateOfNode } from '../cluster/node-end-state.ts';
import type { LabNode } from '../node.ts';
import { endPod, type StartedPod, startPod } from './lab-pod.ts';
import { answersOf } from './reachability.ts';
import { WholeCluster } from './whole-cluster.ts';
import type { WholePlace } from './whole-node.ts';

const place: WholePlace = { name: 'worker-a', address: '198.51.100.10', podSubnet: '10.244.0.0/24' };

/** Seconds for which a network stays on a node after its last pod there. */
const GRACE_PERIOD = 4;

/** Milliseconds until the first pod has brought its network to its node, on a machine that is as busy as can be; it takes less than a second. */
const DEADLINE = 60_000;

describe('a network that nodes have only for their pods', () => {
  let cluster: WholeCluster;
  let node: LabNode;
  let untouched: NodeState;
  let last: StartedPod;

  const switches = async () => (await node.does(['ovn-nbctl', 'ls-list'])).split('\n').filter((line) => line !== '');
  const untilNodes = (message: string) =>
    cluster.untilMessage('NetworkReady', 'blue', `${message}; pods have no way out of the cluster: no uplink`);

  before(async () => {
    cluster = await WholeCluster.start({}, '--dynamic-udn', `--udn-deletion-grace-period=${GRACE_PERIOD}s`);
    node = await cluster.startNode(place);
    untouched = await stateOfNode(node, []);
    await cluster.register(place);
    await cluster.startAgent(node);
  });
  after(async () => {
    await cluster.stop();
  });

  it('is on no node without pods, and nevertheless ready', async () => {
    cluster.createTenants(['blue']);
    await cluster.untilReady(['blue'], [node]);
    untilNodes('not active on any node');
    await cluster.agentOf(node).untilLogged('nothing to do');
    expect(await switches()).to.deep.equal([]);
  });

  it('is brought to a node by its first pod there', async () => {
    const begin = performance.now();
    const first = await cluster.newObject(node, 'blue', 'first');
    await eventually('the node has its switches', async () => (await switches()).length === 3);
    const milliseconds = Math.round(performance.now() - begin);
    console.log(`      ${milliseconds} ms from the pod to the switches on its node`);
    expect(milliseconds).to.be.below(DEADLINE);
    const pods = [
      { ...first, addresses: await startPod(first) },
      await cluster.newPod(node, 'blue', 'second'),
    ] as const;
    untilNodes('ready on 1 of 1 active nodes');
    for (const address of pods[1].addresses) expect(await answersOf(pods[0], address)).to.equal(1);
    await cluster.deletePod(pods[0]);
    last = pods[1];
  });

  it('stays with the last pod, and for the grace period', async () => {
    await endPod(last);
    cluster.deleteObject(last);
    const begin = performance.now();
    await eventually('the node has no switches', async () => (await switches()).length === 0);
    const seconds = (performance.now() - begin) / 1000;
    console.log(`      ${seconds.toFixed(1)} s from the end of the last pod to that of the switches on its node`);
    expect(seconds).to.be.above(GRACE_PERIOD - 0.5);
    untilNodes('not active on any node');
  });

  it('leaves nothing on the node', async () => {
    let differences: readonly string[] = [];
    await eventually('the node is as before', async () => {
      differences = stateDifferences(untouched, await stateOfNode(node, []));
      return differences.length === 0;
    }).catch(() => expect(differences).to.deep.equal([]));
  });
});
