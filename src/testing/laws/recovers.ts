import { partsOf } from '../../domain/entities/operations/operation.ts';
import { ownerOfPartKey, type PartKey, uplinkPart } from '../../domain/network/part.ts';
import { type NodeSnapshot, type Operation, operationText, type Recovery } from '../../domain/index.ts';
import type { Case } from '../case.ts';
import { applyAll, type Convergence, converge, type Surroundings } from '../convergence.ts';
import type { Engine } from '../engine.ts';
import { NodeModel } from '../node-model.ts';
import { normalForm } from '../normal-form.ts';
import { exceptionLabel } from './exceptions.ts';
import type { CaseLabels } from './labels.ts';
import { spread } from './spread.ts';
import { assertLaw, assertSame } from './violation.ts';

const law = 'recovers';

/** A run in which one operation failed. */
interface FailedRun {
  readonly failed: Operation;
  readonly recovery: Recovery;
  /** The node after the failure: the operation is written in the ledger and not done. */
  readonly node: NodeSnapshot;
}

function failedRun(engine: Engine, { states, operations }: Convergence, at: number): FailedRun | undefined {
  const [failed, before] = [operations[at], states[at]];
  if (failed === undefined || before === undefined) return undefined;
  const model = new NodeModel(before);
  model.crash(failed, 'announced');
  const node = model.snapshot;
  return { failed, recovery: engine.recover(failed, operations.slice(at + 1), node), node };
}

/**
 * Networks that share nothing with one of those that failed: no interface, no VRF, and no operation, such as one that restores a group of next hops
 * of the interfaces of both. Absent where a failed network is no longer programmed: then it is not known.
 */
function bystanders(
  { dataplane: { programmed } }: Convergence['plan'],
  planned: readonly Operation[],
  failed: readonly PartKey[],
): readonly PartKey[] | undefined {
  const uplinks = failed.filter((part) => ownerOfPartKey(part).part === 'uplink');
  const involved = programmed.filter(({ network }) => uplinks.includes(uplinkPart(network)));
  if (involved.length < uplinks.length) return undefined;
  const devices = new Set(involved.map(({ device }) => device));
  const vrfs = new Set(involved.map(({ vrf }) => vrf.name));
  const theirs = planned.filter((operation) => partsOf(operation).some((part) => failed.includes(part)));
  // An uplink needs the network itself.
  const together = new Set([...failed, ...theirs.flatMap(partsOf)].map((part) => ownerOfPartKey(part).network));
  return programmed
    .filter(({ device, vrf }) => !devices.has(device) && !vrfs.has(vrf.name))
    .filter(({ network }) => !together.has(network))
    .map(({ network }) => uplinkPart(network));
}

function checkFailure(
  engine: Engine,
  surroundings: Surroundings,
  { plan, operations, node: undisturbed }: Convergence,
  { failed, recovery: { undo, proceed, waiting }, node }: FailedRun,
): CaseLabels {
  const when = `after ${operationText(failed)} failed`;
  const isOf = (parts: readonly PartKey[]) => (operation: Operation) =>
    partsOf(operation).some((part) => parts.includes(part));
  const further = proceed.find(isOf(partsOf(failed)));
  assertLaw(law, further === undefined, () => `${when} its network gets: ${further ? operationText(further) : ''}`);
  const afterwards = applyAll(law, applyAll(law, node, undo), proceed);
  const known = bystanders(plan, operations, partsOf(failed));
  const free = known ?? [];
  const held = waiting.find(isOf(free));
  assertLaw(law, held === undefined, () => `${when} another network waits for: ${held ? operationText(held) : ''}`);
  const concerned = [failed, ...waiting].flatMap(partsOf);
  const next = converge(engine, law, surroundings, afterwards);
  const left = next.operations.find((operation) => operation.networks.length > 0 && !isOf(concerned)(operation));
  assertLaw(
    law,
    left === undefined,
    () => `${when} another network is left without: ${left ? operationText(left) : ''}`,
  );
  assertSame(law, `the node of an undisturbed run, and ${when} once,`, normalForm(undisturbed), normalForm(next.node));
  return [
    'failure',
    ...(undo.length > 0 ? ['undo'] : []),
    ...(proceed.some(isOf(free)) ? ['bystander'] : []),
    ...(known === undefined ? [exceptionLabel(law, 'removed network')] : []),
  ];
}

/**
 * Whichever operation fails, the others that proceed can be done, the network of the failed one gets no further operation, networks that share
 * nothing with it are finished, and the next plan leads to the node of an undisturbed run (docs/design/dataplane.md, "When an operation
 * fails").
 *
 * @param seed selects the failures that are tried
 * @param most how many failures are tried, spread over the run
 */
export function checkRecovers(
  engine: Engine,
  { cluster, nodes, settings }: Case,
  seed = 0,
  most = Number.POSITIVE_INFINITY,
): CaseLabels {
  return nodes.flatMap((found) => {
    const run = converge(engine, law, { cluster, settings }, found);
    return spread([...run.operations.keys()], most, seed).flatMap((at) => {
      const failed = failedRun(engine, run, at);
      return failed === undefined ? [] : checkFailure(engine, { cluster, settings }, run, failed);
    });
  });
}
