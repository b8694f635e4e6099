/**
 * Dependencies between operations, as keys.
 *
 * An operation comes first if it makes what another needs, uses what another ends, or ends what another makes.
 */

/** The kinds of key. */
export const dependencyKinds = {
  filter: 'the filter of packets that leave by the node, with all networks that do',
  'former-filter': 'the filter as it was, with all networks that left by the node',
  network: 'everything that a network needs before packets may flow',
  traffic: 'the packets of a network, which flow as long as it has its bridge mapping',
  mapping: 'the bridge mapping entry of a network, by its name in OVN',
  link: 'a device',
  up: 'a device of ovn-uplinks that is up',
  table: 'the routes of a network in its table',
  route: 'a managed route, by its kernel key',
  'own-address': 'an address that a network has on its VRF, as the source of its routes',
  'keep-addresses': 'the settings that decide which addresses of an interface survive its link cycle',
  ipv6: 'a device on which IPv6 is enabled',
  free: 'an interface that is a member of no VRF',
  'before-cycle': 'an interface before its link is taken down and up',
  'after-cycle': 'an interface whose link has been taken down and up for the last time',
  restored: 'everything that the link cycle of an interface displaced',
  'on-link': 'the addresses and routes by which gateways on an interface are reached',
  address: 'an address of the administrator, as the source of routes',
  'next-hop-object': 'a next hop object, as a member of a group or of routes',
  rows: 'the rows of a network in the Northbound database, by its name in OVN',
  'logical-network':
    'the rows of a network that ovn-uplinks provides, apart from those of its gateway router, by its name in OVN',
  interconnection: 'the setting by which there are tunnels to other zones',
  chassis: 'the chassis of another node, by its name',
  'patch-port': 'the port of a network on its bridge, which ovn-controller adds for its mapping and its rows',
  flooding: 'the setting that a port is not flooded to',
  flows: 'the flows of a network',
} as const;

export type DependencyKind = keyof typeof dependencyKinds;

/** A key: its kind and a name. */
export type DependencyKey = `${DependencyKind} ${string}`;

/** Makes a key. */
export function dependency(kind: DependencyKind, name: string | number): DependencyKey {
  return `${kind} ${name}`;
}

/** Makes a key for each of some names. */
export function dependencies(kind: DependencyKind, names: readonly string[]): readonly DependencyKey[] {
  return names.map((name) => dependency(kind, name));
}

/** The dependencies of an operation. */
export interface Dependencies {
  readonly makes?: readonly DependencyKey[];
  /** Entities that must exist first, if an operation makes them. */
  readonly needs?: readonly DependencyKey[];
  /** Entities that must still exist. */
  readonly uses?: readonly DependencyKey[];
  readonly ends?: readonly DependencyKey[];
}

/** The parts of dependencies. */
export const dependencyParts: readonly (keyof Dependencies)[] = ['makes', 'needs', 'uses', 'ends'];
