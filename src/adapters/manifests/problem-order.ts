import { by } from '../../domain/basics/names/ordering.ts';
import type { InputProblem } from '../../ports/input-problem.ts';

/** Sorts problems by file, object, path and message, so that the same input gives the same list. */
export function sortedProblems(problems: readonly InputProblem[]): readonly InputProblem[] {
  const keyOf = ({ origin, path = '', message }: InputProblem) =>
    [origin.kind === 'file' ? origin.file : '', origin.object ?? '', path, message].join('\n');
  return problems.toSorted(by(keyOf));
}
