import {
  diffNode,
  meaningOf,
  type NodeSnapshot,
  type Operation,
  planNode,
  recover,
  type Recovery,
} from '../../domain/index.ts';
import type { Case } from '../case.ts';
import { applyAll, converge, type Convergence } from '../convergence.ts';
import { NodeModel } from '../node-model.ts';
import { normalForm } from '../normal-form.ts';
import { demand, demandSame } from './violation.ts';

const law = 'recovers: a failure stops its own network and those that it shares things with';

/** A run in which one operation failed. */
interface FailedRun {
  readonly failed: Operation;
  readonly recovery: Recovery;
  /** The node when the operation had failed: announced and not done. */
  readonly node: NodeSnapshot;
}

function failedRun(found: NodeSnapshot, operations: readonly Operation[], at: number): FailedRun | undefined {
  const failed = operations[at];
  if (failed === undefined) return undefined;
  const model = new NodeModel(found);
  for (const operation of operations.slice(0, at)) model.apply(operation);
  model.crash(failed, 'announced');
  const node = model.snapshot;
  return { failed, recovery: recover(failed, operations.slice(at + 1), node), node };
}

/**
 * Networks that share nothing with one of those that failed: no interface, no VRF, and no thing of others that both displace, such as a group of
 * next hops by the interfaces of both. Unknown for one that is not programmed any more.
 */
function bystanders(
  { dataplane: { programmed } }: Convergence['plan'],
  planned: readonly Operation[],
  failed: readonly string[],
): readonly string[] {
  const involved = programmed.filter(({ network }) => failed.includes(network));
  if (involved.length < failed.length || failed.length === 0) return [];
  const devices = new Set(involved.map(({ device }) => device));
  const vrfs = new Set(involved.map(({ vrf }) => vrf.name));
  const theirs = planned.filter(({ networks }) => networks.some((network) => failed.includes(network)));
  const together = new Set(theirs.flatMap(({ networks }) => networks));
  return programmed
    .filter(({ network, device, vrf }) => !devices.has(device) && !vrfs.has(vrf.name) && !together.has(network))
    .map(({ network }) => network);
}

function checkFailure(
  { cluster, settings }: Pick<Case, 'cluster' | 'settings'>,
  { plan, operations }: Pick<Convergence, 'plan' | 'operations'>,
  { failed, recovery: { undo, proceed, waiting }, node }: FailedRun,
  undisturbed: NodeSnapshot,
): void {
  const when = `when ${meaningOf(failed).name} ${meaningOf(failed).summary(failed)} failed`;
  const summary = (operation: Operation) => `${meaningOf(operation).name} ${meaningOf(operation).summary(operation)}`;
  const stubborn = proceed.find(({ networks }) => networks.some((network) => failed.networks.includes(network)));
  demand(law, stubborn === undefined, () => `${when} its network got: ${stubborn ? summary(stubborn) : ''}`);
  const afterwards = applyAll(law, applyAll(law, node, undo), proceed);
  const free = bystanders(plan, operations, failed.networks);
  const held = waiting.find(({ networks }) => networks.some((network) => free.includes(network)));
  demand(law, held === undefined, () => `${when} another network had to wait for: ${held ? summary(held) : ''}`);
  const concerned = new Set([failed, ...waiting].flatMap(({ networks }) => networks));
  const left = diffNode(planNode(cluster, afterwards, settings), afterwards).find(
    ({ networks }) => networks.length > 0 && !networks.some((network) => concerned.has(network)),
  );
  demand(law, left === undefined, () => `${when} another network was left without: ${left ? summary(left) : ''}`);
  const { node: end } = converge(law, cluster, afterwards, settings);
  demandSame(law, `the node of an undisturbed run, and ${when} once,`, normalForm(undisturbed), normalForm(end));
}

/**
 * Whichever operation fails, what goes on can be done, the failed network gets no further operation, those that share nothing with it come
 * to their end, and the next plan leads to where it would have led at once. (docs/design/dataplane.md, "When an operation fails")
 *
 * @param most how many failures are tried, spread over the run; the seed decides which
 */
export function checkRecovers({ cluster, nodes, settings }: Case, most = Number.POSITIVE_INFINITY, seed = 0): void {
  for (const found of nodes) {
    const { node: undisturbed, plan, operations } = converge(law, cluster, found, settings);
    const step = Math.max(1, Math.ceil(operations.length / most));
    for (const at of operations.keys()) {
      if ((at + seed) % step !== 0) continue;
      const run = failedRun(found, operations, at);
      if (run !== undefined) checkFailure({ cluster, settings }, { plan, operations }, run, undisturbed);
    }
  }
}
