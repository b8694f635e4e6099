import { expect } from 'chai';
import { GuidedCluster } from './guided-cluster.ts';
import { constantPart, guideText, sectionsOf } from './guide-page.ts';

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
    });
  }
});
