import { expect } from 'chai';
import fc from 'fast-check';
import { labelIndex } from '../../../../src/domain/selection/label-index.ts';
import { selects, understandSelector } from '../../../../src/domain/selection/label-selector.ts';
import { nodeSelectors } from '../../../../src/testing/index.ts';
import { node, unclearSelector } from '../brief-objects.ts';
import { Coverage } from '../../../coverage.ts';

const names = (items: readonly { readonly metadata: { readonly name: string } }[]) =>
  items.map(({ metadata }) => metadata.name);

describe('an index of labelled objects', () => {
  const nodes = [
    node('c', { labels: { rack: 'a', zone: 'x' } }),
    node('a', { labels: { rack: 'a' } }),
    node('b', { labels: { rack: 'b', zone: 'x' } }),
    node('d'),
  ];
  const index = labelIndex(nodes);

  it('has all objects in the order of names', () => {
    expect(names(index.all)).to.deep.equal(['a', 'b', 'c', 'd']);
    expect(names(nodes), 'the given list').to.deep.equal(['c', 'a', 'b', 'd']);
  });

  it('finds an object by its name', () => {
    expect(index.byName.get('c')).to.equal(nodes[0]);
    expect(index.byName.get('e')).to.be.undefined;
  });

  const selections: readonly (readonly [
    selector: Parameters<typeof understandSelector>[0],
    selected: readonly string[],
  ])[] = [
    [undefined, ['a', 'b', 'c', 'd']],
    [{ matchLabels: { rack: 'a' } }, ['a', 'c']],
    [{ matchLabels: { rack: 'a', zone: 'x' } }, ['c']],
    [{ matchLabels: { rack: 'c' } }, []],
    [{ matchLabels: { row: 'a' } }, []],
    [{ matchExpressions: [{ key: 'rack', operator: 'In', values: ['b', 'a'] }] }, ['a', 'b', 'c']],
    [{ matchExpressions: [{ key: 'rack', operator: 'NotIn', values: ['a'] }] }, ['b', 'd']],
    [{ matchExpressions: [{ key: 'zone', operator: 'DoesNotExist' }] }, ['a', 'd']],
    [unclearSelector, []],
  ];
  for (const [selector, selected] of selections) {
    it(`selects ${selected.join(', ') || 'nothing'} by ${JSON.stringify(selector)}`, () => {
      expect(names(index.selectedBy(understandSelector(selector)))).to.deep.equal(selected);
    });
  }

  it('uses the given labels', () => {
    const byOwnName = labelIndex(nodes, ({ metadata }) => ({ called: metadata.name }));
    expect(names(byOwnName.selectedBy(understandSelector({ matchLabels: { called: 'b' } })))).to.deep.equal(['b']);
    expect(byOwnName.selectedBy(understandSelector({ matchLabels: { rack: 'a' } }))).to.deep.equal([]);
  });

  it('checks only the objects with the rarest label of a selector', () => {
    const many = Array.from({ length: 100 }, (_, position) =>
      node(`n${position}`, { labels: { all: 'x', half: position % 2 === 0 ? 'x' : 'y', one: String(position) } }),
    );
    let looked = 0;
    const counted = labelIndex(many, ({ metadata }) => {
      looked += 1;
      return metadata.labels ?? {};
    });
    const cost = (selector: Parameters<typeof understandSelector>[0]) => {
      looked = 0;
      counted.selectedBy(understandSelector(selector));
      return looked;
    };
    expect(cost({ matchLabels: { all: 'x', one: '7', half: 'y' } })).to.equal(1);
    expect(cost({ matchLabels: { one: '7', half: 'y' } })).to.equal(1);
    expect(cost({ matchLabels: { all: 'x', half: 'y' } })).to.equal(50);
    expect(cost({ matchExpressions: [{ key: 'one', operator: 'In', values: ['7'] }] })).to.equal(1);
    expect(cost({ matchLabels: { one: 'gone' } })).to.equal(0);
    expect(cost({ matchLabels: { gone: 'x' } })).to.equal(0);
  });

  it('selects the same as the selector does one by one', () => {
    const labels = fc.dictionary(fc.constantFrom('rack', 'zone'), fc.constantFrom('rack-a', 'rack-b', ''));
    const coverage = new Coverage();
    fc.assert(
      fc.property(fc.array(labels, { maxLength: 6 }), nodeSelectors, (ofNodes, selector) => {
        const items = ofNodes.map((ofNode, position) => node(`node-${position}`, { labels: ofNode }));
        const understood = understandSelector(selector);
        const selected = items.filter(({ metadata }) => selects(understood, metadata.labels));
        coverage.count({ some: selected.length > 0, 'not all': selected.length < items.length });
        expect(names(labelIndex(items).selectedBy(understood))).to.deep.equal(names(selected));
      }),
    );
    coverage.expect({ some: 0.1, 'not all': 0.1 });
  });
});
