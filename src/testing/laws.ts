/**
 * Promises about every plan, as functions that throw a LawViolation where one is broken. The numbers are those of the architecture.
 */
import type { Case } from './case.ts';
import { checkIsolated } from './laws/isolated.ts';
import { checkPure } from './laws/pure.ts';
import { checkSymmetric } from './laws/symmetric.ts';

/**
 * Checks every law on a case.
 *
 * @param seed decides in which other order things are tried; the same seed tries the same.
 * @throws LawViolation where a law is broken.
 */
export function checkLaws(subject: Case, seed = 1): void {
  checkPure(subject, seed);
  checkIsolated(subject);
  checkSymmetric(subject);
}
