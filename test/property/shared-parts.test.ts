/** The memory between plans never changes a decision: an agent shares the parts of a node, and the lists of a cluster, that have not changed. */
import { expect } from 'chai';
import fc from 'fast-check';
import { diffNode, type NodeSettings, type NodeSnapshot, nodeStatus, planNode } from '../../src/domain/index.ts';
import { foreseen } from '../../src/domain/diff/foresee.ts';
import type { ClusterSnapshot } from '../../src/domain/index.ts';
import { cases } from '../../src/testing/index.ts';
import { caseCount } from '../case-count.ts';
import { Coverage } from '../coverage.ts';

/** The situation that is planned for. */
interface Situation {
  readonly cluster: ClusterSnapshot;
  readonly node: NodeSnapshot;
}

const parts = [
  'links',
  'routes',
  'rules',
  'neighbours',
  'bridges',
  'flows',
  'fdbEntries',
  'noFloodPorts',
  'northbound',
] as const satisfies readonly (keyof NodeSnapshot)[];

const lists = [
  'uplinks',
  'clusterUserDefinedNetworks',
  'networkAttachmentDefinitions',
  'routeAdvertisements',
] as const satisfies readonly (keyof ClusterSnapshot)[];

/** A change of a situation. Numbers choose among items. */
type Step =
  /** Some of the planned operations, or all, are applied. */
  | { readonly do: 'apply'; readonly which: number }
  /** A part is read again: without an item, with one that is equal, or as it was at first. */
  | {
      readonly do: 'lose' | 'copy' | 'restore';
      readonly part: (typeof parts)[number] | (typeof lists)[number];
      readonly which: number;
    };

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('apply' as const), which: fc.nat() }),
    fc.record({
      do: fc.constantFrom('lose' as const, 'copy' as const, 'restore' as const),
      part: fc.constantFrom(...parts, ...lists),
      which: fc.nat(),
    }),
  ),
  { minLength: 2, maxLength: 8 },
);

function changedItems(items: readonly object[], how: 'lose' | 'copy', which: number): readonly object[] {
  const at = which % Math.max(1, items.length);
  return items.flatMap((item, index) => {
    if (index !== at) return [item];
    return how === 'lose' ? [] : [structuredClone(item)];
  });
}

function decided({ cluster, node }: Situation, settings: NodeSettings) {
  const plan = planNode(cluster, node, settings);
  const operations = diffNode(plan, node);
  return { operations, text: JSON.stringify({ plan, operations, states: nodeStatus(plan) }) };
}

function after(step: Step, present: Situation, first: Situation, settings: NodeSettings): Situation {
  if (step.do === 'apply') {
    const { operations } = decided(present, settings);
    const some = step.which % 2 === 0 ? operations : operations.slice(0, step.which % (operations.length + 1));
    return { ...present, node: foreseen(some, present.node) };
  }
  const of = lists.some((list) => list === step.part) ? 'cluster' : 'node';
  const items = (situation: Situation) =>
    (situation[of] as unknown as Readonly<Record<string, readonly object[]>>)[step.part] ?? [];
  const changed = step.do === 'restore' ? items(first) : changedItems(items(present), step.do, step.which);
  return { ...present, [of]: { ...present[of], [step.part]: changed } };
}

describe('decisions about a situation that shares its unchanged parts with the one before', function () {
  this.timeout(0);

  it('are those about a copy of it', () => {
    const coverage = new Coverage();
    fc.assert(
      fc.property(cases, steps, ({ cluster, nodes, settings }, changes) => {
        const [node] = nodes;
        if (node === undefined) return;
        const first: Situation = { cluster, node };
        const shared = [{ situation: first, ...decided(first, settings) }];
        for (const step of changes) {
          const situation = after(step, shared.at(-1)?.situation ?? first, first, settings);
          shared.push({ situation, ...decided(situation, settings) });
        }
        // Afterwards: what is remembered of copies would take the place of what is tested.
        for (const { situation, text } of shared) {
          expect(text).to.equal(decided(structuredClone(situation), structuredClone(settings)).text);
        }
        const texts = shared.map(({ text }) => text);
        coverage.count({
          'another decision': new Set(texts).size > 1,
          'nothing to do after something': shared.some(
            ({ operations }, index) => operations.length === 0 && (shared[index - 1]?.operations.length ?? 0) > 0,
          ),
          'something to do after nothing': shared.some(
            ({ operations }, index) => operations.length > 0 && shared[index - 1]?.operations.length === 0,
          ),
        });
      }),
      { numRuns: caseCount(300) },
    );
    coverage.expect({
      'another decision': 0.3,
      'nothing to do after something': 0.1,
      'something to do after nothing': 0.05,
    });
  });
});
