import type { Case } from '../case.ts';
import { converge } from '../convergence.ts';
import { normalForm, withoutDaemonRoutes } from '../normal-form.ts';
import { demandSame } from './violation.ts';

const law = '6 reversible';

/** Law 6: a network that is created and deleted leaves the node as it was, with everything of the administrator's in its place. */
export function checkReversible({ cluster, nodes, settings }: Case): void {
  const without = { ...cluster, clusterUserDefinedNetworks: [] };
  for (const found of nodes) {
    const { node: before } = converge(law, without, found, settings);
    const { node: programmed } = converge(law, cluster, before, settings);
    const { node: after } = converge(law, without, programmed, settings);
    demandSame(
      law,
      'the node before and after its networks',
      normalForm(withoutDaemonRoutes(before)),
      normalForm(withoutDaemonRoutes(after)),
    );
  }
}
