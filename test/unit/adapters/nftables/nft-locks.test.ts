import { expect } from 'chai';
import { NftLocks } from '../../../../src/adapters/nftables/nft-locks.ts';
import type { LongLivedPrograms } from '../../../../src/ports/long-lived-programs.ts';
import type { ProgramResult, Programs } from '../../../../src/ports/programs.ts';

/** Programs of which nft always ends in one way. */
function endingWith(result: ProgramResult): Programs & LongLivedPrograms {
  return {
    run: () => Promise.resolve(result),
    start: () => ({ write: () => undefined, end: () => undefined }),
  };
}

const failed = (stderr: string): ProgramResult => ({
  outcome: 'failed',
  exitCode: 1,
  stdout: new Uint8Array(),
  stderr,
});

describe('locks where nft fails', () => {
  it('are removed where there can be none, and not put', async () => {
    for (const result of [
      { outcome: 'not-found' } as const,
      failed('Unable to initialize Netlink socket: Protocol not supported'),
      failed('Error: Could not process rule: Operation not supported'),
    ]) {
      const locks = new NftLocks(endingWith(result));
      expect(await locks.clear()).to.deep.equal({ done: true });
      expect(await locks.remove([7])).to.include({ done: false });
    }
  });

  it('are not removed, and cannot be read, for another reason, which is told', async () => {
    const locks = new NftLocks(endingWith(failed('netlink: Error: Operation not permitted')));
    const said = 'the program nft exited with status 1 and printed: netlink: Error: Operation not permitted';
    expect(await locks.clear()).to.deep.equal({ done: false, error: said, isRefused: true });
    expect(await locks.read())
      .to.have.nested.property('problems[0].message')
      .include('Operation not permitted');
  });
});
