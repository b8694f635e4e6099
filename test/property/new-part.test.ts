/** A new part of networks is one file and one line: all laws hold for an engine with a part that only this test has. */
import { expect } from 'chai';
import { planNode } from '../../src/domain/index.ts';
import type { Parts } from '../../src/domain/plan/parts/part.ts';
import { allParts } from '../../src/domain/plan/parts/parts.ts';
import { type Engine, engine, laws } from '../../src/testing/index.ts';
import { caseCount } from '../case-count.ts';
import { readScenario } from '../scenarios/scenario-folders.ts';
import { dummyAddress } from './dummy-address-part.ts';
import { checkLawOnGenerated } from './laws.ts';

const parts: Parts = { ...allParts, network: [...allParts.network, dummyAddress] };

const engineWithPart: Engine = {
  ...engine,
  planNode: (cluster, node, settings) => planNode(cluster, node, settings, parts),
};

describe('a part that only a test defines', function () {
  this.timeout(0);

  it('adds what it needs to each network that is provided', () => {
    const { cluster, nodes, settings } = readScenario('zone/uplink-ready-to-both');
    const plans = nodes.map((node) => engineWithPart.planNode(cluster, node, settings));
    const added = plans.flatMap(({ dataplane }) =>
      dataplane.desired.flatMap(({ entity, owners }) =>
        entity.kind === 'address' && entity.address.address.startsWith('198.18.') ? [[entity.device, owners]] : [],
      ),
    );
    expect(added).to.deep.equal([
      ['ovn-k8s-mp1', [{ kind: 'network', network: 'ClusterUserDefinedNetwork/blue', part: 'network' }]],
    ]);
  });

  for (const law of laws) {
    it(`keeps the law ${law.name}`, () => {
      checkLawOnGenerated(law, engineWithPart, { numRuns: caseCount(Math.ceil(law.runs / 8)) });
    });
  }
});
