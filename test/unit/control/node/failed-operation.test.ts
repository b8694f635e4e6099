import { clusterNetworkKey } from '../../../../src/domain/network/key.ts';
import { expect } from 'chai';
import {
  type FailedOperation,
  failedAgain,
  retried,
  retryOnChangeAt,
} from '../../../../src/control/node/failed-operation.ts';
import type { Operation } from '../../../../src/domain/index.ts';

const entity = {
  kind: 'membership',
  device: 'br-blue',
  vrf: 'blue',
  table: 1007,
  network: 'cluster_udn_blue',
} as const;
const enslave: Operation = { verb: 'add', networks: [clusterNetworkKey('blue')], entity };
const release: Operation = { verb: 'remove', networks: [clusterNetworkKey('blue')], entity };

/** A failure after some attempts, each after its backoff; each was undone. */
function afterAttempts(count: number): FailedOperation {
  let failure = failedAgain(enslave, 'No', undefined, 'br-blue', 0);
  while (failure.attempts < count) {
    const { retryAt } = failure;
    failure = failedAgain(enslave, 'No', retried(failure, retryAt), 'br-blue', retryAt + 50);
  }
  return failure;
}

/** Milliseconds until the next attempt after a repair right now. */
function wait(failure: FailedOperation): number {
  return retryOnChangeAt({ ...failure, hasRelatedChange: true }) - failure.failedAt;
}

describe('an operation that failed and was undone', () => {
  it('is retried right after a repair, however often it has failed', () => {
    expect(wait(afterAttempts(8))).to.equal(300);
  });

  it('is not retried at once if the attempts cause changes, though an attempt takes longer than the rest of the backoff', () => {
    const before = afterAttempts(8);
    const { failedAt, retryAt } = before;
    const begun = retried({ ...before, hasRelatedChange: true }, failedAt + 400);
    const next = failedAgain(enslave, 'No', retried(begun, retryAt + 10), 'br-blue', retryAt + 20);
    expect(wait(next)).to.equal(15_000);
  });

  it('is retried at once if undoing it failed as well, as the change is then no reaction to it', () => {
    const before = afterAttempts(8);
    expect(wait(failedAgain(release, 'Not now', before, 'br-blue', before.failedAt + 50))).to.equal(300);
  });
});
