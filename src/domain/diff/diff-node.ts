import type { EntityKind } from '../entities/entity-kind.ts';
import { allKinds, type Entity, entityKinds, kindOf } from '../entities/entity-kinds.ts';
import { displacedKey } from '../entities/displaceable.ts';
import { groupBy } from '../basics/names/grouping.ts';
import { lazyByObject } from '../basics/incremental/by-identity.ts';
import { lazy } from '../basics/incremental/lazy.ts';
import {
  type EntityOperation,
  isInSet,
  movedDevice,
  operationOwners,
  ownersOf,
  type Operation,
  type PutBack,
  setOperationsOf,
} from '../entities/operations/operation.ts';
import { canonical, sortedBy } from '../basics/names/ordering.ts';
import { type AwaitingEntity, isRestorable, oncePerPlace, withSettledLedger } from '../entities/ownership/restored.ts';
import { isPlacedAlready, straysOn } from '../entities/ownership/strays.ts';
import { desiredOf } from '../plan/desired-entities.ts';
import type { NodePlan } from '../plan/node-plan.ts';
import type { DisplacedEntity } from '../snapshot/ledger.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { networksOfEntity } from './networks-of-entity.ts';
import { type DifferenceInput, type EntityChanges, entityDifference } from './entity-changes.ts';
import { foresee, foreseen } from './foresee.ts';
import { inOrder } from './order-operations.ts';

/** The operations that restore what the membership changes displace, and what earlier ones displaced, as far as possible. */
function putBacks(
  { before, dataplane, networksOf }: DifferenceInput,
  after: NodeSnapshot,
  awaiting: readonly AwaitingEntity[],
): readonly PutBack[] {
  const deviceOfObject = new Map(before.nextHopObjects.map(({ id, device }) => [id, device]));
  for (const { entity } of awaiting) {
    if (entity.kind === 'next-hop-object') deviceOfObject.set(entity.object.id, entity.object.device);
  }
  // A group of next hops belongs to every interface that one of them uses.
  const devicesOf = (entity: DisplacedEntity, device: string) => [
    device,
    ...(entity.kind === 'next-hop-object' ? (entity.object.group ?? []) : []).flatMap(
      ({ id }) => deviceOfObject.get(id) ?? [],
    ),
  ];
  const held = new Set(
    dataplane.stays.flatMap(({ entity, why }) =>
      entity.kind === 'membership' && why.reason === 'held' ? [entity.device] : [],
    ),
  );
  const back = awaiting.filter(isRestorable(before, after, (device) => held.has(device)));
  return oncePerPlace(sortedBy(back, ({ device, origin }) => `${device} ${displacedKey(origin)}`)).map(
    ({ device, entity, origin }) => ({
      verb: 'put-back',
      ...operationOwners(devicesOf(entity, device).flatMap((name) => ownersOf(networksOf({ device: name })))),
      device,
      entity: canonical(entity),
      origin: canonical(origin),
    }),
  );
}

/** The operations that move strays into the tables of VRFs, on interfaces that a programmed network needs there and that stay where they are. */
function strayMoves(
  { before, dataplane, networksOf }: DifferenceInput,
  isMoving: (device: string) => boolean,
): readonly Operation[] {
  const members = new Set(desiredOf(entityKinds.membership, dataplane.desired).list.map(({ entity }) => entity.device));
  const moving = straysOn(before).filter(({ device, stays }) => !stays && members.has(device) && !isMoving(device));
  return sortedBy(moving, ({ device, origin }) => `${device} ${displacedKey(origin)}`).flatMap(
    (stray): readonly Operation[] => {
      const [entity, origin] = [canonical(stray.entity), canonical(stray.origin)];
      const of = { ...networksOf({ device: stray.device }), device: stray.device };
      return [
        ...(isPlacedAlready(stray) ? [] : [{ verb: 'put-back', ...of, entity, origin, moves: true } as const]),
        { verb: 'take-back', ...of, entity: origin, moves: true },
      ];
    },
  );
}

/** Each move of an interface with what restores what it has lost, before the next one loses anything. */
function withPutBacks(
  moves: readonly Operation[],
  putBackOf: (device: string) => readonly PutBack[],
): readonly Operation[] {
  return moves.flatMap((move): readonly Operation[] => [move, ...putBackOf(movedDevice(move) ?? '')]);
}

/** The operations, those on entities of one set as one. */
function inSets(operations: readonly EntityOperation[]): readonly Operation[] {
  return [...operations.filter((operation) => !isInSet(operation)), ...setOperationsOf(operations.filter(isInSet))];
}

/**
 * Divides the removals of a kind: those of entities that others of the same set and the same networks take the place of may come last of all. They
 * do not where what they are on goes with them.
 */
function withReplaced(
  { set }: EntityKind<Entity>,
  { removals, additions }: EntityChanges,
): { readonly removals: readonly EntityOperation[]; readonly replaced: readonly EntityOperation[] } {
  if (set?.removesReplacedLast === undefined || additions.length === 0) return { removals, replaced: [] };
  const added = groupBy(additions, ({ entity }) => set.of(entity));
  const has = lazyByObject((ofSet: readonly EntityOperation[]) => ({
    networks: new Set(ofSet.flatMap(({ networks }) => networks)),
    ports: new Set(ofSet.flatMap(({ entity }) => kindOf<Entity>(entity).awaits?.(entity) ?? [])),
  }));
  const isReplaced = ({ entity, networks }: EntityOperation): boolean => {
    const ofSet = added.get(set.of(entity));
    if (ofSet === undefined || set.removesReplacedLast?.(entity) !== true || networks.length === 0) return false;
    const { networks: staying, ports } = has(ofSet);
    return (
      networks.every((network) => staying.has(network)) &&
      (kindOf<Entity>(entity).awaits?.(entity) ?? []).every((port) => ports.has(port))
    );
  };
  return {
    removals: removals.filter((removal) => !isReplaced(removal)),
    replaced: removals.filter(isReplaced),
  };
}

/** Removals and additions of one set that follow each other are one change: nothing has to come between them. */
function withoutSplitSets(operations: readonly Operation[]): readonly Operation[] {
  const merged: Operation[] = [];
  for (const operation of operations) {
    const last = merged.at(-1);
    const isContinued =
      last?.verb === 'change' &&
      operation.verb === 'change' &&
      last.kind === operation.kind &&
      last.set === operation.set;
    if (isContinued) merged.splice(-1, 1, ...setOperationsOf([...last.changes, ...operation.changes]));
    else merged.push(operation);
  }
  return merged;
}

/** The node without the addresses that are removed although desired routes have them as their source: the kernel drops these routes. */
function withoutSources(
  removals: readonly EntityOperation[],
  desired: NodePlan['dataplane']['desired'],
  node: NodeSnapshot,
): NodeSnapshot {
  if (removals.length === 0) return node;
  const sources = new Set(
    desiredOf(entityKinds.route, desired).list.flatMap(({ entity }) => entity.route.preferredSource ?? []),
  );
  return foreseen(
    removals.filter(({ entity }) => entity.kind === 'address' && sources.has(entity.address.address)),
    node,
  );
}

/**
 * The operations that bring a node to what its plan says, in an order in which each can be done. None where there is nothing to do.
 *
 * @param plan as `planNode` made it for this very snapshot.
 * @returns operations, each about one entity, each naming its networks; one that is done already is refused by the kernel and changes nothing. None
 *   for a node that the cluster does not have. Never throws.
 */
export function diffNode(plan: NodePlan, node: NodeSnapshot): readonly Operation[] {
  const { dataplane } = plan;
  if (dataplane.isUnknown === true) return [];
  const before = withSettledLedger(node);
  // Only what is removed or restored is attributed.
  const networks = lazy(() => networksOfEntity(dataplane, before));
  const input: DifferenceInput = { before, dataplane, networksOf: (anchor) => networks()(anchor) };
  const changesOf = entityDifference(input);
  const changes = new Map<EntityKind<Entity>, EntityChanges>();
  const decideLinkCycles = allKinds.filter(({ linkCycleDevices }) => linkCycleDevices !== undefined);
  for (const kind of decideLinkCycles) changes.set(kind, changesOf(kind, before));
  const decided = [...changes.values()];
  const moves = inOrder<EntityOperation>([
    ...decided.toReversed().flatMap(({ removals }) => removals),
    ...decided.flatMap(({ additions }) => additions),
  ]);
  const { after: moved, awaiting } = foresee(moves, before);
  const addresses = changesOf(entityKinds.address, moved);
  changes.set(entityKinds.address, addresses);
  const after = withoutSources(addresses.removals, dataplane.desired, moved);
  for (const kind of allKinds) if (!changes.has(kind)) changes.set(kind, changesOf(kind, after));

  const back = putBacks(input, after, awaiting);
  const backOf = groupBy(back, ({ device }) => device);
  const movedDevices = new Set(moves.map(movedDevice));
  const strays = strayMoves(input, (device) => movedDevices.has(device));
  const inTableOrder = allKinds.map((kind) => {
    const ofKind = changes.get(kind) ?? { removals: [], additions: [] };
    const { removals, replaced } = withReplaced(kind, ofKind);
    return { kind, removals: inSets(removals), additions: inSets(ofKind.additions), replaced: inSets(replaced) };
  });
  const entered = new Set(inTableOrder.flatMap(({ additions }) => additions).map(movedDevice));
  const operations: readonly Operation[] = [
    ...withPutBacks(
      inTableOrder.toReversed().flatMap(({ removals }) => removals),
      (device) => (entered.has(device) ? [] : (backOf.get(device) ?? [])),
    ),
    ...inTableOrder.flatMap(({ kind, additions }) => [
      ...withPutBacks(additions, (device) => backOf.get(device) ?? []),
      // What earlier moves have displaced is back as early as if it were displaced now.
      ...(kind.add.displacesFrom === undefined ? [] : [...back, ...strays]),
    ]),
  ];
  const replaced = inTableOrder.flatMap((each) => each.replaced);
  return withoutSplitSets([...inOrder([...new Set(operations)]), ...replaced]);
}
