import { expect } from 'chai';
import { activates, namespacesOf, nodesByNamespace } from '../../../../src/domain/selection/active-nodes.ts';
import { labelIndex } from '../../../../src/domain/selection/label-index.ts';
import { namespace, readNetwork, pod, unclearSelector } from '../brief-objects.ts';

describe('a pod keeps the networks of its namespace active on its node', () => {
  const cases: readonly (readonly [what: string, brief: Parameters<typeof pod>[3], activates: boolean])[] = [
    ['while it runs', {}, true],
    ['while it is pending there', { status: { phase: 'Pending' } }, true],
    ['while its phase is not known', { status: { phase: 'Unknown' } }, true],
    ['before it has a status', { status: {} }, true],
    ['not once it has succeeded', { status: { phase: 'Succeeded' } }, false],
    ['not once it has failed', { status: { phase: 'Failed' } }, false],
    ['not while it has no node', { spec: {} }, false],
    ['not in the host network', { spec: { nodeName: 'a', hostNetwork: true } }, false],
    ['where it says that it is not in the host network', { spec: { nodeName: 'a', hostNetwork: false } }, true],
  ];
  for (const [what, brief, expected] of cases) {
    it(what, () => {
      expect(activates(pod('p', 'blue', 'a', brief))).to.equal(expected);
    });
  }

  it('if it has no status at all', () => {
    const { status, ...without } = pod('p', 'blue', 'a');
    expect(status).to.exist;
    expect(activates(without)).to.be.true;
  });

  it('each node once, and only by pods that count', () => {
    const pods = [
      pod('p', 'blue', 'b'),
      pod('q', 'blue', 'a'),
      pod('r', 'blue', 'b'),
      pod('s', 'red', 'b'),
      pod('t', 'blue', 'c', { status: { phase: 'Failed' } }),
      pod('u', 'green', 'c', { spec: { nodeName: 'c', hostNetwork: true } }),
      pod('v', 'x', 'd', { metadata: { name: 'v' } }),
    ];
    expect(nodesByNamespace(pods)).to.deep.equal(
      new Map([
        ['blue', new Set(['b', 'a'])],
        ['red', new Set(['b'])],
        ['default', new Set(['d'])],
      ]),
    );
  });
});

describe('the namespaces of a network', () => {
  const namespaces = labelIndex([
    namespace('b', { tenant: 'blue' }),
    namespace('a', { tenant: 'blue' }),
    namespace('red'),
  ]);

  it('are those that its selector matches', () => {
    expect(namespacesOf(readNetwork('blue'), namespaces, ['x'])).to.deep.equal(['a', 'b']);
  });

  it('are the present ones, if its selector is not understood', () => {
    expect(
      namespacesOf(readNetwork('blue', { namespaceSelector: unclearSelector }), namespaces, ['x', 'a']),
    ).to.deep.equal(['x', 'a']);
  });
});
