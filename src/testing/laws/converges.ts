import { operationText } from '../../domain/index.ts';
import type { Case } from '../case.ts';
import { converge } from '../convergence.ts';
import type { Engine } from '../engine.ts';
import type { CaseLabels } from './labels.ts';
import { assertLaw } from './violation.ts';

const law = '2 converges';

/** Law 2: after the operations of a plan, the next plan of the node needs none. */
export function checkConverges(engine: Engine, { cluster, nodes, settings }: Case): CaseLabels {
  return nodes.flatMap((found) => {
    const { node, operations } = converge(engine, law, { cluster, settings }, found);
    const left = engine.diffNode(engine.planNode(cluster, node, settings), node);
    assertLaw(law, left.length === 0, () => `left to do: ${left.map(operationText).join('; ')}`);
    return operations.length > 0 ? ['operations'] : [];
  });
}
