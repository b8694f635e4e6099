import { type Dependencies, type DependencyKey, dependencyParts } from '../dependencies.ts';
import type { Disruption, Mark, SetKind } from '../entity-kind.ts';
import { type Entity, entityKinds, type SetKindName } from '../entity-kinds.ts';
import { lazy } from '../../basics/incremental/lazy.ts';
import { type Change, done } from '../../node-model/change.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import type { OperationSemantics } from './semantics.ts';
import { type EntityOperation, isInSet, type SetOperation, setOperationsOf } from './operation.ts';

/** In increasing order. */
const disruptions: readonly Disruption[] = ['none', 'address-detection', 'link-cycle', 'connections-reset'];

/** The meaning of each change of the set. */
type SemanticsOf = (change: EntityOperation) => OperationSemantics<EntityOperation>;

function markOf(changes: readonly EntityOperation[], semanticsOf: SemanticsOf): Mark {
  const marks = new Set(changes.map((change) => semanticsOf(change).mark));
  const [mark = '~'] = marks;
  return marks.size === 1 ? mark : '~';
}

/** The dependencies of several changes, each once. */
function unionOf(changes: readonly EntityOperation[], semanticsOf: SemanticsOf): Dependencies {
  const union = {
    makes: new Set<DependencyKey>(),
    needs: new Set<DependencyKey>(),
    uses: new Set<DependencyKey>(),
    ends: new Set<DependencyKey>(),
  };
  for (const change of changes) {
    const ofChange = semanticsOf(change).dependencies(change);
    for (const part of dependencyParts) for (const key of ofChange[part] ?? []) union[part].add(key);
  }
  const { makes, needs, uses, ends } = union;
  // A set does not depend on what it makes itself.
  return { makes: [...makes], needs: [...needs].filter((key) => !makes.has(key)), uses: [...uses], ends: [...ends] };
}

function effectOf(
  { changes }: SetOperation,
  node: NodeSnapshot,
  kind: SetKind<Entity>,
  semanticsOf: SemanticsOf,
): Change {
  if (kind.set.effect !== undefined) return kind.set.effect(changes, node);
  // Without other effects, thousands of entities are changed at once.
  if ([kind.add, kind.replace, kind.remove].every((change) => change?.effect === undefined)) {
    const removed = changes.flatMap(({ verb, entity }) => (verb === 'remove' ? [entity] : []));
    const put = changes.flatMap(({ verb, entity }) => (verb === 'remove' ? [] : [entity]));
    return done(kind.put(kind.take(node, removed), put));
  }
  let after = node;
  for (const change of changes) {
    const effect = semanticsOf(change).effect(change, after);
    if (!effect.done) return effect;
    after = effect.node;
  }
  return done(after);
}

/** Their inverses, last first, each for the node before its change. */
function inverseOf({ changes }: SetOperation, before: NodeSnapshot, semanticsOf: SemanticsOf): readonly SetOperation[] {
  const inverses: EntityOperation<SetKindName>[] = [];
  let node = before;
  for (const change of changes) {
    const semantics = semanticsOf(change);
    const inverse = semantics.inverse(change, node).filter(isInSet);
    inverses.unshift(...inverse);
    const effect = semantics.effect(change, node);
    if (effect.done) node = effect.node;
  }
  return setOperationsOf(inverses);
}

/** The meaning of a change of a set, derived from those of its changes. */
export function setSemantics(
  { kind: name, set, changes }: SetOperation,
  semanticsOf: SemanticsOf,
): OperationSemantics<SetOperation> {
  // The compiler cannot infer that all changes are of this kind.
  const kind = entityKinds[name] as unknown as SetKind<Entity>;
  const entitySet = kind.set;
  // There is at least one.
  const first = changes[0] as EntityOperation<SetKindName>;
  return {
    name: entitySet.nameOf(first.entity),
    mark: markOf(changes, semanticsOf),
    port: kind.port,
    displaces: false,
    dependencies: lazy(() => unionOf(changes, semanticsOf)),
    refusal: (_operation, node) => {
      for (const change of changes) {
        const refusal = semanticsOf(change).refusal(change, node);
        if (refusal !== undefined) return refusal;
      }
      return undefined;
    },
    announced: (_operation, before) =>
      changes.reduce((ledger, change) => semanticsOf(change).announced(change, { ...before, ledger }), before.ledger),
    effect: (operation, node) => effectOf(operation, node, kind, semanticsOf),
    confirmed: (_operation, after) =>
      changes.reduce((ledger, change) => semanticsOf(change).confirmed(change, { ...after, ledger }), after.ledger),
    inverse: (operation, before) => inverseOf(operation, before, semanticsOf),
    disruption: () =>
      changes
        .map((change) => semanticsOf(change).disruption(change))
        .reduce((worst, each) => (disruptions.indexOf(each) > disruptions.indexOf(worst) ? each : worst), 'none'),
    command: (_operation, before) => entitySet.command?.(changes, before),
    summary: () => entitySet.summary(changes, set),
    discrepancy: (_operation, node) => {
      const whole = entitySet.summary(changes, set);
      if (changes.length > 1) return { path: whole, found: 'different', wanted: 'as planned' };
      return semanticsOf(first).discrepancy(first, node);
    },
  };
}
