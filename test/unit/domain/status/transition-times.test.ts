import { expect } from 'chai';
import { timedCondition } from '../../../../src/domain/status/transition-times.ts';

describe('the transition time of a condition', () => {
  const condition = { type: 'Ready', status: 'True', reason: 'Ready', message: '' } as const;
  const [then, now] = ['2026-01-01T00:00:00Z', '2026-02-02T00:00:00Z'];

  for (const [what, before, moment] of [
    ['is now where it is new', [], now],
    [
      'stays where the status does, whatever the reason',
      [{ type: 'Ready', status: 'True', lastTransitionTime: then }],
      then,
    ],
    ['is now where the status was another one', [{ type: 'Ready', status: 'False', lastTransitionTime: then }], now],
    [
      'is now where only another condition had the status',
      [{ type: 'Other', status: 'True', lastTransitionTime: then }],
      now,
    ],
    ['is now where nobody has said when', [{ type: 'Ready', status: 'True' }], now],
  ] as const) {
    it(what, () => {
      expect(timedCondition(condition, before, now)).to.deep.equal({ ...condition, lastTransitionTime: moment });
    });
  }
});
