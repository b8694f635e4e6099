import { expect } from 'chai';
import { ManyNodes } from './many-nodes.ts';

/** Milliseconds between two writes of an object in which only its message changes (docs/design/api-decisions.md, "Writes"). */
const MESSAGE_INTERVAL = 5000;

/** The objects that were written in between, and how often. */
function writtenBetween(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>) {
  return new Map(
    [...after]
      .map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const)
      .filter(([, count]) => count > 0),
  );
}

describe('a cluster manager of many nodes', () => {
  let cluster: ManyNodes;
  before(async () => {
    cluster = await ManyNodes.start({ nodes: 20, uplinks: 3, networks: 6 });
    await cluster.createObjects();
    cluster.startManager();
    await cluster.until('not ready');
  });
  after(() => cluster.stop());

  it('writes the conditions of a roll-out when they change, and otherwise their messages every five seconds at most', async () => {
    await cluster.createStates(false);
    const [before, begin] = [cluster.writes(), performance.now()];
    await cluster.rollOut();
    await cluster.until('ready');
    const most = 2 + Math.ceil((performance.now() - begin) / MESSAGE_INTERVAL);
    const counts = writtenBetween(before, cluster.writes());
    expect([...counts.keys()]).to.have.length(3 + 6);
    expect(Math.max(...counts.values())).to.be.at.most(most);
    expect(cluster.conditions('uplinks').get('uplink-0')?.message).to.equal('20 of 20 selected nodes ready');
  });

  it('writes the networks that depend on a node’s label, once, and no others', async () => {
    const before = cluster.writes();
    await cluster.deselect(1, 7);
    await cluster.untilNetworks(1, 'not ready');
    const counts = writtenBetween(before, cluster.writes());
    // Its message has the number of nodes.
    counts.delete('uplinks/uplink-1');
    const networks = ['clusterUserDefinedNetworks/network-1', 'clusterUserDefinedNetworks/network-4'];
    expect([...counts].sort()).to.deep.equal(networks.map((name) => [name, 1]));
    await cluster.selectAgain(1, 7);
    await cluster.until('ready');
  });

  it('writes nothing when it restarts and nothing has changed, and is up to date', async () => {
    await cluster.stopManager();
    const before = cluster.writes();
    cluster.startManager();
    // What changes next is written by the new one, after it has looked at everything.
    await cluster.deselect(2, 7);
    await cluster.untilNetworks(2, 'not ready');
    const counts = writtenBetween(before, cluster.writes());
    counts.delete('uplinks/uplink-2');
    expect([...counts.keys()].sort()).to.deep.equal([
      'clusterUserDefinedNetworks/network-2',
      'clusterUserDefinedNetworks/network-5',
    ]);
  });

  it('is up to date about the nodes that run pods of a network, with Dynamic UDN', async () => {
    await cluster.selectAgain(2, 7);
    await cluster.until('ready');
    await cluster.stopManager();
    await cluster.createPods(30);
    cluster.startManager(undefined, ['--dynamic-udn']);
    await cluster.untilPodsAreRead();
    await cluster.deselect(0, 0);
    await cluster.untilNetworks(0, 'not ready');
    const messages = [...cluster.conditions('clusterUserDefinedNetworks').values()].map(({ message }) => message);
    expect(messages.filter((message) => message.includes('node-0 ('))).to.have.length(2);
  });
});
