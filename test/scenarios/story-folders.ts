/** The stories in test/stories: a folder each. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Story } from '../../src/testing/index.ts';
import { readTexts, storyOf } from './folder-texts.ts';

const root = join(import.meta.dirname, '../stories');

export function storyNames(): readonly string[] {
  return readdirSync(root).sort();
}

export function readStory(name: string): Story {
  return storyOf(readTexts(join(root, name)));
}
