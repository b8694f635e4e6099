/**
 * Which load balancers are created, changed and deleted?
 *
 * They are known by their signatures. A name may occur twice in OVN, which has no index of them (ovn-nb(5), Load_Balancer): the first one stays.
 */
import { byName, sortedBy } from '../basics/names/ordering.ts';
import { endedWith } from './ended-connections.ts';
import type { LoadBalancer } from './load-balancers.ts';

/** A load balancer that ovn-uplinks has made, as it is in the database. */
export interface FoundLoadBalancer extends LoadBalancer {
  readonly uuid: string;
  /** Names of the switches of networks that have it. */
  readonly switches: readonly string[];
  /** Connections that have to end, as `endedWith` has them: what has changed is stored with the change, since an agent may end before they do. */
  readonly ended: readonly string[];
}

/** A change of a load balancer. */
export type LoadBalancerChange =
  | { readonly verb: 'add'; readonly desired: LoadBalancer; readonly switchName: string }
  | {
      readonly verb: 'replace';
      readonly desired: LoadBalancer;
      readonly uuid: string;
      /** The switch that it is added to; absent where it is there. */
      readonly switchName?: string;
      /** The switches of other networks that it is taken from. */
      readonly otherSwitches: readonly string[];
      /** The connections that have to end by now. */
      readonly ended: readonly string[];
    }
  | { readonly verb: 'remove'; readonly uuid: string }
  /** Connections have ended: they are deleted from a load balancer, unless further ones have to end by now. */
  | { readonly verb: 'forget'; readonly uuid: string; readonly ended: readonly string[] };

/** Equal maps, whatever the order of their keys. */
function isSameMap(left: Readonly<Record<string, string>>, right: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => left[key] === right[key]);
}

function isSame(found: FoundLoadBalancer, desired: LoadBalancer): boolean {
  return (
    found.networkName === desired.networkName &&
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
  switchName: string,
): readonly LoadBalancerChange[] {
  const otherSwitches = found.switches.filter((name) => name !== switchName);
  const isThere = found.switches.includes(switchName);
  if (isThere && otherSwitches.length === 0 && isSame(found, desired)) return [];
  return [
    {
      verb: 'replace',
      desired,
      uuid: found.uuid,
      ...(!isThere && { switchName }),
      otherSwitches,
      ended: endedWith(found, desired),
    },
  ];
}

/**
 * The changes of the load balancers of a Service.
 *
 * @param desired those that it is to have; undefined where those that it has stay as they are
 * @param found those that it has
 * @param switchOf the name of the switch of a network on this node; undefined where it has none: nothing is created then, and nothing stays
 */
export function loadBalancerChanges(
  desired: readonly LoadBalancer[] | undefined,
  found: readonly FoundLoadBalancer[],
  switchOf: (networkName: string) => string | undefined,
): readonly LoadBalancerChange[] {
  const inOrder = sortedBy(found, ({ uuid }) => uuid);
  // Of several of a name the first one stays.
  const wanted = new Map(
    (desired ?? inOrder.toReversed()).flatMap((each) => {
      const switchName = switchOf(each.networkName);
      return switchName === undefined ? [] : [[each.name, { each, switchName }] as const];
    }),
  );
  const kept = new Set<string>();
  const ofFound = inOrder.flatMap((existing): readonly LoadBalancerChange[] => {
    const { name, uuid } = existing;
    const meant = wanted.get(name);
    if (meant === undefined || kept.has(name)) return [{ verb: 'remove', uuid }];
    kept.add(name);
    return replacement(existing, meant.each, meant.switchName);
  });
  const added = [...wanted].flatMap(([name, { each, switchName }]): readonly LoadBalancerChange[] =>
    kept.has(name) ? [] : [{ verb: 'add', desired: each, switchName }],
  );
  return [...ofFound, ...added.toSorted((left, right) => byName(nameOf(left), nameOf(right)))];
}

const nameOf = (change: LoadBalancerChange) => ('desired' in change ? change.desired.name : '');
