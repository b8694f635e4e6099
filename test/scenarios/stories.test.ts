/**
 * Stories that once ended otherwise than they should, told again: test/stories/WHAT-WAS-WRONG. `KEEP=test/stories npm run test:property` writes one
 * where the law about stories is broken.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkHistoryFree, storyFiles } from '../../src/testing/index.ts';
import { readTexts, storyOf } from './folder-texts.ts';

const root = join(import.meta.dirname, '../stories');

describe('stories', () => {
  for (const name of existsSync(root) ? readdirSync(root) : []) {
    describe(name, () => {
      const files = readTexts(join(root, name));

      it('ends as if its last step were its first', () => {
        expect(checkHistoryFree(storyOf(files))).to.be.above(0);
      });

      it('says in its first line what was wrong', () => {
        expect(files['node.yaml']).to.match(/^# \S.{20,}/);
      });

      it('has no file that is no part of it', () => {
        expect(Object.keys(files).sort()).to.deep.equal(Object.keys(storyFiles(storyOf(files), '')).sort());
      });

      it('is short enough to be read', () => {
        for (const [file, text] of Object.entries(files)) expect(text.split('\n').length, file).to.be.at.most(80);
      });
    });
  }
});
