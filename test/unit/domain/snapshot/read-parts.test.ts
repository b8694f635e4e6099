import { expect } from 'chai';
import fc from 'fast-check';
import type { NodeSnapshot } from '../../../../src/domain/index.ts';
import { entityKinds, foreignAtPlaces } from '../../../../src/domain/entities/entity-kinds.ts';
import { type NodeView, viewNode } from '../../../../src/domain/snapshot/node-view.ts';
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

  it('are computed again for any change if another value that was asked for has read all parts', () => {
    const names = counted((found) => Object.keys(found).length);
    const text = counted((found) => `${names.ask(found)} parts`);
    const before = text.ask(node);
    expect(text.ask({ ...node, bridgesWithoutSwitch: ['br-blue'] })).not.to.equal(before);
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

describe('values that are cached by what was read of a node under some keys', () => {
  const link = (name: string, master?: string) => ({
    index: 1,
    name,
    up: true,
    operationalState: 'up',
    mtu: 1500,
    type: 'ether',
    addresses: [],
    ...(master !== undefined && { master }),
  });
  const empty = completeNode({ nodeName: 'worker-a' });
  const withLinks = (...links: NodeSnapshot['links']): NodeSnapshot => ({ ...empty, links });
  const [blue, red] = [link('blue'), link('red')];

  /** Counts how often a value is computed from the view of a node. */
  function viewed<Value>(make: (node: NodeView) => Value) {
    const last = lastByReadParts<Value>();
    const key = {};
    let count = 0;
    const ask = (node: NodeSnapshot) =>
      last(key, [], viewNode(node), (view) => {
        count += 1;
        return make(view);
      });
    return { ask, count: () => count };
  }

  it('are computed again for a change there, and for no other of the same part', () => {
    const master = viewed((node) => node.link('blue')?.master);
    const links = [withLinks(blue), withLinks(blue, red), withLinks(link('red', 'vrf'), blue)];
    for (const node of links) expect(master.ask(node)).to.equal(undefined);
    expect(master.count()).to.equal(1);
    expect(master.ask(withLinks(link('blue', 'vrf'), red))).to.equal('vrf');
    expect(master.ask(withLinks(red))).to.equal(undefined);
    expect(master.count()).to.equal(3);
  });

  it('are computed again when something appears where nothing was', () => {
    const isThere = viewed((node) => node.link('blue') !== undefined);
    expect(isThere.ask(withLinks(red))).to.equal(false);
    expect(isThere.ask(withLinks(red, blue))).to.equal(true);
  });

  it('are computed again when there is nothing of a kind any more, or something where there was nothing', () => {
    const foreign = viewed(({ snapshot }) => foreignAtPlaces(entityKinds.rule, snapshot) === undefined);
    const rule = { family: 4, priority: 7, table: 100, protocol: 'static', others: {} } as const;
    const answers = [[], [rule], []].map((rules) => foreign.ask({ ...empty, rules }));
    expect(answers).to.deep.equal([true, false, true]);
  });

  it('are those of a fresh computation after any changes, also through other values', () => {
    const names = ['a', 'b', 'c', 'd'];
    const someLinks = fc
      .uniqueArray(fc.tuple(fc.constantFrom(...names), fc.option(fc.constantFrom(...names))), {
        selector: ([name]) => name,
      })
      .map((pairs) => pairs.map(([name, master]) => link(name, master ?? undefined)));
    const steps = fc.array(fc.tuple(someLinks, fc.boolean()), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(steps, (changes) => {
        const masterOf = (node: NodeView) => node.link(node.link('a')?.master ?? 'b')?.name ?? 'none';
        const portsOf = (node: NodeView) => node.portsOf('c').length;
        const [first, second] = [viewed(masterOf), viewed(portsOf)];
        const third = viewed(({ snapshot }) => `${first.ask(snapshot)} ${String(second.ask(snapshot))}`);
        let links: NodeSnapshot['links'] = [];
        for (const [next, isKept] of changes) {
          // Some of the same objects, as an observation shares what has not changed.
          links = isKept ? [...links.filter(({ name }) => next.every((each) => each.name !== name)), ...next] : next;
          const node = withLinks(...links);
          const view = viewNode(node);
          if (isKept) first.ask(node);
          expect(third.ask(node)).to.equal(`${masterOf(view)} ${String(portsOf(view))}`);
        }
      }),
    );
  });
});
