import { byName } from '../../domain/ordering.ts';
import type { InputProblem } from '../../ports/input-problem.ts';

/** Problems by file, object, path and message: the same input gives the same list, whatever was found first. */
export function inOrder(problems: readonly InputProblem[]): readonly InputProblem[] {
  return [...problems].sort(
    (left, right) =>
      byName(left.file, right.file) ||
      byName(left.object ?? '', right.object ?? '') ||
      byName(left.path ?? '', right.path ?? '') ||
      byName(left.message, right.message),
  );
}
