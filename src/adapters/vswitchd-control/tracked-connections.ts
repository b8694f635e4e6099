import type { EndedConnections } from '../../domain/services/ended-connections.ts';

/** Connections in connection tracking, by what they have in common (ovs-dpctl(8), `flush-conntrack`; ovs-ofctl(8), `ct-flush`). */
export interface TrackedConnections {
  /** Their zone; any one if it is absent. */
  readonly zone?: string;
  /** Fields of their first packet before translation; empty for any. */
  readonly original: string;
  /** Fields of replies before they are translated back; absent for any. */
  readonly reply?: string;
}

/** An address to which the sources of connections are translated (ovs-actions(7), ct, nat). */
export interface TranslatedSource {
  /** The conntrack zone of the connections. */
  readonly zone: string;
  readonly address: string;
}

/** Numbers of protocols (Assigned Internet Protocol Numbers). */
const IP_PROTOCOLS = { icmp: 1, tcp: 6, udp: 17, icmpv6: 58, sctp: 132 } as const;

/** A field with an address, for its family. */
function addressField(end: 'src' | 'dst', address: string): string {
  return `${address.includes(':') ? 'ct_ipv6' : 'ct_nw'}_${end}=${address}`;
}

/** Returns the connections that an address has begun, in all zones. */
export function connectionsFrom(address: string): TrackedConnections {
  return { original: addressField('src', address) };
}

/** Returns the connections whose source is translated to an address. */
export function connectionsTranslatedTo({ zone, address }: TranslatedSource): TrackedConnections {
  return { zone, original: '', reply: addressField('dst', address) };
}

/** Returns the connections to an endpoint by an address of a Service, in all zones: no other Service has that address. */
export function connectionsToEndpoint({ protocol, service, endpoint }: EndedConnections): TrackedConnections {
  const fields = (end: 'src' | 'dst', { address, port }: EndedConnections['service']) => [
    addressField(end, address),
    `ct_nw_proto=${IP_PROTOCOLS[protocol]}`,
    ...(port === undefined ? [] : [`ct_tp_${end}=${port}`]),
  ];
  return { original: fields('dst', service).join(), reply: fields('src', endpoint).join() };
}

/** Returns connections of any protocol in parts, one for each protocol that some version of Open vSwitch can delete; none where they are of one protocol. */
export function ofEachProtocol({ zone, original, reply }: TrackedConnections): readonly TrackedConnections[] {
  const fields = reply ?? original;
  if (fields.includes('ct_nw_proto')) return [];
  const icmp = fields.startsWith('ct_ipv6') ? IP_PROTOCOLS.icmpv6 : IP_PROTOCOLS.icmp;
  const { tcp, udp, sctp } = IP_PROTOCOLS;
  return [tcp, udp, icmp, sctp].map((number) => {
    const withProtocol = `${fields},ct_nw_proto=${number}`;
    const tuples = reply === undefined ? { original: withProtocol } : { original, reply: withProtocol };
    return { ...tuples, ...(zone !== undefined && { zone }) };
  });
}

/** Returns connections as the words that both commands take. */
export function wordsOf({ zone, original, reply }: TrackedConnections): readonly string[] {
  return [...(zone === undefined ? [] : [`zone=${zone}`]), original, ...(reply === undefined ? [] : [reply])];
}
