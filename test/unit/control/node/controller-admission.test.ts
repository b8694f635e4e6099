import { expect } from 'chai';
import { ControllerAdmission } from '../../../../src/control/node/controller-admission.ts';
import type { AdmissionReport, ControllerAccessState } from '../../../../src/ports/cluster/controller-access.ts';
import type { ApplyResult } from '../../../../src/ports/apply-result.ts';
import { eventually } from '../../adapters/processes.ts';

describe('the admission of ovn-controller', () => {
  /** @param states what looks find, and the errors that they throw */
  function scene(states: readonly (ControllerAccessState | Error)[], given: readonly ApplyResult[] = [{ done: true }]) {
    const left = [...states];
    const answers = [...given];
    const reports: AdmissionReport[] = [];
    let looks = 0;
    let gifts = 0;
    const access = {
      state: () => {
        looks += 1;
        const state = left.length > 1 ? left.shift()! : left[0]!;
        return state instanceof Error ? Promise.reject(state) : Promise.resolve(state);
      },
      give: () => {
        gifts += 1;
        return Promise.resolve(answers.length > 1 ? answers.shift()! : answers[0]!);
      },
    };
    const admission = new ControllerAdmission(access, (report) => reports.push(report), {
      patience: 60,
      interval: 5,
      retry: 5,
    });
    return { admission, reports, looks: () => looks, gifts: () => gifts };
  }
  const complete = { kind: 'withheld', isNew: false, missing: [] } as const;
  const lacking = { kind: 'withheld', isNew: false, missing: ['demo_a'] } as const;

  it('happens once the loop has settled, not before', async () => {
    const { admission, reports, looks } = scene([complete]);
    admission.take({ kind: 'applied' });
    expect(looks()).to.equal(0);
    admission.take({ kind: 'settled' });
    await eventually('it is given', () => reports.length > 0);
    expect(reports).to.deep.equal([{ kind: 'given' }]);
  });

  it('waits for the ports of the node', async () => {
    const { admission, reports, looks } = scene([lacking, lacking, complete]);
    admission.take({ kind: 'settled' });
    await eventually('it is given', () => reports.length > 0);
    expect(reports).to.deep.equal([{ kind: 'given' }]);
    expect(looks()).to.equal(3);
  });

  it('does not wait for ever for a port that does not come', async () => {
    const { admission, reports } = scene([lacking]);
    admission.take({ kind: 'settled' });
    await eventually('it is given', () => reports.length > 0);
    expect(reports).to.deep.equal([{ kind: 'given-incomplete', missing: ['demo_a'] }]);
  });

  for (const [what, state] of Object.entries({
    'to a database that nothing was written to': { kind: 'withheld', isNew: true, missing: [] },
    'where it is given': { kind: 'given' },
  } as const)) {
    it(`is not ${what}`, async () => {
      const { admission, reports, looks, gifts } = scene([state]);
      admission.take({ kind: 'settled' });
      await eventually('it has looked', () => looks() === 1);
      await new Promise(setImmediate);
      expect([gifts(), reports]).to.deep.equal([0, []]);
    });
  }

  it('reports why the state is not known, once, and looks again though the loop does not settle again', async () => {
    const away = { kind: 'unknown', error: 'away' } as const;
    const { admission, reports } = scene([away, away, { kind: 'unknown', error: 'busy' }, away, complete]);
    admission.take({ kind: 'settled' });
    await eventually('it is given', () => reports.at(-1)?.kind === 'given');
    expect(reports).to.deep.equal([
      ...['away', 'busy', 'away'].map((error) => ({ kind: 'failed', error })),
      { kind: 'given' },
    ]);
  });

  it('is tried again where it was refused, though the loop does not settle again', async () => {
    const { admission, reports } = scene([complete], [{ done: false, error: 'refused' }, { done: true }]);
    admission.take({ kind: 'settled' });
    await eventually('it is given', () => reports.length === 2);
    expect(reports).to.deep.equal([{ kind: 'failed', error: 'refused' }, { kind: 'given' }]);
  });

  it('is tried again after a look that threw', async () => {
    const { admission, reports } = scene([new Error('gone'), complete]);
    admission.take({ kind: 'settled' });
    await eventually('it is given', () => reports.length === 2);
    expect(reports).to.deep.equal([{ kind: 'failed', error: 'gone' }, { kind: 'given' }]);
  });
});
