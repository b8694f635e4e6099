/**
 * The rows of an uplink bridge by which Services are reached from the wire (OKEP-6019, "Service access").
 *
 * A Service gets new connections only, once the table of connections has been asked: what belongs to a connection of a pod or of the host goes there, whatever port it has. Each
 * connection to a Service has the mark of its network, as those that its pods begin, so that the rows of these carry all further packets, fragments and errors from the wire.
 */
import type { AddressFamily } from '../../basics/addresses/ip-address.ts';
import { addressFamilies } from '../../basics/addresses/ip-address.ts';
import type { Match } from '../../datapath/openflow/flow.ts';
import { commit, from, goTo, hexadecimal, output, packet, tagged, to, toPort, zoneOf } from './matches-and-actions.ts';
import { connectionMark, errorsFrom, sentByRouter } from './network-rows.ts';
import type { ExposedRow, ExposedScopes, Scopes } from './row.ts';
import { tables } from './tables.ts';

/** The families in which a network leaves by its uplink. */
function familiesOf({ uplink, network }: Scopes['network']): readonly AddressFamily[] {
  return addressFamilies.filter(
    (family) => uplink.addresses[family] !== undefined && network.masqueradeAddresses[family] !== undefined,
  );
}

/** Packets from one of the sources of a port, or from anywhere. */
function sourcesOf({ family, sources }: ExposedScopes['port']['port']): readonly Match[] {
  return sources === undefined ? [{}] : sources.map((source) => from(family, source));
}

/** Frames for the MAC address of an uplink in its VLAN: another uplink of the VLAN may have the same addresses. */
function forUplink(uplink: Scopes['uplink']['uplink']): Match {
  return { ...tagged(uplink), dl_dst: uplink.macAddress };
}

/** All rows, by what their flows are made for. */
export const exposedRows: { readonly [Scope in keyof ExposedScopes]: readonly ExposedRow<Scope>[] } = {
  bridge: [
    {
      table: 'serviceReplies',
      priority: 0,
      why: 'what answers no connection to a Service does not leave',
      flows: () => [{ match: {}, actions: [] }],
    },
  ],
  network: [
    {
      table: 'classify',
      priority: 90,
      why: 'what is neither egress nor an error is the reply of a Service, or nothing',
      flows: (scope) =>
        familiesOf(scope).map((family) => ({
          match: { ...packet(family), ...sentByRouter(scope) },
          actions: [{ kind: 'ct', table: tables.serviceReplies, zone: zoneOf(scope.uplink, 'connections') }],
        })),
    },
  ],
  address: [
    {
      table: 'serviceReplies',
      priority: 100,
      why: 'replies of Services go to their next hop, by the uplink of their connection',
      flows: (scope) => {
        const { family, address } = scope.address;
        const match = {
          ...packet(family),
          in_port: scope.network.patchPort,
          ct_state: '+est+rpl+trk',
          ct_mark: hexadecimal(connectionMark(scope)),
          ...from(family, address),
        };
        return [{ match, actions: [goTo('nextHop')] }];
      },
    },
    {
      table: 'connections',
      priority: 55,
      when: "the address is the Service's",
      why: 'nothing else is reached at an address of a Service, neither the host nor what is behind it',
      flows: ({ uplink, address: { family, address, isOfService } }) =>
        isOfService
          ? [{ match: { ...packet(family), ...forUplink(uplink), ...to(family, address) }, actions: [] }]
          : [],
    },
    {
      table: 'classify',
      priority: 101,
      when: "the address is the Service's",
      why: "the gateway router's ICMP errors from an address of a Service, which path MTU discovery needs",
      flows: (scope) => {
        const { family, address, isOfService } = scope.address;
        return isOfService ? errorsFrom(scope, family, address) : [];
      },
    },
  ],
  port: [
    {
      table: 'connections',
      priority: 60,
      why: 'a new connection to a Service goes to its network, which gets all further packets of it',
      flows: (scope) => {
        const { family, protocol, address, port } = scope.port;
        return sourcesOf(scope.port).map((source) => ({
          match: {
            ...toPort(protocol, family, port),
            ct_state: '+new+trk',
            ...forUplink(scope.uplink),
            ...source,
            ...to(family, address),
          },
          actions: [commit(scope.uplink, connectionMark(scope)), output(scope.network.patchPort)],
        }));
      },
    },
  ],
};
