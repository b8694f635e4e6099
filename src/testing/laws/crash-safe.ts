import { entityKey } from '../../domain/entities/entity-kinds.ts';
import { type NodeSnapshot, type Operation, operationText } from '../../domain/index.ts';
import type { Case } from '../case.ts';
import { afterFirst, type Convergence, converge, type Surroundings } from '../convergence.ts';
import type { Engine } from '../engine.ts';
import { type CrashPoint, NodeModel } from '../node-model.ts';
import { normalForm } from '../normal-form.ts';
import { type ObservedChanges, entityChanges } from './entities.ts';
import type { CaseLabels } from './labels.ts';
import { spread } from './spread.ts';
import { assertSame } from './violation.ts';

const law = '7 crash-safe';

/** Where a run stops: so many operations are done, and the next one is begun. */
interface Crash {
  readonly after: number;
  readonly point: CrashPoint;
}

/** A run of an engine on a node, perhaps in several parts. */
interface Run {
  readonly node: NodeSnapshot;
  readonly changes: readonly ObservedChanges[];
}

/** How often each entity was removed and made. */
function counts(changes: readonly ObservedChanges[]): readonly string[] {
  const count = new Map<string, number>();
  for (const { removed, made } of changes) {
    for (const entity of removed) add(count, `- ${entityKey(entity)}`);
    for (const entity of made) add(count, `+ ${entityKey(entity)}`);
  }
  return [...count].map(([change, times]) => `${change}: ${times}`).sort();
}

function add(count: Map<string, number>, key: string): void {
  count.set(key, (count.get(key) ?? 0) + 1);
}

function assertSameRun(undisturbed: Run, other: Run, how: string): void {
  const what = `of an undisturbed run and of one that ${how}`;
  assertSame(law, `the nodes ${what}`, normalForm(undisturbed.node), normalForm(other.node));
  assertSame(law, `the removals and additions ${what}`, counts(undisturbed.changes), counts(other.changes));
}

/** The run that crashes, and the one of the process that is started afterwards. */
function crashedRun(engine: Engine, surroundings: Surroundings, run: Convergence, { after, point }: Crash): Run {
  const model = new NodeModel(run.states[after] ?? run.node);
  const next = run.operations[after];
  if (next !== undefined) model.crash(next, point);
  const restarted = converge(engine, law, surroundings, model.snapshot);
  const before = [...run.states.slice(0, after + 1), model.snapshot];
  return { node: restarted.node, changes: [...entityChanges(before), ...entityChanges(restarted.states)] };
}

/** A run of a process that is restarted after each operation: every operation is the first one of a new plan. */
function restartedRun(engine: Engine, surroundings: Surroundings, run: Convergence, found: NodeSnapshot): Run {
  const states = [found];
  let node = found;
  for (let turn = 0; turn < 2 * run.operations.length; turn++) {
    const next = afterFirst(engine, law, surroundings, node);
    if (next === undefined) break;
    node = next;
    states.push(node);
  }
  return { node, changes: entityChanges(states) };
}

/** All crashes of a run. */
function crashes(length: number): readonly Crash[] {
  return Array.from({ length }, (_item, after) =>
    (['announced', 'done'] as const).map((point): Crash => ({ after, point })),
  ).flat();
}

function describe(crash: Crash, operations: readonly Operation[]): string {
  const next = operations[crash.after];
  const operation = next === undefined ? 'the end' : operationText(next);
  return `crashed when ${operation} was ${crash.point}`;
}

/**
 * Law 7: a process that stops before, in or after any operation, and observes and plans again, leads to the same node, and removes and makes each
 * entity as often as an undisturbed one.
 *
 * @param seed selects the crashes that are tried
 * @param most how many crashes are tried, spread over the run
 */
export function checkCrashSafe(
  engine: Engine,
  { cluster, nodes, settings }: Case,
  seed = 0,
  most = Number.POSITIVE_INFINITY,
): CaseLabels {
  return nodes.flatMap((found) => {
    const run = converge(engine, law, { cluster, settings }, found);
    const undisturbed = { node: run.node, changes: entityChanges(run.states) };
    const tried = spread(crashes(run.operations.length), most, seed);
    for (const crash of tried) {
      const crashed = crashedRun(engine, { cluster, settings }, run, crash);
      assertSameRun(undisturbed, crashed, describe(crash, run.operations));
    }
    assertSameRun(
      undisturbed,
      restartedRun(engine, { cluster, settings }, run, found),
      'restarted after each operation',
    );
    return tried.length > 0 ? ['crash'] : [];
  });
}
