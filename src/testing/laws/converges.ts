import { diffNode, meaningOf, planNode } from '../../domain/index.ts';
import type { Case } from '../case.ts';
import { converge } from '../convergence.ts';
import { demand } from './violation.ts';

const law = '2 converges';

/** Law 2: once the operations of a plan are done, nothing is left to do. */
export function checkConverges({ cluster, nodes, settings }: Case): void {
  for (const found of nodes) {
    const { node } = converge(law, cluster, found, settings);
    const left = diffNode(planNode(cluster, node, settings), node);
    demand(
      law,
      left.length === 0,
      () =>
        `left to do: ${left.map((operation) => `${meaningOf(operation).name} ${meaningOf(operation).summary(operation)}`).join('; ')}`,
    );
  }
}
