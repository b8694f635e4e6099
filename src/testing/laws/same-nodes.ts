import type { NodeSnapshot } from '../../domain/index.ts';
import { normalForm } from '../normal-form.ts';
import { type ExceptionOf, exceptionLabel, type LawWithExceptions } from './exceptions.ts';
import type { CaseLabels } from './labels.ts';
import { assertSame, isSame } from './violation.ts';

type Without = (node: NodeSnapshot) => NodeSnapshot;

/**
 * Throws unless two nodes are the same, exceptions aside.
 *
 * @param exceptions for each exception, the node without what it is about
 * @returns labels of the exceptions without which the nodes would differ
 */
export function assertSameNodes<Law extends LawWithExceptions>(
  law: Law,
  what: string,
  [left, right]: readonly [NodeSnapshot, NodeSnapshot],
  exceptions: { readonly [Name in ExceptionOf<Law>]?: Without },
): CaseLabels {
  if (left === right || isSame(normalForm(left), normalForm(right))) return [];
  // Object.entries does not know the type of the keys.
  const known = Object.entries(exceptions) as unknown as readonly (readonly [ExceptionOf<Law>, Without])[];
  const formOf = (node: NodeSnapshot, but?: string) =>
    normalForm(known.reduce((rest, [name, without]) => (name === but ? rest : without(rest)), node));
  assertSame(law, what, formOf(left), formOf(right));
  const names = known.map(([name]) => name);
  const needed = names.filter((name) => !isSame(formOf(left, name), formOf(right, name)));
  // Where either of two is enough, both are counted.
  return (needed.length > 0 ? needed : names).map((name) => exceptionLabel(law, name));
}
