import { meaningOf, type NodeSnapshot, type Operation } from '../../domain/index.ts';
import type { Case } from '../case.ts';
import { applyAll, converge } from '../convergence.ts';
import { normalForm, withoutDaemonRoutes } from '../normal-form.ts';
import { demandSame } from './violation.ts';

const law = 'inverse: what takes an operation back leads to where it began';

/**
 * The node without subnets that end by themselves, which the kernel lets outlive the address that they came with, and without what daemons put
 * back.
 */
function lasting(node: NodeSnapshot): ReturnType<typeof normalForm> {
  const isFleeting = ({ protocol, expiresSeconds }: NodeSnapshot['routes'][number]) =>
    protocol === 'kernel' && expiresSeconds !== undefined;
  return normalForm(withoutDaemonRoutes({ ...node, routes: node.routes.filter((route) => !isFleeting(route)) }));
}

function checkRun(found: NodeSnapshot, operations: readonly Operation[]): void {
  let node = found;
  const inverses: Operation[][] = [];
  for (const operation of operations) {
    const before = node;
    const inverse = meaningOf(operation).inverse(operation, before);
    node = applyAll(law, before, [operation]);
    const what = `the node before ${meaningOf(operation).name} ${meaningOf(operation).summary(operation)}, and after it and its inverse,`;
    if (hasInverse(operation)) demandSame(law, what, lasting(before), lasting(applyAll(law, node, inverse)));
    inverses.unshift([...inverse]);
  }
  const undone = applyAll(law, node, inverses.flat());
  demandSame(law, 'the node before all operations, and after all inverses,', lasting(found), lasting(undone));
}

/** An own VRF that is unsigned or down is no state that anybody wants back. */
function hasInverse({ verb, entity: { kind } }: Operation): boolean {
  return verb !== 'replace' || kind !== 'vrf';
}

/**
 * Every operation is taken back by its inverse, and all of a plan by all inverses in reverse order; when networks come, and when they go.
 * (docs/design/dataplane.md, "Order of operations")
 */
export function checkInverse({ cluster, nodes, settings }: Case): void {
  const without = { ...cluster, clusterUserDefinedNetworks: [] };
  for (const found of nodes) {
    const { node: programmed, operations: coming } = converge(law, cluster, found, settings);
    checkRun(found, coming);
    checkRun(programmed, converge(law, without, programmed, settings).operations);
  }
}
