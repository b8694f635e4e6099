/**
 * What has to be done so that a node looks as its plan says, in order.
 */
import { groupBy } from '../grouping.ts';
import type { Operation } from '../operations/operation-kinds.ts';
import type { PutBack } from '../operations/put-back.ts';
import { by, canonical, distinct } from '../ordering.ts';
import { thingKey } from '../ownership/displaced-things.ts';
import type { DisplacedThing } from '../ownership/ledger.ts';
import { type AwaitingThing, withSettledLedger } from '../ownership/restored.ts';
import type { NodePlan } from '../plan/node-plan.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { attribution } from './attribution.ts';
import type { Difference } from './difference.ts';
import { foresee } from './foresee.ts';
import { keptThings } from './kept-things.ts';
import { mappingChanges } from './mapping-changes.ts';
import { membershipChanges } from './membership-changes.ts';
import { inOrder } from './order-operations.ts';
import { addressChanges, neighbourChanges, routeChanges, ruleChanges } from './own-things.ts';
import { sysctlChanges } from './sysctl-changes.ts';

/** What the membership changes displace, and what earlier ones displaced that nobody has put back. */
function putBacks({ before, kept, networksOf }: Difference, awaiting: readonly AwaitingThing[]): readonly PutBack[] {
  const deviceOfObject = new Map(before.nextHopObjects.map(({ id, device }) => [id, device]));
  for (const { thing } of awaiting) {
    if (thing.type === 'next-hop-object') deviceOfObject.set(thing.object.id, thing.object.device);
  }
  // A group of next hops is everybody's whose interface one of them leads out of.
  const devicesOf = (thing: DisplacedThing, device: string) => [
    device,
    ...(thing.type === 'next-hop-object' ? (thing.object.group ?? []) : []).flatMap(
      ({ id }) => deviceOfObject.get(id) ?? [],
    ),
  ];
  return awaiting
    .filter(({ device }) => !kept.hasMembershipOf(device))
    .toSorted(by(({ device, origin }) => `${device} ${thingKey(origin)}`))
    .map(({ device, thing, origin }) => ({
      kind: 'put-back',
      networks: distinct(devicesOf(thing, device).flatMap((name) => networksOf.ofDevice(name))),
      device,
      thing: canonical(thing),
      origin: canonical(origin),
    }));
}

/**
 * The operations that bring a node to what its plan says, in an order in which each can be done. None where there is nothing to do.
 *
 * @param plan as `planNode` made it for this very snapshot.
 * @returns operations, each about one object, each naming its networks; one that is done already is refused by the kernel and changes nothing. None
 *   for a node that the cluster does not have. Never throws.
 */
export function diffNode(plan: NodePlan, node: NodeSnapshot): readonly Operation[] {
  if (plan.dataplane.isUnknown === true) return [];
  const before = withSettledLedger(node);
  const difference: Difference = {
    before,
    programmed: plan.dataplane.programmed,
    kept: keptThings(plan.dataplane.kept, before),
    networksOf: attribution(plan.dataplane, before),
  };
  const sysctls = sysctlChanges(difference);
  const { leaving, coming, entering, deletedVrfs } = membershipChanges(difference);
  // Which addresses survive a membership change is a matter of settings, so they are foreseen with it.
  const { after, awaiting } = foresee([...sysctls.additions, ...leaving, ...coming, ...entering], before);
  const mappings = mappingChanges(difference);
  const addresses = addressChanges(difference, after, deletedVrfs);
  const parts = [routeChanges(difference, after), neighbourChanges(difference, after), ruleChanges(difference, after)];
  const back = putBacks(difference, awaiting);
  const backOf = groupBy(back, ({ device }) => device);
  const entered = new Set(entering.flatMap((move) => ('device' in move ? [move.device] : [])));
  // What one interface has lost is back before the next one loses anything.
  const withPutBacks = (moves: readonly Operation[]) =>
    moves.flatMap((move): readonly Operation[] =>
      'device' in move ? [move, ...(backOf.get(move.device) ?? [])] : [move],
    );
  const operations: readonly Operation[] = [
    ...mappings.removals,
    ...parts.toReversed().flatMap(({ removals }) => removals),
    ...addresses.removals,
    ...leaving.flatMap((move) => ('device' in move && entered.has(move.device) ? [move] : withPutBacks([move]))),
    ...coming,
    ...addresses.additions,
    ...sysctls.additions,
    ...withPutBacks(entering),
    ...back,
    ...parts.flatMap(({ additions }) => additions),
    ...sysctls.removals,
    ...mappings.additions,
  ];
  return inOrder([...new Set(operations)]);
}
