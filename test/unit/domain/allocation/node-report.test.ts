import { expect } from 'chai';
import { reportTexts } from '../../../../src/domain/allocation/node-report.ts';
import { node } from '../brief-objects.ts';

const reporting = (name: string, uid: string, networks: string, removed = '') =>
  node(name, { uid, annotations: { 'ovn-uplinks/networks': networks, 'ovn-uplinks/removed-nodes': removed } });

const nodes = [reporting('worker-a', 'a', '1-3'), reporting('worker-b', 'b', '', '7'), node('worker-c', { uid: 'c' })];

describe('reports of nodes', () => {
  it('are the same in another order, whatever else nodes have', () => {
    const [first, second, third] = nodes;
    const other = node('worker-a', { ...first!.metadata, labels: { rack: 'a' } });
    expect(reportTexts([third!, other, second!])).to.deep.equal(reportTexts(nodes));
  });

  for (const [what, others] of [
    ['a node is gone', nodes.slice(1)],
    ['a node is new', [...nodes, node('worker-d', { uid: 'd' })]],
    ['a node is another one of its name', [reporting('worker-a', 'x', '1-3'), ...nodes.slice(1)]],
    ['a node reports another network', [reporting('worker-a', 'a', '1-4'), ...nodes.slice(1)]],
    ['a node reports another removed node', [reporting('worker-a', 'a', '1-3', '7'), ...nodes.slice(1)]],
    ['a node begins to report', [...nodes.slice(0, 2), reporting('worker-c', 'c', '')]],
  ] as const) {
    it(`are not the same if ${what}`, () => {
      expect(reportTexts(others)).to.not.deep.equal(reportTexts(nodes));
    });
  }
});
