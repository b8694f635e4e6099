import type { Operation } from '../../domain/index.ts';
import { meaningOf } from '../../domain/index.ts';
import type { Case } from '../case.ts';
import { converge } from '../convergence.ts';
import { demand } from './violation.ts';

const law = '8 no bounce';

/** What an operation makes or removes, by content. */
function subject(operation: Operation): string {
  return JSON.stringify(operation.entity);
}

/** Law 8: nothing is removed and made again as it was. */
export function checkNoBounce({ cluster, nodes, settings }: Case): void {
  for (const found of nodes) {
    const { operations } = converge(law, cluster, found, settings);
    const removed = new Set(operations.filter((operation) => meaningOf(operation).mark === '-').map(subject));
    for (const operation of operations) {
      if (meaningOf(operation).mark !== '+') continue;
      const text = `${meaningOf(operation).name} ${meaningOf(operation).summary(operation)}`;
      demand(law, !removed.has(subject(operation)), () => `removed and made again: ${text}`);
    }
  }
}
