import { MAIN_TABLE } from '../conventions.ts';
import { familyOf } from '../ip-address.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { lostByCycle } from '../node-model/cycle.ts';
import { isPutBack, presenceIn, thingKey } from '../ownership/displaced-things.ts';
import type { DisplacedThing } from '../ownership/ledger.ts';
import { withPlaced } from '../ownership/placed.ts';
import { addThing, addThingCommand, thingDependencies, thingText } from './displaced-thing-change.ts';
import type { OperationBase, OperationKind } from './operation.ts';

/**
 * Puts a thing of the administrator's, which a membership change of ours made the kernel drop, into the place where it now belongs.
 *
 * It may be refused for a while and is then tried again: after the cycle of its link a device's IPv6 addresses are silent until the kernel has
 * looked for duplicates, and until then an IPv6 route with such an address as its source is refused ("Invalid source address"). Whoever carries
 * operations out tries a refused put-back again for some seconds before taking it for failed: 4 s, as for next hops that cannot be reached yet.
 * That goes for the put-backs of an undo as well. (Node design, What enslaving does to an interface; net/ipv6/route.c, ip6_route_info_create)
 */
export interface PutBack extends OperationBase {
  readonly kind: 'put-back';
  /** The device whose membership was changed. */
  readonly device: string;
  /** The thing, as it shall be. */
  readonly thing: DisplacedThing;
  /** The thing, as it was before our first change, where its place differs. */
  readonly origin?: DisplacedThing;
}

/** What puts back everything that a membership change would drop, into the places where it is now. */
export function putBacksFor(networks: readonly string[], device: string, before: NodeSnapshot): readonly PutBack[] {
  // What is lost comes in an order in which it can be put back.
  return lostByCycle(before, device)
    .filter(isPutBack)
    .map((thing) => ({ kind: 'put-back', networks, device, thing }));
}

/** A group that lost some of its members, and not all, takes its place again under the same number. */
function shrunkGroup(thing: DisplacedThing, { nextHopObjects }: NodeSnapshot): DisplacedThing | undefined {
  if (thing.type !== 'next-hop-object') return undefined;
  const object = nextHopObjects.find(({ id }) => id === thing.object.id);
  return object && { type: 'next-hop-object', object };
}

export const putBack: OperationKind<PutBack> = {
  mark: '+',
  dependencies: ({ device, thing, networks }) => {
    const { makes = [], needs = [] } = thingDependencies(thing);
    return {
      makes: [...makes, `put back ${device}`, ...networks.map((name) => `network ${name}`)],
      needs: [...needs, `cycled ${device}`],
    };
  },
  effect: ({ thing }, node) => addThing(thing, node),
  confirm: ({ device, thing }, after) => withPlaced(after, device, thing),
  inverse: ({ networks, device, thing, origin }, before) => {
    if (presenceIn(before)(thing)) return [];
    const leaving = shrunkGroup(thing, before);
    return [{ kind: 'take-back', networks, device, thing, ...(origin && { origin }), ...(leaving && { leaving }) }];
  },
  disruption: ({ thing }) =>
    thing.type === 'address' && familyOf(thing.address.address) === 6 && !thing.address.flags.includes('nodad')
      ? 'address-detection'
      : 'none',
  command: ({ thing }) => addThingCommand(thing),
  summary: ({ thing, origin }) => {
    const moved = origin?.type === 'route' && thingKey(origin) !== thingKey(thing);
    if (!moved) return `${thingText(thing)}, put back`;
    const { table } = origin.route;
    return `${thingText(thing)}, moved from table ${table === MAIN_TABLE ? 'main' : table}`;
  },
};
