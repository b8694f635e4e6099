import { meaningOf, type NodeSnapshot, type Operation, operationText } from '../../domain/index.ts';
import type { Case } from '../case.ts';
import { applyAll, converge, statesOf } from '../convergence.ts';
import type { Engine } from '../engine.ts';
import { normalForm, withoutDaemonRoutes } from '../normal-form.ts';
import { exceptionLabel } from './exceptions.ts';
import type { CaseLabels } from './labels.ts';
import { assertSame } from './violation.ts';

const law = 'inverse';

/**
 * The node without subnets that end by themselves, which the kernel lets outlive the address that they came with, and without what daemons put
 * back.
 */
function lasting(node: NodeSnapshot): ReturnType<typeof normalForm> {
  const isFleeting = ({ protocol, expiresSeconds }: NodeSnapshot['routes'][number]) =>
    protocol === 'kernel' && expiresSeconds !== undefined;
  return normalForm(withoutDaemonRoutes({ ...node, routes: node.routes.filter((route) => !isFleeting(route)) }));
}

/** Whether ovn-controller adds or deletes a port with an operation. */
function changesPatchPorts(before: NodeSnapshot, after: NodeSnapshot): boolean {
  const count = ({ bridges }: NodeSnapshot) => bridges.reduce((sum, { ports }) => sum + ports.length, 0);
  return count(before) !== count(after);
}

/** The node without the settings that ports are not flooded to. */
function flooding(node: NodeSnapshot): NodeSnapshot {
  return { ...node, noFloodPorts: [] };
}

function checkRun(found: NodeSnapshot, operations: readonly Operation[]): CaseLabels {
  const states = statesOf(law, found, operations);
  const inverses = operations.map((operation, index) =>
    meaningOf(operation).inverse(operation, states[index] ?? found),
  );
  for (const [index, operation] of operations.entries()) {
    const [before = found, after = found] = states.slice(index);
    if (meaningOf(operation).name === 'set-vrf') continue;
    const what = `the node before ${operationText(operation)}, and after it and its inverse,`;
    const back = applyAll(law, after, inverses[index] ?? []);
    const [left, right] = changesPatchPorts(before, after) ? [flooding(before), flooding(back)] : [before, back];
    assertSame(law, what, lasting(left), lasting(right));
  }
  const undone = applyAll(law, states.at(-1) ?? found, inverses.toReversed().flat());
  assertSame(
    law,
    'the node before all operations, and after all inverses,',
    lasting(flooding(found)),
    lasting(flooding(undone)),
  );
  return [
    ...operations.map((operation) =>
      meaningOf(operation).name === 'set-vrf' ? exceptionLabel(law, 'set-vrf') : 'inverse',
    ),
    ...(states.some((state, index) => changesPatchPorts(state, states[index + 1] ?? state))
      ? [exceptionLabel(law, 'no-flood-port')]
      : []),
  ];
}

/**
 * The inverse of every operation leads back to the node before it, and all inverses in reverse order to the node before the plan
 * (docs/design/dataplane.md, "Order of operations").
 */
export function checkInverse(engine: Engine, { cluster, nodes, settings }: Case): CaseLabels {
  const without = { cluster: { ...cluster, clusterUserDefinedNetworks: [] }, settings };
  return nodes.flatMap((found) => {
    const { node: programmed, operations } = converge(engine, law, { cluster, settings }, found);
    const { operations: removals } = converge(engine, law, without, programmed);
    return [...checkRun(found, operations), ...checkRun(programmed, removals)];
  });
}
