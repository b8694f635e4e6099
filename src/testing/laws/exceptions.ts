/**
 * Where laws do not hold, and why. This is the only list: a check that makes an exception names it, and tests fail for an exception that
 * neither scenarios nor generated cases use. The texts go into docs/laws.md.
 */
import type { LawName } from './violation.ts';

const daemons = 'Routing daemons add their routes again by themselves after an interface has entered or left a VRF.';

const dropped = 'The kernel drops it when an interface enters or leaves a VRF, and it is restored.';

/** Reasons, by law and by exception. */
export const exceptions = {
  '3 owns only its own': {
    'route of the kernel':
      'The kernel adds and removes the routes of addresses, of subnets that it learned, and of VRF devices by itself.',
    'route of a daemon': daemons,
    'route added again':
      'Its owner adds a route again that has moved into a VRF with its interface: outside of the VRF they are one.',
    'group of next hops':
      'The kernel takes the members out of a group that are lost with an interface: the whole group awaits being restored.',
    'patch port': 'ovn-controller adds and deletes the patch ports of managed localnet ports.',
    'default route':
      'The main table got another default route of the same metric while the interface was in its VRF: the displaced one stays in the ledger until its place is free.',
  },
  '4 isolated': {
    'group of next hops':
      'Interfaces of both networks are in one group of next hops of the administrator: the group is displaced with each of them.',
    'conntrack zone':
      'Each uplink has conntrack zones of its own, the first that are free when it gets its first network. It keeps them.',
    'learned flow':
      'What flows have learned on a bridge goes with its last network, for every network that is still mapped to the bridge.',
    'default routing domain':
      'Pods of a network in the default routing domain reach the addresses of all uplinks in it without leaving the node, by a policy for each.',
    'network in between':
      'A third network shares a bridge with the one and a VRF with the other, which keeps it from being ready: what flows of the bridge do for its uplink and its neighbours comes and goes with it.',
    'equal names in OVN':
      'OVN would give entities of both networks the same names: neither is provided while the other one exists.',
    'source address':
      'The interface of one network has an address that routes out of the other one have as their source: it cannot be enslaved alone.',
  },
  '5 symmetric': {
    'network that cannot be read':
      'A network can be in conflict with one whose object cannot be read. Of that one is only known what it has on the node, and it keeps that.',
    'network that waits':
      'A network for which OVN-Kubernetes has something to do yet is held, and reports that instead of the conflict.',
  },
  '6 reversible': {
    'route of a daemon': daemons,
  },
  '8 no bounce': {
    'address: displaced': dropped,
    'route: displaced': dropped,
    'next-hop-object: displaced': `${dropped} A group loses one of its members.`,
    'neighbour: displaced': dropped,
    'neighbour-proxy: displaced': dropped,
    'vrf: VRF with another table':
      'The table of a VRF cannot be changed (drivers/net/vrf.c has no changelink): it is removed and made again.',
    'address: VRF with another table': 'The address is on a VRF that is made again.',
    'membership: VRF with another table': 'The interface is in a VRF that is made again.',
    'sysctl: VRF with another table': 'The setting is of a VRF that is made again.',
    'route: source address removed':
      'The kernel drops a route when the address that it has as its source is removed, although another interface has that address.',
    'route: another owner':
      'A route of ours is removed, and a route of the administrator that has the same key is restored with its interface.',
  },
  '9 history-free': {
    'route of a daemon': daemons,
    'learned neighbour':
      'Flows learn neighbours while a network is there, and these are kept resolved: which ones depends on who spoke meanwhile.',
    'unknown node': 'A node that the cluster does not have is left as it is, with what others did to it.',
  },
  inverse: {
    'route of a daemon': daemons,
    'expiring subnet':
      'The kernel keeps the route to an advertised subnet, which expires, after the address is gone that it came with; where it is dropped then, the ledger has it.',
    'managed entity':
      'The inverses are of operations alone: what was managed before, and goes with an interface that moves, the next plan adds again.',
    'no-flood-port':
      'A port that ovn-controller deletes and adds again has no setting: the inverse of adding it is that of another operation.',
    'set-vrf': 'Nobody wants a VRF of ours without its signature, or down: the inverse of adding it removes it.',
  },
  recovers: {
    'removed network':
      'What a network shared that is removed is not known any more: where an operation fails that removes it, others may wait too.',
  },
} as const satisfies { readonly [Law in LawName]?: Readonly<Record<string, string>> };

type Exceptions = typeof exceptions;

/** The laws that have exceptions. */
export type LawWithExceptions = keyof Exceptions;

/** The exceptions of a law. */
export type ExceptionOf<Law extends LawWithExceptions> = keyof Exceptions[Law] & string;

/** The label of a case in which an exception was made. */
export function exceptionLabel<Law extends keyof Exceptions>(law: Law, exception: ExceptionOf<Law>): string {
  return `exception of ${law}: ${exception}`;
}

/** Whether a law makes an exception. */
export function isExceptionOf<Law extends keyof Exceptions>(law: Law, name: string): name is ExceptionOf<Law> {
  return Object.hasOwn(exceptions[law], name);
}
