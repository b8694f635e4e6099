import { by } from '../../domain/ordering.ts';
import type { InputProblem } from '../../ports/input-problem.ts';

/** Problems by file, object, path and message: the same input gives the same list, whatever was found first. */
export function inOrder(problems: readonly InputProblem[]): readonly InputProblem[] {
  const keyOf = ({ origin, path = '', message }: InputProblem) =>
    [origin.kind === 'file' ? origin.file : '', origin.object ?? '', path, message].join('\n');
  return problems.toSorted(by(keyOf));
}
