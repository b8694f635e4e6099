import { expect } from 'chai';
import { type Failure, failed, stirredAt, tried } from '../../../../src/control/node/failure.ts';
import type { Operation } from '../../../../src/domain/index.ts';

const place = { networks: ['blue'], device: 'br-blue', vrf: 'blue' };
const enslave: Operation = {
  verb: 'add',
  entity: { kind: 'membership', ...place, table: 1007, network: 'cluster_udn_blue' },
};
const release: Operation = {
  verb: 'remove',
  entity: { kind: 'membership', ...place, table: 1012, network: 'cluster_udn_blue' },
};

/** A failure after some attempts, each of them when its time had come; what was begun was taken back each time. */
function afterAttempts(count: number): Failure {
  let failure = failed(enslave, 'No', undefined, 'br-blue', 0);
  while (failure.attempts < count) {
    const { retryAt } = failure;
    failure = failed(enslave, 'No', tried(failure, retryAt), 'br-blue', retryAt + 50);
  }
  return failure;
}

/** Milliseconds for which one who repairs something right now has to wait. */
function wait(failure: Failure): number {
  return stirredAt({ ...failure, isStirred: true }) - failure.failedAt;
}

describe('what failed and was taken back', () => {
  it('is tried again right after a repair, however often it has failed', () => {
    expect(wait(afterAttempts(8))).to.equal(300);
  });

  it('is not where changes answer the attempts, though an attempt takes longer than its time was still away', () => {
    const before = afterAttempts(8);
    const { failedAt, retryAt } = before;
    const begun = tried({ ...before, isStirred: true }, failedAt + 400);
    const next = failed(enslave, 'No', tried(begun, retryAt + 10), 'br-blue', retryAt + 20);
    expect(wait(next)).to.equal(15_000);
  });

  it('is where taking it back failed as well: that is no answer', () => {
    const before = afterAttempts(8);
    expect(wait(failed(release, 'Not now', before, 'br-blue', before.failedAt + 50))).to.equal(300);
  });
});
