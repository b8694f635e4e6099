import { expect } from 'chai';
import { parseYaml } from '../../../../src/adapters/manifests/parse-yaml.ts';
import { parseLargeYaml } from '../../../../src/adapters/manifests/yaml-list.ts';

const asKubectlPrints = `apiVersion: v1
items:
- apiVersion: v1
  kind: Pod
  metadata:
    annotations:
      note: |
        - looks like an item
      other: "quoted
        - text"
    name: a
- apiVersion: v1
  kind: Pod
  metadata: {name: b}
# a comment

- # another
  kind: Pod
-
  kind: Pod
kind: List
metadata:
  resourceVersion: ""
`;

const texts = {
  'as kubectl prints them': asKubectlPrints,
  'with items further in': 'kind: List\nitems:\n  - a: 1\n    b: 2\n  - - nested\n    - list\n  - c\nmetadata: {}\n',
  'up to the end of the text': 'kind: List\nitems:\n- a: 1\n- b: 2',
  'with line ends of Windows': asKubectlPrints.replaceAll('\n', '\r\n'),
  'after a line of dashes': `---\n${asKubectlPrints}`,
  'beside another document': `${asKubectlPrints}---\nkind: Pod\n`,
  'that use an anchor of another item': 'items:\n- a: &x 1\n- b: *x\n',
  'that are not at the left edge': 'spec:\n  items:\n  - a: 1\n  - b: 2\nkind: Deck\n',
  'in JSON style': 'items: [{a: 1}, {b: 2}]\n',
  'with items twice': 'items:\n- a: 1\nkind: List\nitems: []\n',
  'whose text in quotes looks like an item': 'items:\n- [a, "b\n- c", d]\n',
  'with a broken item': 'items:\n- a: 1\n- b: [\n- c: 3\n',
  'with broken fields': 'items:\n- a: 1\nkind: [\n',
} as const;

describe('lists in YAML that are read piece by piece', () => {
  for (const [name, text] of Object.entries(texts)) {
    it(`${name} are read as the whole would be`, () => {
      const whole = parseYaml(text);
      for (const pieceLength of [1, 30, 100]) {
        const parsing = parseLargeYaml(text, {}, pieceLength);
        expect(parsing.faults).to.deep.equal(whole.faults);
        expect(parsing.documents.map(({ value }) => value)).to.deep.equal(whole.documents.map(({ value }) => value));
      }
    });
  }

  it('know the lines of their items, and their own', () => {
    const [document] = parseLargeYaml(asKubectlPrints, {}, 1).documents;
    const items = itemsOf(document?.value);
    expect(items.map((item) => document?.lineOf(item))).to.deep.equal([3, 12, 18, 20]);
    expect(document?.lineOf(document.value)).to.equal(1);
    expect(document?.line).to.equal(1);
  });

  it('may have more tokens than one document', () => {
    const text = `kind: List\nitems:\n${'- a: 1\n'.repeat(50)}`;
    expect(parseYaml(text, { maxTokens: 60 }).exhausted).to.equal(true);
    expect(itemsOf(parseLargeYaml(text, { maxTokens: 60 }, 20).documents[0]?.value)).to.have.length(50);
  });

  it('tell the fault of a piece where the whole has too many tokens', () => {
    const text = `kind: List\nitems:\n${'- a: 1\n'.repeat(50)}- b: [\n`;
    expect(parseLargeYaml(text, { maxTokens: 60 }, 20)).to.deep.equal({
      documents: [],
      faults: ['line 54, column 1: Flow sequence in block collection must be sufficiently indented and end with a ]'],
      exhausted: false,
    });
  });
});

function itemsOf(value: unknown): readonly unknown[] {
  const items = typeof value === 'object' && value !== null && 'items' in value ? value.items : undefined;
  return Array.isArray(items) ? items : [];
}
