import { expect } from 'chai';
import { noRetries, retriesAfter } from '../../../src/control/retries.ts';

const refused = (...names: readonly string[]) => new Set(names);

describe('writes that have failed are tried again', () => {
  it('after a second, and twice as long each time they fail again then', () => {
    let retries = noRetries;
    const delays: number[] = [];
    for (let now = 5000; delays.length < 9; now = retries.at) {
      retries = retriesAfter(retries, refused('Uplink/blue'), now);
      delays.push((retries.at - now) / 1000);
    }
    expect(delays).to.deep.equal([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('sooner by a jitter of up to a half', () => {
    const retries = [0, 0.5, 1].map((random) => retriesAfter(noRetries, refused('Uplink/blue'), 5000, random).at);
    expect(retries).to.deep.equal([6000, 5750, 5500]);
  });

  it('no later for the attempts that changes have caused meanwhile', () => {
    let retries = retriesAfter(noRetries, refused('Uplink/blue'), 0);
    for (let now = 10; now < 1000; now += 10) retries = retriesAfter(retries, refused('Uplink/blue'), now);
    expect(retries.at).to.equal(1000);
  });

  it('soon where others had failed before', () => {
    let retries = retriesAfter(noRetries, refused('Uplink/blue', 'Uplink/green'), 0);
    for (let count = 0; count < 5; count += 1) retries = retriesAfter(retries, refused('Uplink/blue'), retries.at);
    expect(retriesAfter(retries, refused('Uplink/blue', 'Uplink/green'), 40_000).at).to.equal(41_000);
  });

  it('as if nothing had happened once all are written', () => {
    const former = retriesAfter(noRetries, refused('Uplink/blue'), 0);
    expect(retriesAfter(former, refused(), 1000)).to.deep.equal(noRetries);
  });
});
