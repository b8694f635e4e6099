/**
 * Sequences of changes that once ended in the wrong state, repeated: test/stories/WHAT-WAS-WRONG. `KEEP=test/stories npm run test:property`
 * writes one where the law about sequences is broken.
 */
import { expect } from 'chai';
import { engine, laws } from '../../src/testing/index.ts';
import { readStory, storyNames } from './story-folders.ts';

describe('stories', () => {
  for (const name of storyNames()) {
    it(`${name} ends as if it began with its last step`, () => {
      const story = readStory(name);
      const labels = laws.flatMap((law) => (law.about === 'stories' ? law.check(engine, story) : []));
      expect(labels).to.include('compared');
    });
  }
});
