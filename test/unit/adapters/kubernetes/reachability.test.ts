import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { Reachability } from '../../../../src/adapters/kubernetes/reachability.ts';

const never = new AbortController().signal;

describe('requests that wait for an API server', () => {
  /** Several who wait, and why each went on, in order. */
  function waiting(reachability: Reachability, names: readonly string[], signal = never): readonly string[] {
    const ends: string[] = [];
    for (const name of names) void reachability.wait(signal).then((end) => ends.push(`${name} ${end}`));
    return ends;
  }

  it('are tried one after the other, in order', async () => {
    const ends = waiting(new Reachability({ first: 2, longest: 2 }), ['a', 'b', 'c']);
    while (ends.length < 3) await pause(1);
    expect(ends).to.deep.equal(['a turn', 'b turn', 'c turn']);
  });

  it('share one backoff, so that many try no more often than one', async () => {
    const reachability = new Reachability({ first: 20, longest: 10_000 });
    const begin = performance.now();
    const attempts: number[] = [];
    const end = new AbortController();
    const tries = async () => {
      while (attempts.length < 4 && (await reachability.wait(end.signal)) === 'turn')
        attempts.push(performance.now() - begin);
    };
    await Promise.race([tries(), tries(), tries()]);
    end.abort();
    // At least half of 20, 40, 80 and 160 ms, one after the other.
    expect(attempts[3]).to.be.at.least(149);
  });

  it('continue together after the first response, and the backoff is reset', async () => {
    const reachability = new Reachability({ first: 5, longest: 10_000 });
    const ends = waiting(reachability, ['a', 'b', 'c']);
    while (ends.length === 0) await pause(1);
    reachability.answered();
    await pause(0);
    expect(ends).to.deep.equal(['a turn', 'b answered', 'c answered']);
    const begin = performance.now();
    expect(await reachability.wait(never)).to.equal('turn');
    expect(performance.now() - begin).to.be.below(1000);
  });

  it('continue if they are not needed any more, without a try', async () => {
    const reachability = new Reachability({ first: 5, longest: 5 });
    const closing = new AbortController();
    const ended = waiting(reachability, ['a'], closing.signal);
    const others = waiting(reachability, ['b']);
    closing.abort();
    await pause(0);
    expect(ended).to.deep.equal(['a turn']);
    while (others.length === 0) await pause(1);
    expect(others).to.deep.equal(['b turn']);
    expect(await reachability.wait(closing.signal)).to.equal('turn');
  });
});
