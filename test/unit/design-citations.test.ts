import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const root = join(import.meta.dirname, '../..');
const pages = new Map(
  readdirSync(join(root, 'docs/design')).map((page) => {
    const text = readFileSync(join(root, 'docs/design', page), 'utf8');
    return [page, new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading))];
  }),
);

/** Citations such as `docs/design/ownership.md, "Three rules"`, which may be wrapped within a comment. The heading may be missing. */
function citationsIn(text: string) {
  const unwrapped = text.replaceAll(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/g, ' ');
  return [...unwrapped.matchAll(/docs\/design\/([\w-]+\.md)(?:, "([^"]+)")?/g)].map(([, page = '', heading]) => ({
    page,
    heading,
  }));
}

const files = ['src', 'test'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
);
const citations = files
  .filter((file) => file.endsWith('.ts') && join(root, file) !== import.meta.filename)
  .flatMap((file) => citationsIn(readFileSync(join(root, file), 'utf8')).map((citation) => ({ file, ...citation })));

describe('citations of docs/design', () => {
  it('name pages and headings that exist', () => {
    const broken = citations.filter(
      ({ page, heading }) => pages.get(page) === undefined || (heading !== undefined && !pages.get(page)?.has(heading)),
    );
    expect(broken).to.deep.equal([]);
  });

  it('are found, and each page is cited', () => {
    const cited = new Set(citations.map(({ page }) => page));
    expect([...pages.keys()].filter((page) => page !== 'README.md' && !cited.has(page))).to.deep.equal([]);
  });
});
