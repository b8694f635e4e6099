import { CONNECTION_MARK_BASE, NODE_SNAT_MARK } from '../../basics/conventions.ts';
import { addressFamilies, type AddressFamily } from '../../basics/addresses/ip-address.ts';
import type { Action, Match } from '../../datapath/openflow/flow.ts';
import { askForNeighbour, solicitNeighbour } from './neighbour-actions.ts';
import type { MatchAndActions, PipelineRow, Scopes } from './row.ts';
import { commit, from, goTo, hexadecimal, icmp, output, packet, setSource, tagged, to } from './matches-and-actions.ts';

type NetworkScope = Scopes['network'];

/** Types of the ICMP errors that a gateway router sends: destination unreachable, time exceeded (RFC 792), packet too big (RFC 4443). */
const icmpErrors = { 4: [3, 11], 6: [1, 2, 3] } as const;

/** The addresses of one family with which packets of a network leave. */
interface Egress {
  readonly family: AddressFamily;
  /** The uplink's address. */
  readonly address: string;
  /** The address that the gateway router sends from. */
  readonly masqueradeAddress: string;
}

function egressOf({ uplink, network }: NetworkScope): readonly Egress[] {
  return addressFamilies.flatMap((family) => {
    const [address, masqueradeAddress] = [uplink.addresses[family], network.masqueradeAddresses[family]];
    return address === undefined || masqueradeAddress === undefined ? [] : [{ family, address, masqueradeAddress }];
  });
}

/** All packets from the network. */
function sent({ network }: NetworkScope): Match {
  return { in_port: network.patchPort };
}

/** Packets from its gateway router in the uplink's VLAN. */
export function sentByRouter(scope: NetworkScope): Match {
  return { ...sent(scope), ...tagged(scope.uplink), dl_src: scope.uplink.macAddress };
}

/** The mark of its connections. */
export function connectionMark({ network: { networkId } }: NetworkScope): number {
  return CONNECTION_MARK_BASE + networkId;
}

/** Translates the source of a packet to the uplink's address. */
function translated(scope: NetworkScope, address: string): readonly Action[] {
  return [commit(scope.uplink, connectionMark(scope), address, 'translated')];
}

function advertised({ network }: NetworkScope): readonly { readonly family: AddressFamily; readonly subnet: string }[] {
  return addressFamilies.flatMap((family) =>
    (network.advertisedSubnets[family] ?? []).map((subnet) => ({ family, subnet })),
  );
}

/** Lets an ICMP error of the gateway router leave from an address, with the packet inside translated as its connection is. */
function errorOnward(scope: NetworkScope, address: string): readonly Action[] {
  return [commit(scope.uplink, connectionMark(scope), address), goTo('nextHop')];
}

/**
 * Actions for the ICMP errors of the gateway router, by their source: OVN uses the first address of the router in text order, which may be either. The packet
 * inside is translated with its connection, and is unchanged where its connection is not tracked, as those of an advertised network to anything but the nodes
 * of the cluster.
 *
 * The error continues without recirculation: ovn-controller sends it, and Open vSwitch drops packets of a controller that a second bridge recirculates.
 */
function routerErrors(
  scope: NetworkScope,
  { family, address, masqueradeAddress }: Egress,
): readonly { readonly source: string; readonly actions: readonly Action[] }[] {
  const onward = errorOnward(scope, address);
  return [
    { source: address, actions: onward },
    { source: masqueradeAddress, actions: [setSource(family, address), ...onward] },
  ];
}

/** Flows for the ICMP errors that the gateway router sends from an address of a Service. */
export function errorsFrom(scope: NetworkScope, family: AddressFamily, address: string): readonly MatchAndActions[] {
  return icmpErrors[family].map((type) => ({
    match: { ...icmp(family, type), ...sentByRouter(scope), ...from(family, address) },
    actions: errorOnward(scope, address),
  }));
}

function drop(match: Match): { readonly match: Match; readonly actions: readonly Action[] } {
  return { match, actions: [] };
}

/** Rows for each network on an uplink. */
export const networkRows: readonly PipelineRow<'network'>[] = [
  {
    table: 'classify',
    priority: 300,
    when: 'the network is advertised',
    why: 'pods are reached by their own addresses',
    flows: (scope) =>
      advertised(scope).map(({ family, subnet }) => ({
        match: {
          ...packet(family),
          in_port: scope.bridge.physicalPort,
          ...tagged(scope.uplink),
          dl_dst: scope.uplink.macAddress,
          ...to(family, subnet),
        },
        actions: [output(scope.network.patchPort)],
      })),
  },
  {
    table: 'classify',
    priority: 119,
    when: 'the network has IPv6',
    why: 'a neighbour is solicited on the wire, and the networks that asked for it get its advertisement',
    flows: (scope) =>
      egressOf(scope)
        .filter(({ family }) => family === 6)
        .map(() => ({
          match: { ...icmp(6, 135), ...sentByRouter(scope) },
          actions: solicitNeighbour(scope),
        })),
  },
  {
    table: 'classify',
    priority: 117,
    why: "the node's own addresses are reached without leaving the node",
    flows: (scope) =>
      egressOf(scope).flatMap(({ family }) =>
        (scope.bridge.uplinkAddresses[family] ?? []).map((address) =>
          drop({ ...packet(family), ...sent(scope), ...to(family, address) }),
        ),
      ),
  },
  {
    table: 'classify',
    priority: 105,
    why: "egress IP traffic leaves with the uplink's address",
    flows: (scope) =>
      egressOf(scope).map(({ family, address }) => ({
        match: { ...packet(family), ...sentByRouter(scope), pkt_mark: hexadecimal(NODE_SNAT_MARK) },
        actions: translated(scope, address),
      })),
  },
  {
    table: 'classify',
    priority: 104,
    when: 'the network is advertised',
    why: 'pods keep their addresses',
    flows: (scope) =>
      advertised(scope).map(({ family, subnet }) => ({
        match: { ...packet(family), ...sentByRouter(scope), ...from(family, subnet) },
        actions: [goTo('nextHop')],
      })),
  },
  {
    table: 'classify',
    priority: 101,
    why: "the gateway router's ICMP errors, which path MTU discovery needs",
    flows: (scope) =>
      egressOf(scope).flatMap((egress) =>
        icmpErrors[egress.family].flatMap((type) =>
          routerErrors(scope, egress).map(({ source, actions }) => ({
            match: { ...icmp(egress.family, type), ...sentByRouter(scope), ...from(egress.family, source) },
            actions,
          })),
        ),
      ),
  },
  {
    table: 'classify',
    priority: 100,
    why: 'egress leaves with the address of the uplink',
    flows: (scope) =>
      egressOf(scope).map(({ family, address, masqueradeAddress }) => ({
        match: { ...packet(family), ...sentByRouter(scope), ...from(family, masqueradeAddress) },
        actions: translated(scope, address),
      })),
  },
  {
    table: 'classify',
    priority: 12,
    when: 'the network has IPv4',
    why: 'a request for a known neighbour is answered here; any other goes to the wire',
    flows: (scope) =>
      egressOf(scope)
        .filter(({ family }) => family === 4)
        .map(({ address }) => ({
          match: { protocol: 'arp', ...sentByRouter(scope), arp_op: '1', arp_spa: address },
          actions: askForNeighbour(scope),
        })),
  },
  {
    table: 'classify',
    priority: 9,
    why: 'nothing else leaves: no forged source, no join address, nothing untranslated',
    flows: (scope) => [drop(sent(scope))],
  },
  {
    table: 'connections',
    priority: 100,
    why: 'replies to the pods, and errors about their connections',
    flows: (scope) =>
      egressOf(scope).flatMap(({ family }) =>
        ['+est-rel+trk', '+rel+trk'].map((ct_state) => ({
          match: { ...packet(family), ct_state, ct_mark: hexadecimal(connectionMark(scope)) },
          actions: [output(scope.network.patchPort)],
        })),
      ),
  },
];
