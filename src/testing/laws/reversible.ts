import type { Case } from '../case.ts';
import { converge } from '../convergence.ts';
import type { Engine } from '../engine.ts';
import { withoutDaemonRoutes } from '../normal-form.ts';
import { withoutNetworks } from '../without-networks.ts';
import type { CaseLabels } from './labels.ts';
import { assertSameNodes } from './same-nodes.ts';

const law = '6 reversible';

/** Law 6: networks that are created and deleted leave the node as it was, with everything of the administrator's in its place. */
export function checkReversible(engine: Engine, { cluster, nodes, settings }: Case): CaseLabels {
  const without = { cluster: withoutNetworks(cluster), settings };
  return nodes.flatMap((found) => {
    const { node: before } = converge(engine, law, without, found);
    const { node: programmed, operations } = converge(engine, law, { cluster, settings }, before);
    const { node: after } = converge(engine, law, without, programmed);
    const labels = assertSameNodes(law, 'the node before and after its networks', [before, after], {
      'route of a daemon': withoutDaemonRoutes,
    });
    return [...(operations.length > 0 ? ['operations'] : []), ...labels];
  });
}
