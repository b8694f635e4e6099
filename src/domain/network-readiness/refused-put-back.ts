/**
 * The kernel keeps things that it would not take a second time: a route whose gateway lost its subnet, one with a leg out of a device that is
 * down, one whose source only another routing domain knows. Which these are the node model tells, that puts them back in its own way first.
 */
import { inOrder } from '../diff/order-operations.ts';
import type { NodeView } from '../discovery/node-view.ts';
import { surroundings } from '../discovery/surroundings.ts';
import { cycle } from '../node-model/cycle.ts';
import { addVrf } from '../node-model/vrf.ts';
import { withoutMaster } from '../node-model/membership.ts';
import { addThing } from '../operations/displaced-thing-change.ts';
import type { Operation } from '../operations/operation-kinds.ts';
import { by, canonical } from '../ordering.ts';
import { isPlaced, isPutBack, originsOn, placeIn, thingKey, vrfTableOf } from '../ownership/displaced-things.ts';
import type { DisplacedThing } from '../ownership/ledger.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';

/** A thing, as it is now, and why it could not be made again. */
export interface RefusedPutBack {
  readonly thing: DisplacedThing;
  /** The kernel's words. */
  readonly refusal: string;
}

/** As much of the node as decides whether things can be put back: where they lead to, and who bears their sources. */
function sceneOf(things: readonly DisplacedThing[], [device, target]: Move, view: NodeView): NodeSnapshot {
  const routes = things.flatMap((thing) => (thing.type === 'route' ? [thing.route] : []));
  const legs = routes.flatMap(({ nextHops }) => nextHops.flatMap((hop) => hop.device ?? []));
  const bearers = routes.flatMap(({ preferredSource }) =>
    preferredSource === undefined ? [] : view.bearersOf(preferredSource),
  );
  const vrfs = target === undefined ? [] : view.vrfsOf(target);
  const around = surroundings(view, [device, ...legs, ...[...bearers, ...vrfs].map(({ name }) => name)]);
  return { ...around, routes: [...around.routes, ...view.routesOutOfNothing()] };
}

/** A name that none of the devices bears. */
function freeName({ links }: NodeSnapshot): string {
  const names = new Set(links.map(({ name }) => name));
  return ['vrf', ...links.map((_, number) => `vrf${number}`)].find((name) => !names.has(name)) ?? '';
}

/** The node with a VRF of the table, which may still have to be made. */
function withVrf(node: NodeSnapshot, table: number): NodeSnapshot {
  if (node.links.some(({ vrfTable }) => vrfTable === table)) return node;
  const made = addVrf(node, { name: freeName(node), table });
  return made.done ? made.node : node;
}

/** The node with the device where it is to be. */
function moved(node: NodeSnapshot, [device, target]: Move): NodeSnapshot {
  if (target === undefined) return cycle(node, device, withoutMaster);
  const ready = withVrf(node, target);
  const master = ready.links.find(({ vrfTable }) => vrfTable === target)?.name;
  return cycle(ready, device, (link) => ({ ...link, ...(master !== undefined && { master }) }));
}

/** A device, and the table of the VRF that it is to be in; absent where it is to be in none. */
type Move = readonly [device: string, target: number | undefined];

/** What the kernel would not take again of what it drops when a device moves, in the order in which it would be put back. */
export function refusedPutBacks(move: Move, view: NodeView): readonly RefusedPutBack[] {
  const [device, target] = move;
  const { around, lost } = view.linkCycleOf(device);
  const things = lost.filter(isPutBack);
  if (things.length === 0) return [];
  const table = vrfTableOf(view.link(device), (name) => view.link(name));
  const putBacks = things
    .flatMap(originsOn(device, table, around.ledger.entries.filter(isPlaced)))
    .map(canonical)
    .toSorted(by(thingKey))
    .map((origin): Operation => ({
      kind: 'put-back',
      networks: [],
      device,
      thing: placeIn(origin, device, target),
      origin,
    }));
  let node = moved(sceneOf(things, move, view), move);
  return inOrder(putBacks).flatMap((operation): readonly RefusedPutBack[] => {
    if (operation.kind !== 'put-back') return [];
    const { thing, origin = thing } = operation;
    const change = addThing(thing, node);
    if (change.done) node = change.node;
    // What stands where the thing has to be is told by its name, elsewhere.
    return change.done || change.exists === true ? [] : [{ thing: origin, refusal: change.refusal }];
  });
}
