import { expect } from 'chai';
import fc from 'fast-check';
import { labelIndex } from '../../../../src/domain/selection/label-index.ts';
import { selectNodes, selectOnNode, uplinkTable } from '../../../../src/domain/selection/node-config.ts';
import { nodeSelectors } from '../../../../src/testing/index.ts';
import { labelled, node, nodeConfig, unclearSelector, uplink } from '../brief-objects.ts';
import { caseCount } from '../../../case-count.ts';
import { Coverage } from '../../../coverage.ts';

const rackA = node('a', { labels: { rack: 'a' } });
const bare = node('bare');

describe('what an Uplink selects on a node', () => {
  const one = nodeConfig('br-a', labelled('rack', 'a'));

  it('is nothing if no item applies', () => {
    expect(selectOnNode(uplinkTable(uplink('blue', [one])), bare)).to.deep.equal({ kind: 'none' });
  });

  it('is the item if one applies', () => {
    const table = uplinkTable(uplink('blue', [nodeConfig('br-b', labelled('rack', 'b')), one]));
    expect(selectOnNode(table, rackA)).to.deep.equal({ kind: 'selected', config: one });
  });

  it('is an overlap if several apply: none is used, and their interfaces are reported in the order of names', () => {
    const table = uplinkTable(uplink('blue', [nodeConfig('br-z'), one, nodeConfig('br-a')]));
    expect(selectOnNode(table, rackA)).to.deep.equal({ kind: 'overlap', hostInterfaceNames: ['br-a', 'br-z'] });
    expect(selectOnNode(table, bare)).to.deep.equal({ kind: 'overlap', hostInterfaceNames: ['br-a', 'br-z'] });
  });

  it('is an overlap if two items name the same interface', () => {
    const table = uplinkTable(uplink('blue', [one, nodeConfig('br-a')]));
    expect(selectOnNode(table, rackA)).to.deep.equal({ kind: 'overlap', hostInterfaceNames: ['br-a'] });
  });

  describe('with a selector that is not understood', () => {
    const table = uplinkTable(uplink('blue', [one, nodeConfig('br-x', unclearSelector)]));
    const problem = { hostInterfaceName: 'br-x', kind: 'operator-unknown', key: 'rack', detail: 'Near' };

    it('is unknown on every node, also on those that another item selects', () => {
      expect(selectOnNode(table, rackA)).to.deep.equal({ kind: 'unclear', problem });
      expect(selectOnNode(table, bare)).to.deep.equal({ kind: 'unclear', problem });
    });

    it('is unknown for a node that the cluster does not have', () => {
      expect(selectNodes(table, labelIndex([rackA, bare])).size).to.equal(0);
    });

    it('names the first interface, in any order of the table', () => {
      const broken = [nodeConfig('br-x', unclearSelector), nodeConfig('br-a', labelled('no key', 'x'))];
      const first = { hostInterfaceName: 'br-a', kind: 'key-invalid', key: 'no key', detail: 'In' };
      expect(uplinkTable(uplink('blue', broken)).unclear).to.deep.equal(first);
      expect(uplinkTable(uplink('blue', [...broken].reverse())).unclear).to.deep.equal(first);
    });

    it('has the first of several problems of one interface', () => {
      const broken = [
        nodeConfig('br-a', { matchExpressions: [{ key: 'rack', operator: 'Near' }] }),
        nodeConfig('br-a', { matchExpressions: [{ key: 'rack', operator: 'Far' }] }),
        nodeConfig('br-a', { matchExpressions: [{ key: 'row', operator: 'Far' }] }),
        nodeConfig('br-a', { matchExpressions: [{ key: 'row', operator: 'In' }] }),
      ];
      const firstOf = (from: number) => uplinkTable(uplink('blue', broken.slice(from))).unclear;
      expect(firstOf(0)).to.include({ kind: 'operator-unknown', key: 'rack', detail: 'Far' });
      expect(firstOf(2)).to.include({ kind: 'operator-unknown', key: 'row', detail: 'Far' });
      expect(firstOf(3)).to.include({ kind: 'values-missing', key: 'row', detail: 'In' });
    });
  });

  it('has the same problem of two with equal text when interface, kind, key and detail are joined', () => {
    const broken = [
      nodeConfig('br-a', { matchExpressions: [{ key: '! x', operator: 'y' }] }),
      nodeConfig('br-a', { matchExpressions: [{ key: '!', operator: 'x y' }] }),
    ];
    const { unclear } = uplinkTable(uplink('blue', broken));
    expect(uplinkTable(uplink('blue', [...broken].reverse())).unclear).to.deep.equal(unclear);
  });

  it('is unknown to a table without problems', () => {
    expect(uplinkTable(uplink('blue', [one]))).not.to.have.property('unclear');
  });

  it('is the same for one node as among all', () => {
    const labels = fc.option(fc.constantFrom('rack-a', 'rack-b', 'rack-c', 'rack-d'), { nil: undefined });
    const item = fc.tuple(fc.constantFrom('br-a', 'br-b'), nodeSelectors);
    // Of several items one often selects every node.
    const items = fc.oneof(fc.tuple(item), fc.array(item, { minLength: 1, maxLength: 3 }));
    const coverage = new Coverage();
    fc.assert(
      fc.property(fc.array(labels, { minLength: 1, maxLength: 5 }), items, (racks, chosen) => {
        const nodes = racks.map((rack, position) =>
          node(`n${position}`, rack === undefined ? {} : { labels: { rack } }),
        );
        const table = uplinkTable(
          uplink(
            'blue',
            chosen.map(([name, selector]) => nodeConfig(name, selector)),
          ),
        );
        const selections = selectNodes(table, labelIndex(nodes));
        for (const each of nodes) {
          const alone = selectOnNode(table, each);
          coverage.count({
            selected: alone.kind !== 'none' && alone.kind !== 'unclear',
            none: alone.kind === 'none',
          });
          if (alone.kind === 'unclear') continue;
          expect(selections.get(each.metadata.name) ?? { kind: 'none' }).to.deep.equal(alone);
        }
      }),
      { numRuns: caseCount(400) },
    );
    coverage.expect({ selected: 0.1, none: 0.1 });
  });
});
