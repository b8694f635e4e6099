/**
 * Promises about every plan, as functions that throw a LawViolation where one is broken. The numbers are those of the architecture.
 */
import type { Case } from './case.ts';
import { checkConverges } from './laws/converges.ts';
import { checkCrashSafe } from './laws/crash-safe.ts';
import { checkInverse } from './laws/inverse.ts';
import { checkIsolated } from './laws/isolated.ts';
import { checkNoBounce } from './laws/no-bounce.ts';
import { checkOwnsOnlyItsOwn } from './laws/owns-only-its-own.ts';
import { checkPure } from './laws/pure.ts';
import { checkReachable } from './laws/reachable.ts';
import { checkRecovers } from './laws/recovers.ts';
import { checkReversible } from './laws/reversible.ts';
import { checkSymmetric } from './laws/symmetric.ts';

/**
 * Checks every law on a case.
 *
 * @param seed decides in which other order things are tried; the same seed tries the same.
 * @throws LawViolation where a law is broken.
 */
export function checkLaws(subject: Case, seed = 1): void {
  checkPure(subject, seed);
  checkConverges(subject);
  checkOwnsOnlyItsOwn(subject);
  checkIsolated(subject);
  checkSymmetric(subject);
  checkReversible(subject);
  checkCrashSafe(subject);
  checkNoBounce(subject);
  checkInverse(subject);
  checkRecovers(subject);
  checkReachable(subject);
}
