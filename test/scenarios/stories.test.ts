/**
 * Sequences of changes that once ended in the wrong state, repeated: test/stories/WHAT-WAS-WRONG. `KEEP=test/stories npm run test:property`
 * writes one where the law about sequences is broken.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { engine, laws } from '../../src/testing/index.ts';
import { readTexts, storyOf } from './folder-texts.ts';

const root = join(import.meta.dirname, '../stories');

describe('stories', () => {
  for (const name of readdirSync(root)) {
    it(`${name} ends as if it began with its last step`, () => {
      const story = storyOf(readTexts(join(root, name)));
      const labels = laws.flatMap((law) => (law.about === 'stories' ? law.check(engine, story) : []));
      expect(labels).to.include('compared');
    });
  }
});
