import { expect } from 'chai';
import type { NodeSnapshot } from '../../../../src/domain/index.ts';
import { viewNode } from '../../../../src/domain/snapshot/node-view.ts';
import { lastByReadParts } from '../../../../src/domain/snapshot/read-parts.ts';
import { completeNode } from '../../../../src/testing/brief-node.ts';

/** Counts how often a value is computed from a node. */
function counted<Value>(make: (node: NodeSnapshot) => Value) {
  const last = lastByReadParts<Value>();
  const key = {};
  let count = 0;
  const ask = (node: NodeSnapshot, ...inputs: readonly unknown[]) =>
    last(key, inputs, viewNode(node), ({ snapshot }) => {
      count += 1;
      return make(snapshot);
    });
  return { ask, count: () => count };
}

describe('values that are cached by the parts of a node that were read for them', () => {
  const node = completeNode({ nodeName: 'worker-a' });

  it('are computed again when a part that was read is another object, and not for other parts', () => {
    const links = counted((found) => found.links.length);
    links.ask(node);
    links.ask({ ...node, neighbours: [], routes: [] });
    expect(links.count()).to.equal(1);
    links.ask({ ...node, links: [...node.links] });
    expect(links.count()).to.equal(2);
  });

  it('are computed again when an input is another object', () => {
    const links = counted((found) => found.links.length);
    const [one, other] = [{}, {}];
    links.ask(node, one);
    links.ask(node, one);
    expect(links.count()).to.equal(1);
    links.ask(node, other);
    expect(links.count()).to.equal(2);
  });

  it('are computed again for any change if all parts were read', () => {
    const copies = counted((found) => ({ ...found }));
    copies.ask(node);
    copies.ask({ ...node, isNorthboundRead: true });
    expect(copies.count()).to.equal(2);
  });

  it('stay where another cached value that was asked for is computed again and stays the same', () => {
    const isEmpty = counted(({ neighbours }) => neighbours.length === 0);
    const text = counted((found) => `${found.links.length} links, ${isEmpty.ask(found) ? 'no' : 'some'} neighbours`);
    expect(text.ask({ ...node, neighbours: [] })).to.equal(`${node.links.length} links, no neighbours`);
    text.ask({ ...node, neighbours: [] });
    expect([isEmpty.count(), text.count()]).to.deep.equal([2, 1]);
    const neighbours = [{ address: '192.0.2.1', device: 'br-blue', states: ['permanent'] }];
    expect(text.ask({ ...node, neighbours })).to.equal(`${node.links.length} links, some neighbours`);
    expect([isEmpty.count(), text.count()]).to.deep.equal([3, 2]);
  });
});
