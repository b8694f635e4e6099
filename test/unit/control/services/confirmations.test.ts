import { expect } from 'chai';
import { Confirmations } from '../../../../src/control/services/confirmations.ts';
import type { ApplyResult } from '../../../../src/ports/apply-result.ts';
import type { MadeChange } from '../../../../src/ports/node/load-balancers.ts';

const late: ApplyResult = { done: false, error: 'ovn-controller took longer than 30 s' };

describe('confirmations of OVN', () => {
  /** Answers to whether a number is confirmed. */
  let asked: Map<number, (result: ApplyResult) => void>;
  /** Results of changes that change nothing. */
  let made: MadeChange[];
  let confirmed: string[];
  let warnings: string[];
  let confirmations: Confirmations;
  beforeEach(() => {
    [made, confirmed, warnings] = [[], [], []];
    asked = new Map();
    confirmations = new Confirmations({
      loadBalancers: {
        apply: () => Promise.resolve(made.shift() ?? { done: true, number: 100 }),
        confirmed: (number) => new Promise((resolve) => asked.set(number, resolve)),
      },
      warn: (text) => warnings.push(text),
    });
  });

  const follow = (number: number, what: string) => confirmations.follow(number, () => confirmed.push(what));

  /** Answers what was asked, once it was. */
  async function answer(number: number, result: ApplyResult): Promise<void> {
    for (let turns = 0; !asked.has(number) && turns < 100; turns += 1) await Promise.resolve();
    asked.get(number)?.(result);
    asked.delete(number);
    for (let turns = 0; turns < 10; turns += 1) await Promise.resolve();
  }

  it('are told of each transaction once, with those before', async () => {
    follow(7, 'first');
    follow(8, 'second');
    follow(9, 'third');
    await answer(8, { done: true });
    expect(confirmed).to.deep.equal(['first', 'second']);
    await answer(7, { done: true });
    await answer(9, { done: true });
    await confirmations.settled();
    expect(confirmed).to.deep.equal(['first', 'second', 'third']);
  });

  it('are asked for again, by the number of a change that changes nothing, where they did not come in time', async () => {
    follow(7, 'first');
    await answer(7, late);
    expect(warnings).to.deep.equal([
      'load balancers of Services are not confirmed: ovn-controller took longer than 30 s',
    ]);
    // A database that was lost numbers anew.
    made = [{ done: true, number: 2 }];
    confirmations.askAgain();
    follow(3, 'after');
    await answer(2, { done: true });
    expect(confirmed).to.deep.equal(['first']);
    await answer(3, { done: true });
    await confirmations.settled();
    expect(confirmed).to.deep.equal(['first', 'after']);
  });

  it('are asked for as often as they do not come, and only then', async () => {
    confirmations.askAgain();
    follow(7, 'first');
    confirmations.askAgain();
    await answer(7, late);
    made = [
      { done: false, error: 'cannot be reached' },
      { done: true, number: 8 },
    ];
    confirmations.askAgain();
    await confirmations.settled();
    confirmations.askAgain();
    await answer(8, { done: true });
    await confirmations.settled();
    expect([made, confirmed]).to.deep.equal([[], ['first']]);
  });

  it('are not asked for again where a later one has confirmed everything', async () => {
    follow(7, 'first');
    follow(8, 'second');
    await answer(7, late);
    await answer(8, { done: true });
    made = [{ done: true, number: 9 }];
    confirmations.askAgain();
    await confirmations.settled();
    expect([made.length, confirmed]).to.deep.equal([1, ['first', 'second']]);
  });
});
