import fc from 'fast-check';
import type { LabelSelector } from '../../domain/api/label-selector.ts';
import { racks } from './names.ts';

/** Selectors by the label `rack`: all, one rack, every operator, and some that nothing can be matched against. */
export const nodeSelectors: fc.Arbitrary<LabelSelector> = fc.oneof(
  { withCrossShrink: true },
  { weight: 8, arbitrary: fc.constant({}) },
  { weight: 6, arbitrary: fc.constantFrom(...racks).map((rack) => ({ matchLabels: { rack } })) },
  {
    weight: 3,
    arbitrary: fc
      .record({ operator: fc.constantFrom('In', 'NotIn'), values: fc.subarray([...racks], { minLength: 1 }) })
      .map((expression) => ({ matchExpressions: [{ key: 'rack', ...expression }] })),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('Exists', 'DoesNotExist')
      .map((operator) => ({ matchExpressions: [{ key: 'rack', operator }] })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<LabelSelector>(
      { matchExpressions: [{ key: 'rack', operator: 'Near' }] },
      { matchExpressions: [{ key: 'rack', operator: 'Exists', values: ['rack-a'] }] },
      { matchLabels: { 'no key': 'x' } },
    ),
  },
);
