import { preview } from '../../domain/plan/preview.ts';
import type { Case } from '../case.ts';
import { chooser, shuffle } from '../shuffle.ts';
import { demandSame } from './violation.ts';

const law = 'pure: same snapshot, same plan, whatever the order';

/** Law 1: planning twice, and planning what was put in another order, gives the same bytes; and the input is left as it was. */
export function checkPure(subject: Case, seed: number): void {
  const before = JSON.stringify(subject);
  const plan = preview(subject.cluster, subject.nodes, subject.settings);
  demandSame(
    law,
    'two plans of one case',
    result(plan),
    result(preview(subject.cluster, subject.nodes, subject.settings)),
  );
  const { cluster, nodes, settings } = shuffle(subject, chooser(seed));
  demandSame(
    law,
    'plans of a case and of the same in another order',
    result(plan),
    result(preview(cluster, nodes, settings)),
  );
  demandSame(law, 'the input before and after planning', before, JSON.stringify(subject));
}

/** What was decided, without the input that a preview carries along. */
function result({ nodes, states, cluster }: ReturnType<typeof preview>): unknown {
  return { nodes, states, cluster };
}
