import { expect } from 'chai';
import { expectAnswers, podsAndHosts } from '../packets/clients.ts';
import { workerA, workerB } from './cluster-nodes.ts';
import { GuidedCluster } from './guided-cluster.ts';
import { constantPart, guideText, sectionsOf } from './guide-page.ts';

/** Sections after which packets of both tenants flow on both nodes. */
const carrying = ['See it work', 'When something breaks', 'Upgrade'];

describe('docs/guide.md, followed step by step (npm run goldens:guide)', () => {
  let guided: GuidedCluster;
  before(async () => {
    guided = await GuidedCluster.start();
  });
  after(() => guided.stop());

  for (const { title, steps } of sectionsOf(guideText())) {
    it(`prints what it says it does: ${title}`, async () => {
      for (const step of steps) {
        const printed = await guided.follow(
          step,
          (now, { onPage }) => onPage === undefined || constantPart(now) === constantPart(onPage),
        );
        const expected = step.do === 'type' ? step.lines.map(({ output }) => output) : [];
        expect(printed.map(constantPart)).to.deep.equal(expected.map(constantPart));
      }
      if (!carrying.includes(title)) return;
      for (const [index, { tenants }] of [workerA, workerB].entries())
        await expectAnswers(guided.nodes[index]!, podsAndHosts(tenants), { protocol: 'tcp', rounds: 10 });
    });
  }
});
