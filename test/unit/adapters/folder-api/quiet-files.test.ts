import type { BigIntStats } from 'node:fs';
import { expect } from 'chai';
import { QuietFiles } from '../../../../src/adapters/folder-api/quiet-files.ts';

/** A file's times in milliseconds since 1970. */
function stats(written: number, changed = written, size = 5): BigIntStats {
  const times = { mtimeNs: BigInt(written) * 1_000_000n, ctimeNs: BigInt(changed) * 1_000_000n };
  return { dev: 1n, ino: 2n, size: BigInt(size), ctimeMs: BigInt(changed), ...times } as BigIntStats;
}

describe('a file may be in the middle of being written', () => {
  const now = 1_000_000;

  for (const { name, file, wait } of [
    { name: 'where it was written just now', file: stats(now), wait: 100 },
    { name: 'where it was written 99 ms ago', file: stats(now - 99), wait: 100 },
    { name: 'where the clock of its file system is ahead', file: stats(now + 60_000), wait: 100 },
    { name: 'but not where that was 100 ms ago', file: stats(now - 100), wait: 0 },
    { name: 'but not where it was renamed or given a time since', file: stats(now - 5, now), wait: 0 },
    { name: 'but not where it got a time from the future', file: stats(now + 60_000, now), wait: 0 },
  ]) {
    it(name, () => {
      expect(new QuietFiles().waitFor('a', file, 0, now)).to.equal(wait);
    });
  }

  it('until it was seen as it is for 100 ms, whatever the clocks say', () => {
    const files = new QuietFiles();
    const ahead = now + 60_000;
    expect(files.waitFor('a', stats(ahead), 0, now)).to.equal(100);
    expect(files.waitFor('a', stats(ahead), 60, now)).to.equal(40);
    expect(files.waitFor('a', stats(ahead, ahead, 6), 80, now)).to.equal(100);
    expect(files.waitFor('a', stats(ahead, ahead, 6), 180, now)).to.equal(0);
  });

  it('while another is quiet', () => {
    const files = new QuietFiles();
    expect(files.waitFor('a', stats(now + 1), 0, now)).to.equal(100);
    expect(files.waitFor('b', stats(now + 1), 100, now)).to.equal(100);
    expect(files.waitFor('a', stats(now + 1), 100, now)).to.equal(0);
  });
});
