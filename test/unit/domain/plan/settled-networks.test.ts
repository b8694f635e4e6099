import { nameOfNetwork, type NetworkKey } from '../../../../src/domain/network/key.ts';
import { expect } from 'chai';
import { nodeInput } from '../../../../src/domain/plan/node-input.ts';
import { allParts } from '../../../../src/domain/plan/parts/parts.ts';
import { settledNetworks } from '../../../../src/domain/plan/settled-networks.ts';
import { candidatesOn, uplinksOnNode } from '../../../../src/domain/plan/uplinks/uplinks-on-node.ts';
import { readScenario } from '../../../scenarios/scenario-folders.ts';

/** Names of the networks of the first node of a scenario: which are programmed, and of which the uplinks are held. */
function settled(scenario: string) {
  const { cluster, nodes, settings } = readScenario(scenario);
  const [node] = nodes;
  const input = node && nodeInput(cluster, node, settings, allParts);
  if (input === undefined) throw new Error(`${scenario} has no node that its cluster has`);
  const { programmed, held } = settledNetworks([], candidatesOn(uplinksOnNode(input), [], input), input);
  const namesOf = (all: readonly { readonly network: NetworkKey }[]) =>
    all.map(({ network }) => nameOfNetwork(network));
  return { programmed: namesOf(programmed), held: namesOf(held.onUplinks) };
}

describe('networks on their uplinks', () => {
  const rows: readonly (readonly [what: string, scenario: string, programmed: string[], held: string[]])[] = [
    ['are programmed if nothing is in their way', 'conflict/default-with-default-to-none', ['blue', 'red'], []],
    [
      'are held if they are in conflict on a bridge',
      'conflict/two-auto-on-one-bridge-to-conflict',
      [],
      ['blue', 'red'],
    ],
    [
      'are programmed on another bridge than those in conflict',
      'conflict/third-network-on-another-bridge-to-untouched',
      ['green'],
      ['blue', 'red'],
    ],
    [
      'are held together if a flow that all of a bridge need is of another program',
      'network-readiness/flow-of-another-program-to-bridge-mapping-failed',
      [],
      ['blue'],
    ],
    [
      'wait if a held one has their interface elsewhere',
      'held/interface-of-a-held-network-to-others-wait',
      [],
      ['blue', 'red'],
    ],
  ];
  for (const [what, scenario, programmed, held] of rows) {
    it(what, () => {
      expect(settled(scenario)).to.deep.equal({ programmed, held });
    });
  }
});
