import { expect } from 'chai';
import fc from 'fast-check';
import { briefOf, cases, completeNode, converge, scenarioFiles, stories, storyFiles } from '../../src/testing/index.ts';
import { caseOf, storyOf } from '../scenarios/folder-texts.ts';
import { caseCount } from '../case-count.ts';

const numRuns = caseCount(100);

describe('what is said in few words', function () {
  this.timeout(0);

  it('is exactly the node again, before and after its networks are programmed', () => {
    fc.assert(
      fc.property(cases, ({ cluster, nodes, settings }) => {
        for (const node of nodes) {
          const programmed = converge('none', cluster, node, settings).node;
          for (const each of [node, programmed]) expect(completeNode(briefOf(each))).to.deep.equal(each);
        }
      }),
      { numRuns },
    );
  });

  it('is exactly the case again that was written into files', () => {
    fc.assert(
      fc.property(cases, (subject) => {
        expect(caseOf(scenarioFiles(subject, 'why: because'))).to.deep.equal({ ...subject });
      }),
      { numRuns },
    );
  });

  it('is exactly the story again that was written into files', () => {
    fc.assert(
      fc.property(stories, (story) => {
        expect(storyOf(storyFiles(story, 'why: because'))).to.deep.equal({ ...story });
      }),
      { numRuns },
    );
  });
});
