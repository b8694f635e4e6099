import { allKinds, ownOf } from '../../domain/entities/entity-kinds.ts';
import { emptyLedger } from '../../domain/snapshot/ledger.ts';
import { semanticsOf, type NodeSnapshot, type Operation, operationText, type Route } from '../../domain/index.ts';
import type { Case } from '../case.ts';
import { applyAll, converge, statesOf } from '../convergence.ts';
import type { Engine } from '../engine.ts';
import { withoutDaemonRoutes } from '../normal-form.ts';
import { exceptionLabel } from './exceptions.ts';
import { withoutNetworks } from '../without-networks.ts';
import type { CaseLabels } from './labels.ts';
import { assertSameNodes } from './same-nodes.ts';

const law = 'inverse';

/** The node without subnets that expire, also in the ledger: the kernel drops them with others on enslaving. */
function withoutExpiringSubnets(node: NodeSnapshot): NodeSnapshot {
  const isExpiring = ({ protocol, expiresSeconds }: Route) => protocol === 'kernel' && expiresSeconds !== undefined;
  const entries = node.ledger.entries.filter(
    (entry) => !(entry.kind === 'displaced' && entry.entity.kind === 'route' && isExpiring(entry.entity.route)),
  );
  return {
    ...node,
    routes: node.routes.filter((route) => !isExpiring(route)),
    ledger: { ...node.ledger, entries },
  };
}

/** Whether ovn-controller adds or deletes a port with an operation. */
function changesPatchPorts(before: NodeSnapshot, after: NodeSnapshot): boolean {
  const count = ({ bridges }: NodeSnapshot) => bridges.reduce((sum, { ports }) => sum + ports.length, 0);
  return count(before) !== count(after);
}

/** The node without managed entities, and without what is known of them. */
function withoutManaged(node: NodeSnapshot): NodeSnapshot {
  const foreign = allKinds.reduceRight((left, kind) => kind.take(left, ownOf(kind, node)), node);
  return { ...foreign, ledger: emptyLedger };
}

const aside = { 'route of a daemon': withoutDaemonRoutes, 'expiring subnet': withoutExpiringSubnets };

const withPorts = { ...aside, 'no-flood-port': (node: NodeSnapshot) => ({ ...node, noFloodPorts: [] }) };

function checkRun(
  engine: Engine,
  found: NodeSnapshot,
  operations: readonly Operation[],
  more: { readonly 'managed entity'?: typeof withoutManaged },
): CaseLabels {
  const states = statesOf(law, found, operations);
  const inverses = operations.map((operation, index) => engine.inverse(operation, states[index] ?? found));
  const labels = operations.flatMap((operation, index): CaseLabels => {
    if (semanticsOf(operation).name === 'set-vrf') return [exceptionLabel(law, 'set-vrf')];
    const [before = found, after = found] = states.slice(index);
    const what = `the node before ${operationText(operation)}, and after it and its inverse,`;
    const back = applyAll(law, after, inverses[index] ?? []);
    const exceptions = { ...(changesPatchPorts(before, after) ? withPorts : aside), ...more };
    return ['inverse', ...assertSameNodes(law, what, [before, back], exceptions)];
  });
  const undone = applyAll(law, states.at(-1) ?? found, inverses.toReversed().flat());
  const what = 'the node before all operations, and after all inverses,';
  return [...labels, ...assertSameNodes(law, what, [found, undone], { ...withPorts, ...more })];
}

/**
 * The inverse of every operation leads back to the node before it, and all inverses in reverse order to the node before the plan
 * (docs/design/dataplane.md, "Order of operations").
 */
export function checkInverse(engine: Engine, { cluster, nodes, settings }: Case): CaseLabels {
  const without = { cluster: withoutNetworks(cluster), settings };
  return nodes.flatMap((found) => {
    const { node: programmed, operations } = converge(engine, law, { cluster, settings }, found);
    const { operations: removals } = converge(engine, law, without, programmed);
    const isBegun = allKinds.some((kind) => ownOf(kind, found).length > 0);
    const more = isBegun ? { 'managed entity': withoutManaged } : {};
    return [...checkRun(engine, found, operations, more), ...checkRun(engine, programmed, removals, more)];
  });
}
