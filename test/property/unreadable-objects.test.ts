/**
 * An object that cannot be read does not count as absent (docs/design/api-decisions.md, "Bad input"): what it has led to on a node stays.
 */
import { clusterNetworkKey } from '../../src/domain/network/key.ts';
import { expect } from 'chai';
import fc from 'fast-check';
import type { KindKey } from '../../src/domain/api/kinds.ts';
import { type ClusterSnapshot, type Operation, operationText } from '../../src/domain/index.ts';
import { type Case, cases, converge, engine } from '../../src/testing/index.ts';
import { caseCount } from '../case-count.ts';

type Name = Pick<ClusterSnapshot['nodes'][number]['metadata'], 'namespace' | 'name'>;

/** Kinds of which the API server may have objects that this version cannot read. */
const kinds = ['uplinks', 'clusterUserDefinedNetworks', 'routeAdvertisements', 'frrConfigurations'] as const;

function namesOf(cluster: ClusterSnapshot, kind: KindKey): readonly Name[] {
  const objects: readonly { readonly metadata: Name }[] = cluster[kind];
  return objects.map(({ metadata: { namespace, name } }) => ({ name, ...(namespace !== undefined && { namespace }) }));
}

/** The cluster with some objects of a kind of which no more than the names is known. */
function withUnreadable(cluster: ClusterSnapshot, kind: KindKey, names: readonly Name[]): ClusterSnapshot {
  const objects: readonly { readonly metadata: Name }[] = cluster[kind];
  const isUnreadable = ({ metadata }: (typeof objects)[number]) =>
    names.some(({ namespace, name }) => metadata.namespace === namespace && metadata.name === name);
  return {
    ...cluster,
    [kind]: objects.filter((object) => !isUnreadable(object)),
    unreadable: names.map((name) => ({ kind, ...name })),
  };
}

/** The operations that would be done on programmed nodes after some objects have become unreadable. */
function operationsAfter(
  { cluster, nodes, settings }: Case,
  kind: KindKey,
  some: (names: readonly Name[]) => readonly (readonly Name[])[],
): readonly { readonly unreadable: readonly Name[]; readonly operations: readonly Operation[] }[] {
  return nodes.flatMap((found) => {
    const { node, plan, operations } = converge(engine, '2 converges', { cluster, settings }, found);
    // What others have left on the bridge of a network that was never programmed cannot be told from what is its own.
    if (operations.length === 0 || plan.networks.some(({ held }) => held)) return [];
    return some(namesOf(cluster, kind)).map((unreadable) => {
      const after = withUnreadable(cluster, kind, unreadable);
      return { unreadable, operations: engine.diffNode(engine.planNode(after, node, settings), node) };
    });
  });
}

describe('objects that cannot be read change nothing of a programmed node:', function () {
  this.timeout(0);
  for (const kind of kinds) {
    it(`all ${kind}`, () => {
      let compared = 0;
      fc.assert(
        fc.property(cases, (subject) => {
          for (const { unreadable, operations } of operationsAfter(subject, kind, (names) => [names])) {
            if (unreadable.length > 0) compared += 1;
            expect(operations.map(operationText)).to.deep.equal([]);
          }
        }),
        { numRuns: caseCount(300) },
      );
      expect(compared).to.be.greaterThan(0);
    });
  }

  it('a single network, whatever happens to the others', () => {
    let compared = 0;
    fc.assert(
      fc.property(cases, (subject) => {
        const each = operationsAfter(subject, 'clusterUserDefinedNetworks', (names) => names.map((name) => [name]));
        for (const { unreadable, operations } of each) {
          compared += 1;
          const own = operations.filter(
            ({ networks }) =>
              networks.length === 0 || unreadable.some(({ name }) => networks.includes(clusterNetworkKey(name))),
          );
          expect(own.map(operationText)).to.deep.equal([]);
        }
      }),
      { numRuns: caseCount(300) },
    );
    expect(compared).to.be.greaterThan(0);
  });
});
