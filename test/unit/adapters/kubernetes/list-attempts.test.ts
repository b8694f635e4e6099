import { expect } from 'chai';
import type { ApiFailure } from '../../../../src/adapters/kubernetes/api-server.ts';
import { ListAttempts } from '../../../../src/adapters/kubernetes/watch/list-attempts.ts';

const failure: ApiFailure = { message: 'connection refused' };

describe('attempts to keep a list up to date', () => {
  /** Delays after consecutive attempts, each of which fails at once. */
  function delays(count: number, random: number): readonly number[] {
    const attempts = new ListAttempts();
    let now = 5000;
    return Array.from({ length: count }, () => {
      attempts.begin();
      attempts.end(now);
      const delay = attempts.delayAfter(failure, random);
      now += delay;
      return delay;
    });
  }

  it('are repeated after 0.2 s, and twice as long each time, up to half a minute', () => {
    expect(delays(10, 0)).to.deep.equal([200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
  });

  it('have jitter: up to half as long', () => {
    expect(delays(9, 1)).to.deep.equal(delays(9, 0).map((delay) => delay / 2));
    expect(delays(3, 0.5)).to.deep.equal([150, 300, 600]);
  });

  /** Attempts of which some have failed, and one in which the list was up to date for so many milliseconds. */
  function afterWatchOf(milliseconds: number): ListAttempts {
    const attempts = new ListAttempts();
    for (let count = 0; count < 5; count += 1) attempts.end(count);
    attempts.begin();
    attempts.upToDate(1000);
    attempts.end(1000 + milliseconds);
    return attempts;
  }

  it('begin anew after the list was up to date for more than a second, and not before', () => {
    expect(afterWatchOf(1001).delayAfter(failure, 0)).to.equal(200);
    expect(afterWatchOf(1000).delayAfter(failure, 0)).to.equal(6400);
    expect([1001, 1000].map((lasted) => afterWatchOf(lasted).areRepeated)).to.deep.equal([false, true]);
  });

  it('are repeated at once after a watch that has only ended, unless that happens again', () => {
    expect(afterWatchOf(300_000).delayAfter(undefined, 0)).to.equal(0);
    const attempts = new ListAttempts();
    const ended = [1, 2, 3].map((now) => {
      attempts.begin();
      attempts.end(now);
      return attempts.delayAfter(undefined, 0);
    });
    expect(ended).to.deep.equal([0, 200, 400]);
  });

  it('wait as long as the API server asks for, but no longer than ten minutes', () => {
    const attempts = new ListAttempts();
    attempts.end(0);
    const waits = [50, 7000, 3_600_000].map((retryAfter) => attempts.delayAfter({ ...failure, retryAfter }, 0));
    expect(waits).to.deep.equal([200, 7000, 600_000]);
  });
});
