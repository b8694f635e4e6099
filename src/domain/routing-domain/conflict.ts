/**
 * Which networks conflict on a node? (OKEP-6019, Bridge sharing; docs/design/api-decisions.md, "Conflict")
 *
 * A conflict has no winner, so the result depends only on the set of networks. But a tenant's own network, which is on the uplink of the setting `--egress`, takes
 * no bridge from those of administrators: it alone is in conflict.
 */
import { isNamespaced, type NetworkKey } from '../network/key.ts';
import { groupBy } from '../basics/names/grouping.ts';
import { byName, distinct } from '../basics/names/ordering.ts';
import type { RoutingDomain } from './routing-domain.ts';

/** An active network on one of its uplinks, as far as conflicts are about it. */
export interface Contender {
  readonly network: NetworkKey;
  /** The bridge behind its uplink; absent while it is not known. */
  readonly bridge?: string;
  readonly domain: RoutingDomain;
  /** Name of the VRF that it uses; absent where it has none. */
  readonly vrf?: string;
  /** Prefix of the names of its entities in OVN; absent where OVN is not programmed. */
  readonly ovnPrefix?: string;
}

/** The subject of a network's conflict; `networks` are all of the set, itself included. */
export type Conflict =
  | { readonly over: 'bridge'; readonly bridge: string; readonly networks: readonly NetworkKey[] }
  | { readonly over: 'vrf'; readonly vrf: string; readonly networks: readonly NetworkKey[] }
  /** OVN knows `-` and `.` of their names as the same character. */
  | { readonly over: 'ovn-names'; readonly prefix: string; readonly networks: readonly NetworkKey[] }
  | { readonly over: 'targets'; readonly vrfs: readonly string[] };

/** Groups contenders by a name that they share, in its order; those without the name are in no group. */
function groupsBy(
  contenders: readonly Contender[],
  nameOf: (contender: Contender) => string | undefined,
): readonly (readonly [string, readonly Contender[]])[] {
  const named = contenders.flatMap((contender) => {
    const name = nameOf(contender);
    return name === undefined ? [] : [{ name, contender }];
  });
  return [...groupBy(named, ({ name }) => name)]
    .map(([name, group]) => [name, group.map(({ contender }) => contender)] as const)
    .sort(([left], [right]) => byName(left, right));
}

function sharedBy(group: readonly Contender[]): readonly NetworkKey[] {
  const networks = distinct(group.map(({ network }) => network));
  return networks.length > 1 ? networks : [];
}

/** The networks of a bridge if they are not all in the default routing domain; none if they are. */
function mixedDomains(group: readonly Contender[]): readonly NetworkKey[] {
  return group.every(({ domain }) => domain.kind === 'default') ? [] : sharedBy(group);
}

/** Every network of a node that is in conflict, with all that it is in conflict about: bridges, VRFs, names in OVN, its own targets. */
export function conflictsAmong(contenders: readonly Contender[]): ReadonlyMap<NetworkKey, readonly Conflict[]> {
  const conflicts = new Map<NetworkKey, Conflict[]>();
  const add = (network: NetworkKey, conflict: Conflict) => {
    const ofNetwork = conflicts.get(network);
    if (ofNetwork === undefined) conflicts.set(network, [conflict]);
    else ofNetwork.push(conflict);
  };
  for (const [bridge, group] of groupsBy(contenders, (contender) => contender.bridge)) {
    const conflict = { over: 'bridge', bridge, networks: mixedDomains(group) } as const;
    const ofAdministrators = mixedDomains(group.filter(({ network }) => !isNamespaced(network)));
    for (const network of ofAdministrators) add(network, { ...conflict, networks: ofAdministrators });
    for (const network of conflict.networks) if (isNamespaced(network)) add(network, conflict);
  }
  for (const [vrf, group] of groupsBy(contenders, (contender) => contender.vrf)) {
    const networks = sharedBy(group);
    for (const network of networks) add(network, { over: 'vrf', vrf, networks });
  }
  for (const [prefix, group] of groupsBy(contenders, ({ ovnPrefix }) => ovnPrefix)) {
    const networks = sharedBy(group);
    for (const network of networks) add(network, { over: 'ovn-names', prefix, networks });
  }
  const contradictions = contenders.flatMap(({ network, domain }) =>
    domain.kind === 'contradiction' ? [[network, domain.vrfs] as const] : [],
  );
  for (const [network, vrfs] of new Map(contradictions)) add(network, { over: 'targets', vrfs });
  return conflicts;
}
