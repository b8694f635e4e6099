import { expect } from 'chai';
import { duration, millisecondsOf } from '../../../src/cmd/input/duration.ts';

describe('a duration', () => {
  for (const [text, milliseconds] of [
    ['0s', 0],
    ['90s', 90_000],
    ['2m', 120_000],
    ['1h', 3_600_000],
  ] as const) {
    it(`of ${text} is ${milliseconds} ms`, () => {
      expect(millisecondsOf(duration(text))).to.equal(milliseconds);
    });
  }

  for (const text of ['', '90', 's', '-1s', '1.5m', '1m30s', '1d']) {
    it(`is not "${text}"`, () => {
      expect(() => duration(text)).to.throw('Expected a duration such as 120s, 2m or 0s.');
    });
  }
});
