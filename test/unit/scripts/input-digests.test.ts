import { expect } from 'chai';
import { inputDigests } from '../../../scripts/lint/input-digests.ts';

const checkout = {
  'src/a.ts': "import { b } from './parts/b.ts';\nexport const a = b;\n",
  'src/parts/b.ts': "export type { C } from '../c.ts';\nexport const b = 1;\n",
  'src/c.ts': "export type C = typeof import('./d.ts');\n",
  'src/d.ts': "export const d = () => import('./e.ts');\n",
  'src/e.ts': "import './a.ts';\nexport const e = 1;\n",
  'src/alone.ts': 'export const alone = 1;\n',
};
const common = ['rules'];

/** The files with other digests after a change of the checkout. */
function changedBy(files: Readonly<Record<string, string>>, rules = common): readonly string[] {
  const before = inputDigests(new Map(Object.entries(checkout)), common);
  const after = inputDigests(new Map(Object.entries({ ...checkout, ...files })), rules);
  return [...after.keys()].filter((path) => after.get(path) !== before.get(path)).sort();
}

const circle = ['src/a.ts', 'src/c.ts', 'src/d.ts', 'src/e.ts', 'src/parts/b.ts'];

describe('the digest of what the lint findings of a file depend on', () => {
  it('stays the same while nothing changes', () => {
    expect(changedBy({})).to.deep.equal([]);
  });

  it('changes with the file, and with no other that does not import it', () => {
    expect(changedBy({ 'src/alone.ts': 'export const alone = 2;\n' })).to.deep.equal(['src/alone.ts']);
  });

  it('changes with each file that it imports by way of others: types, exports, dynamic imports, and in a circle', () => {
    for (const path of circle) {
      const text = `${checkout[path as keyof typeof checkout]}export const another = 1;\n`;
      expect(changedBy({ [path]: text }), path).to.deep.equal(circle);
    }
  });

  it('changes where a file is added that it imports', () => {
    const { 'src/e.ts': added, ...others } = checkout;
    const before = inputDigests(new Map(Object.entries(others)), common);
    const after = inputDigests(new Map([...Object.entries(others), ['src/e.ts', added]]), common);
    expect(after.get('src/d.ts')).not.to.equal(before.get('src/d.ts'));
    expect(after.get('src/alone.ts')).to.equal(before.get('src/alone.ts'));
  });

  it('changes with rules, and with declarations for files that do not import them', () => {
    expect(changedBy({}, ['other rules'])).to.deep.equal(Object.keys(checkout).sort());
    for (const declaration of ['declare global { var x: number }\n', "export {};\n  declare module 'x' {}\n"]) {
      expect(changedBy({ 'src/new.ts': declaration })).to.include.members(['src/alone.ts', 'src/a.ts']);
    }
  });
});
