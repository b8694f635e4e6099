import type { EndedConnections } from '../../domain/services/ended-connections.ts';

/** An end of packets: their source or destination. */
interface End {
  readonly end: 'src' | 'dst';
  readonly address: string;
  readonly port?: number;
}

/** A protocol whose connections some version of Open vSwitch can delete. */
type TrackedProtocol = 'tcp' | 'udp' | 'icmp' | 'sctp';

/** Connections in connection tracking, by what they have in common: fields that are absent may have any value. */
export interface TrackedConnections {
  readonly zone?: string;
  readonly protocol?: TrackedProtocol;
  /** An end of their first packet, before it is translated. */
  readonly original?: End;
  /** An end of replies, before they are translated back. */
  readonly reply?: End;
}

/** An address to which the sources of connections are translated (ovs-actions(7), ct, nat). */
export interface TranslatedSource {
  /** The conntrack zone of the connections. */
  readonly zone: string;
  readonly address: string;
}

/** Numbers of protocols (Assigned Internet Protocol Numbers). */
const NUMBERS = { tcp: 6, udp: 17, sctp: 132 } as const;

const isIpv6 = (address: string) => address.includes(':');

function numberOf(protocol: TrackedProtocol, address: string): number {
  if (protocol === 'icmp') return isIpv6(address) ? 58 : 1;
  return NUMBERS[protocol];
}

/** Returns the connections that an address has begun, in all zones. */
export function connectionsFrom(address: string): TrackedConnections {
  return { original: { end: 'src', address } };
}

/** Returns the connections whose source is translated to an address. */
export function connectionsTranslatedTo({ zone, address }: TranslatedSource): TrackedConnections {
  return { zone, reply: { end: 'dst', address } };
}

/** Returns the connections by an address of a Service: in all zones those to an endpoint, as no other Service leads there by that address. */
export function connectionsToService({ protocol, service, endpoint, zone }: EndedConnections): TrackedConnections {
  return {
    ...(zone !== undefined && { zone: String(zone) }),
    protocol,
    original: { end: 'dst', ...service },
    ...(endpoint && { reply: { end: 'src', ...endpoint } }),
  };
}

/** Returns connections of any protocol in parts, one for each protocol that some version of Open vSwitch can delete; none where they are of one protocol. */
export function ofEachProtocol(connections: TrackedConnections): readonly TrackedConnections[] {
  if (connections.protocol !== undefined) return [];
  return (['tcp', 'udp', 'icmp', 'sctp'] as const).map((protocol) => ({ ...connections, protocol }));
}

function tupleOf({ end, address, port }: End, protocol: TrackedProtocol | undefined): string {
  const fields = [
    `${isIpv6(address) ? 'ct_ipv6' : 'ct_nw'}_${end}=${address}`,
    ...(protocol === undefined ? [] : [`ct_nw_proto=${numberOf(protocol, address)}`]),
    ...(port === undefined ? [] : [`ct_tp_${end}=${port}`]),
  ];
  return fields.join();
}

/** Returns connections as the words that both commands take: zone, tuple of the first packet, tuple of replies (ovs-dpctl(8), `flush-conntrack`; ovs-ofctl(8), `ct-flush`). */
export function wordsOf({ zone, protocol, original, reply }: TrackedConnections): readonly string[] {
  return [
    ...(zone === undefined ? [] : [`zone=${zone}`]),
    original === undefined ? '' : tupleOf(original, protocol),
    ...(reply === undefined ? [] : [tupleOf(reply, protocol)]),
  ];
}
