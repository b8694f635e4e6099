/** Limits of folders (CONTRIBUTING.md). */
import { globSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';

const ROOT = resolve(import.meta.dirname, '../../..');

/** Files that a folder may have: a person finds one of them at a glance. */
const MOST_FILES = 25;

/** The files of each folder below `src` that has sources. */
const folders: ReadonlyMap<string, readonly string[]> = new Map(
  globSync('src/**/', { cwd: ROOT })
    .map((folder) => folder.replace(/\/$/, ''))
    .map((folder) => [folder, readdirSync(join(ROOT, folder))] as const)
    .filter(([, files]) => files.some((file) => file.endsWith('.ts'))),
);

describe('a folder of sources', () => {
  it(`has at most ${MOST_FILES} files`, () => {
    const counts = [...folders].map(
      ([folder, files]) => [folder, files.filter((file) => file.endsWith('.ts')).length] as const,
    );
    expect(counts.length).to.be.at.least(50);
    expect(counts.filter(([, count]) => count > MOST_FILES)).to.deep.equal([]);
  });

  it('has a README, which says what the folder is about', () => {
    const found = [...folders].flatMap(([folder, files]) => (files.includes('README.md') ? [] : [folder]));
    expect(found).to.deep.equal([]);
  });
});
