import { expect } from 'chai';
import { diffNode, planNode } from '../../../../src/domain/index.ts';
import { converge, engine } from '../../../../src/testing/index.ts';
import { readScenario } from '../../../scenarios/scenario-folders.ts';

describe('tunnels of a node whose chassis has a setting of its own', () => {
  const { cluster, nodes, settings } = readScenario('zone/two-nodes-to-a-port-for-the-other-node');
  const KEY = 'ovn-is-interconn-chassis-a';

  /** The node with the network programmed, and then with the setting of another program. */
  function programmed(value: string) {
    const [found] = nodes;
    if (found === undefined) throw new Error('the scenario has no node');
    const { node } = converge(engine, '2 converges', { cluster, settings }, found);
    return { ...node, switchExternalIds: { ...node.switchExternalIds, [KEY]: value } };
  }

  it('are a reason if it is false, and the network stays as it is', () => {
    const node = programmed('false');
    const plan = planNode(cluster, node, settings);
    expect(plan.zones?.map(({ failure }) => failure?.cause)).to.deep.equal(['in-the-way']);
    expect(diffNode(plan, node)).to.deep.equal([]);
  });

  it('are there if it is true, beside that for all', () => {
    const node = programmed('true');
    const plan = planNode(cluster, node, settings);
    expect(plan.zones?.map(({ failure }) => failure)).to.deep.equal([undefined]);
    expect(diffNode(plan, node)).to.deep.equal([]);
  });

  for (const value of ['true', 'false']) {
    it(`go with the last network, and ${value} of another program stays`, () => {
      const withoutNetworks = { ...cluster, clusterUserDefinedNetworks: [] };
      const { node } = converge(engine, '2 converges', { cluster: withoutNetworks, settings }, programmed(value));
      expect(node.switchExternalIds).to.deep.equal({ 'system-id': 'chassis-a', [KEY]: value });
    });
  }
});
