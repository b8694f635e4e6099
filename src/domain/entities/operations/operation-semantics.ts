/**
 * The meaning of each operation, by its verb and the kind of its entity.
 */
import type { EntityChange, EntityKind } from '../entity-kind.ts';
import { allKinds, type Entity, type EntityKindName, kindOf } from '../entity-kinds.ts';
import { lazyByObject } from '../../basics/incremental/by-identity.ts';
import { type Change, done, refused } from '../../node-model/change.ts';
import { type LostByMove, withDisplaced } from '../ownership/displace.ts';
import { withEntries, withoutEntries } from '../ownership/write-ledger.ts';
import type { Ledger } from '../../snapshot/ledger.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import type { OperationSemantics } from './semantics.ts';
import { type EntityOperation, type Operation, ownersIn, partsOf, type SetOperation } from './operation.ts';
import { putBack, putBacksFor } from './put-back.ts';
import { setSemantics } from './set-semantics.ts';
import { takeBack } from './take-back.ts';

type Verb = EntityOperation['verb'];

/** The inverse of a change: that of its kind, else the opposite verb, followed by restoring what the kernel displaced. */
function inverseOf(
  operation: EntityOperation,
  { inverse, displacesFrom }: EntityChange<Entity>,
  before: NodeSnapshot,
): readonly Operation[] {
  const { entity, verb } = operation;
  const owners = ownersIn(operation);
  const opposite = [{ verb: verb === 'remove' ? 'add' : 'remove', entity }] as const;
  const changes: readonly { readonly verb: Verb; readonly entity: Entity }[] = inverse?.(entity, before) ?? opposite;
  const devices = displacesFrom?.(entity, before) ?? [];
  return [
    ...changes.map((change) => ({ ...change, ...owners })),
    ...devices.flatMap((device) => putBacksFor(owners, device, before)),
  ];
}

function semanticsOfChange(
  kind: EntityKind<Entity>,
  change: EntityChange<Entity>,
  verb: Verb,
): OperationSemantics<EntityOperation> {
  const summary = (entity: Entity) => change.summary?.(entity) ?? kind.text(entity);
  const [found, wanted] = verb === 'remove' ? ['present', 'absent'] : ['absent', 'present'];
  return {
    name: change.name,
    mark: change.mark,
    port: kind.port,
    displaces: change.displacesFrom !== undefined,
    dependencies: (operation) => change.dependencies(operation.entity, partsOf(operation)),
    refusal: ({ entity }, node) => change.refusal?.(entity, node),
    announced: ({ entity }, before, lostByMove) => {
      const devices = change.displacesFrom?.(entity, before) ?? [];
      const ledger = devices.reduce(
        (known, device) => withDisplaced({ ...before, ledger: known }, device, lostByMove),
        before.ledger,
      );
      return verb === 'add' && kind.ledger !== undefined
        ? withEntries(ledger, [kind.ledger.entry(entity, before)])
        : ledger;
    },
    effect: ({ entity }, node) => {
      if (change.effect !== undefined) return change.effect(entity, node);
      return done(verb === 'remove' ? kind.take(node, [entity]) : kind.put(node, [entity]));
    },
    confirmed: ({ entity }, { ledger }) => {
      const note = kind.ledger;
      return note === undefined || verb === 'add' || !note.until.includes(verb)
        ? ledger
        : withoutEntries(ledger, (entry) => note.isAbout(entry, entity));
    },
    inverse: (operation, before) => inverseOf(operation, change, before),
    disruption: ({ entity }) => change.disruption?.(entity) ?? 'none',
    command: ({ entity }, before) => change.command(entity, before),
    summary: ({ entity }) => summary(entity),
    discrepancy: ({ entity }, node) => change.discrepancy?.(entity, node) ?? { path: summary(entity), found, wanted },
  };
}

const meaningsOfKind = lazyByObject(
  (kind: EntityKind<Entity>): Readonly<Record<Verb, OperationSemantics<EntityOperation>>> => ({
    add: semanticsOfChange(kind, kind.add, 'add'),
    replace: semanticsOfChange(kind, kind.replace ?? kind.add, kind.replace === undefined ? 'add' : 'replace'),
    remove: semanticsOfChange(kind, kind.remove, 'remove'),
  }),
);

/** The meaning of an operation. */
export function semanticsOf<Some extends Operation>(operation: Some): OperationSemantics<Some> {
  return semanticsOfAny(operation) as OperationSemantics<Some>;
}

function entitySemantics({ verb, entity }: EntityOperation): OperationSemantics<EntityOperation> {
  return meaningsOfKind(kindOf<Entity>(entity))[verb];
}

/** Cached: used many times for each operation while a plan is ordered and applied. */
const semanticsOfSet = lazyByObject((operation: SetOperation) => setSemantics(operation, entitySemantics));

function semanticsOfAny(operation: Operation): unknown {
  switch (operation.verb) {
    case 'put-back':
      return putBack(operation);
    case 'take-back':
      return takeBack(operation);
    case 'change':
      return semanticsOfSet(operation);
    case 'add':
    case 'replace':
    case 'remove':
      return entitySemantics(operation);
  }
}

/**
 * Applies an operation to a node, with the ledger written before and after it. Refused if its precondition fails or the kernel refuses it.
 *
 * @param lostByMove what a membership change displaces, if the caller already knows
 */
export function applyOperation(operation: Operation, node: NodeSnapshot, lostByMove?: LostByMove): Change {
  const semantics = semanticsOf(operation);
  const refusal = semantics.refusal(operation, node);
  if (refusal !== undefined) return refused(refusal);
  const change = semantics.effect(operation, withLedger(node, semantics.announced(operation, node, lostByMove)));
  if (!change.done) return change;
  return { done: true, node: withLedger(change.node, semantics.confirmed(operation, change.node)) };
}

function withLedger(node: NodeSnapshot, ledger: Ledger): NodeSnapshot {
  return ledger === node.ledger ? node : { ...node, ledger };
}

/** Names of all operations, as plans, logs and metrics have them. */
export function operationNames(): readonly string[] {
  const ofKinds = allKinds.flatMap(({ add, replace, remove, set }) => [
    ...[add, replace, remove].flatMap((change) => change?.name ?? []),
    ...(set?.names ?? []),
  ]);
  return [...new Set([...ofKinds, 'put-back', 'take-back'])];
}

/** Whether an operation is on entities of a kind. */
export function isOn<Name extends EntityKindName>(
  operation: Operation,
  kind: Name,
): operation is EntityOperation<Name> {
  switch (operation.verb) {
    case 'add':
    case 'replace':
    case 'remove':
      return operation.entity.kind === kind;
    case 'put-back':
    case 'take-back':
    case 'change':
      return false;
  }
}
