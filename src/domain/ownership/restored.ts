/**
 * A node as it will be once everything that our changes displaced is back in its place.
 *
 * Decisions are made about this node: a gateway that is on its way back counts as there, or a crash half-way would change what is decided.
 */
import { groupBy } from '../grouping.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { placeIn, presenceIn, vrfTableOf } from './displaced-things.ts';
import type { Displaced, DisplacedThing } from './ledger.ts';
import { elapsedSeconds, settle } from './settle.ts';

function remaining(seconds: number | undefined, elapsed: number): number | undefined {
  return seconds === undefined ? undefined : Math.max(0, seconds - elapsed);
}

/** The thing with what is left of its lifetime. */
function aged(entry: Displaced, node: NodeSnapshot): DisplacedThing {
  const { thing } = entry;
  const elapsed = elapsedSeconds(entry, node);
  if (elapsed === 0) return thing;
  if (thing.type === 'address') {
    const validSeconds = remaining(thing.address.validSeconds, elapsed);
    const preferredSeconds = remaining(thing.address.preferredSeconds, elapsed);
    return {
      ...thing,
      address: {
        ...thing.address,
        ...(validSeconds !== undefined && { validSeconds }),
        ...(preferredSeconds !== undefined && { preferredSeconds }),
      },
    };
  }
  if (thing.type !== 'route') return thing;
  const expiresSeconds = remaining(thing.route.expiresSeconds, elapsed);
  return { ...thing, route: { ...thing.route, ...(expiresSeconds !== undefined && { expiresSeconds }) } };
}

/** One thing that has to be put back. */
export interface AwaitingThing {
  /** The device whose membership was changed. */
  readonly device: string;
  /** The thing where it belongs now, with what is left of its lifetime. */
  readonly thing: DisplacedThing;
  /** The thing as it was. */
  readonly origin: DisplacedThing;
}

/** What has to be put back on a node whose ledger is settled. */
export function awaitingThings(node: NodeSnapshot): AwaitingThing[] {
  const awaiting = node.ledger.entries.filter(
    (entry): entry is Displaced => entry.kind === 'displaced' && entry.state === 'awaiting',
  );
  if (awaiting.length === 0) return [];
  const links = new Map(node.links.map((link) => [link.name, link]));
  const isThere = presenceIn(node);
  return awaiting.flatMap((entry) => {
    const vrfTable = vrfTableOf(links.get(entry.device), (name) => links.get(name));
    const thing = placeIn(aged(entry, node), entry.device, vrfTable);
    return isThere(thing) ? [] : [{ device: entry.device, thing, origin: entry.thing }];
  });
}

/** The node with its ledger settled. */
export function withSettledLedger(node: NodeSnapshot): NodeSnapshot {
  const ledger = settle(node);
  return ledger === node.ledger ? node : { ...node, ledger };
}

/** The node as it will be once everything that awaits being put back is there; its ledger is settled. */
export function restored(found: NodeSnapshot): NodeSnapshot {
  const node = withSettledLedger(found);
  const things = awaitingThings(node).map(({ thing }) => thing);
  if (things.length === 0) return node;
  const addresses = groupBy(
    things.filter((thing) => thing.type === 'address'),
    ({ device }) => device,
  );
  return {
    ...node,
    links: node.links.map((link) => {
      const back = addresses.get(link.name);
      return back === undefined
        ? link
        : { ...link, addresses: [...link.addresses, ...back.map(({ address }) => address)] };
    }),
    routes: [...node.routes, ...things.flatMap((thing) => (thing.type === 'route' ? [thing.route] : []))],
    nextHopObjects: [
      ...node.nextHopObjects,
      ...things.flatMap((thing) => (thing.type === 'next-hop-object' ? [thing.object] : [])),
    ],
    neighbours: [
      ...node.neighbours,
      ...things.flatMap((thing) => (thing.type === 'neighbour' ? [thing.neighbour] : [])),
    ],
    neighbourProxies: [
      ...node.neighbourProxies,
      ...things.flatMap((thing) => (thing.type === 'neighbour-proxy' ? [thing.proxy] : [])),
    ],
  };
}
