import { expect } from 'chai';
import fc from 'fast-check';
import {
  briefOf,
  cases,
  completeNode,
  converge,
  engine,
  scenarioFiles,
  stories,
  storyFiles,
} from '../../src/testing/index.ts';
import { caseOf, storyOf } from '../scenarios/folder-texts.ts';
import { caseCount } from '../case-count.ts';
import { Coverage } from '../coverage.ts';

const numRuns = caseCount(100);

describe('a node in short form', function () {
  this.timeout(0);

  it('is read as the same node, before and after its networks are programmed', () => {
    const coverage = new Coverage();
    fc.assert(
      fc.property(cases, ({ cluster, nodes, settings }) => {
        for (const node of nodes) {
          const { node: programmed, operations } = converge(engine, '2 converges', { cluster, settings }, node);
          coverage.count({ programmed: operations.length > 0 });
          for (const each of [node, programmed]) expect(completeNode(briefOf(each))).to.deep.equal(each);
        }
      }),
      { numRuns },
    );
    coverage.expect({ programmed: 0.3 });
  });

  it('is the same in a case that is read from files', () => {
    fc.assert(
      fc.property(cases, (subject) => {
        expect(caseOf(scenarioFiles(subject, 'a comment'))).to.deep.equal({ ...subject });
      }),
      { numRuns },
    );
  });

  it('is the same in a story that is read from files', () => {
    fc.assert(
      fc.property(stories, (story) => {
        expect(storyOf(storyFiles(story, 'a comment'))).to.deep.equal({ ...story });
      }),
      { numRuns },
    );
  });
});
