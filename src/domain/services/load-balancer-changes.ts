/**
 * Which load balancers are created, changed and deleted?
 *
 * They are known by their signatures. A name may occur twice in OVN, which has no index of them (ovn-nb(5), Load_Balancer): the first one stays.
 */
import { byName, sortedBy } from '../basics/names/ordering.ts';
import { endedWith } from './ended-connections.ts';
import type { BalancerPlace, LoadBalancer } from './load-balancers.ts';

/** A switch or router that has load balancers. */
export interface BalancerParent {
  readonly place: BalancerPlace;
  readonly name: string;
}

/** A load balancer that ovn-uplinks has made, as it is in the database. */
export interface FoundLoadBalancer extends LoadBalancer {
  readonly uuid: string;
  /** The switches and routers of networks that have it. */
  readonly parents: readonly BalancerParent[];
  /** Connections that have to end, as `endedWith` has them: what has changed is stored with the change, since an agent may end before they do. */
  readonly ended: readonly string[];
}

/** The load balancers that a Service is to have. */
export interface DesiredLoadBalancers {
  readonly balancers: readonly LoadBalancer[];
  /** The places where it is not decided which there are to be: those that are there stay as they are. */
  readonly undecided: readonly BalancerPlace[];
}

/** A change of a load balancer. */
export type LoadBalancerChange =
  | { readonly verb: 'add'; readonly desired: LoadBalancer; readonly parentName: string }
  | {
      readonly verb: 'replace';
      readonly desired: LoadBalancer;
      readonly uuid: string;
      /** The switch or router that it is added to; absent where it is there. */
      readonly parentName?: string;
      /** The switches and routers that it is taken from. */
      readonly otherParents: readonly BalancerParent[];
      /** The connections that have to end by now. */
      readonly ended: readonly string[];
    }
  | { readonly verb: 'remove'; readonly uuid: string }
  /** Connections have ended: they are deleted from a load balancer, unless further ones have to end by now. */
  | { readonly verb: 'forget'; readonly uuid: string; readonly ended: readonly string[] };

/** Finds the name of the switch or router of a network on this node; undefined where it has none. */
export type ParentOf = (networkName: string, place: BalancerPlace) => string | undefined;

/** Equal maps, whatever the order of their keys. */
function isSameMap(left: Readonly<Record<string, string>>, right: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => left[key] === right[key]);
}

function isSame(found: FoundLoadBalancer, desired: LoadBalancer): boolean {
  return (
    found.networkName === desired.networkName &&
    found.place === desired.place &&
    found.owner === desired.owner &&
    found.protocol === desired.protocol &&
    isSameMap(found.vips, desired.vips) &&
    isSameMap(found.options, desired.options)
  );
}

/** The change of one that is there; nothing if it is as desired. */
function replacement(
  found: FoundLoadBalancer,
  desired: LoadBalancer,
  parentName: string,
): readonly LoadBalancerChange[] {
  const isWanted = ({ place, name }: BalancerParent) => place === desired.place && name === parentName;
  const otherParents = found.parents.filter((parent) => !isWanted(parent));
  const isThere = otherParents.length < found.parents.length;
  if (isThere && otherParents.length === 0 && isSame(found, desired)) return [];
  return [
    {
      verb: 'replace',
      desired,
      uuid: found.uuid,
      ...(!isThere && { parentName }),
      otherParents,
      ended: endedWith(found, desired),
    },
  ];
}

/**
 * The changes of the load balancers of a Service.
 *
 * @param found those that it has
 * @param parentOf where it finds no switch or router of a network, nothing is created there, and nothing stays
 */
export function loadBalancerChanges(
  { balancers, undecided }: DesiredLoadBalancers,
  found: readonly FoundLoadBalancer[],
  parentOf: ParentOf,
): readonly LoadBalancerChange[] {
  const inOrder = sortedBy(found, ({ uuid }) => uuid);
  // Of several of a name the first one stays.
  const wanted = new Map(
    [...inOrder.toReversed().filter(({ place }) => undecided.includes(place)), ...balancers].flatMap((each) => {
      const parentName = parentOf(each.networkName, each.place);
      return parentName === undefined ? [] : [[each.name, { each, parentName }] as const];
    }),
  );
  const stored = new Set<string>();
  const ofFound = inOrder.flatMap((existing): readonly LoadBalancerChange[] => {
    const { name, uuid } = existing;
    const meant = wanted.get(name);
    if (meant === undefined || stored.has(name)) return [{ verb: 'remove', uuid }];
    stored.add(name);
    return replacement(existing, meant.each, meant.parentName);
  });
  const added = [...wanted].flatMap(([name, { each, parentName }]): readonly LoadBalancerChange[] =>
    stored.has(name) ? [] : [{ verb: 'add', desired: each, parentName }],
  );
  return [...ofFound, ...added.toSorted((left, right) => byName(nameOf(left), nameOf(right)))];
}

const nameOf = (change: LoadBalancerChange) => ('desired' in change ? change.desired.name : '');
