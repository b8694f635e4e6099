/**
 * Packets of connections over an uplink bridge: from hosts and networks, from the wire, replies, forwarded ones and errors.
 */
import fc from 'fast-check';
import { GENEVE_PORT } from '../../../domain/basics/conventions.ts';
import type { BridgeInput } from '../../../domain/dataplane/pipeline/bridge-input.ts';
import type { Match } from '../../../domain/datapath/openflow/flow.ts';
import { anyPackets } from './any-packets.ts';
import { fromWire, outside, podIn, senders } from './bridge-frames.ts';

/**
 * TCP, UDP and ICMP echoes of hosts, and of networks as their gateway routers send them, to the outside: with few ports, so that tuples collide, and that of
 * tunnels among them; now and then in another VLAN.
 */
export function egressPackets(bridge: BridgeInput): fc.Arbitrary<Match> {
  const all = bridge.uplinks.flatMap(senders).flatMap(({ frame, source }) =>
    ([4, 6] as const).flatMap((family) => {
      const address = source[family];
      return address === undefined ? [] : [{ frame, family, address }];
    }),
  );
  if (all.length === 0) return anyPackets(bridge);
  return fc
    .record({
      sender: fc.constantFrom(...all),
      kind: fc.constantFrom(...kinds),
      far: fc.nat({ max: 1 }),
      port: fc.nat({ max: 1 }),
      service: fc.constantFrom('443', '443', '443', String(GENEVE_PORT)),
      stray: fc.constantFrom<Match[]>({}, {}, {}, {}, {}, {}, {}, { dl_vlan: '300' }),
    })
    .map(({ sender: { frame, family, address }, kind, far, port, service, stray }): Match => {
      const destination = outside[family][far] ?? '';
      const addresses =
        family === 4 ? { nw_src: address, nw_dst: destination } : { ipv6_src: address, ipv6_dst: destination };
      return { ...frame, ...stray, ...addresses, ...connectionOf(kind, family, String(40_000 + port), service) };
    });
}

/** Kinds of connections: fewer of those that have no ports. */
const kinds = ['tcp', 'tcp', 'tcp', 'udp', 'udp', 'echo', 'echo'] as const;

/** A connection's protocol and ports, or an ICMP echo request. */
function connectionOf(kind: 'tcp' | 'udp' | 'echo', family: 4 | 6, tp_src: string, tp_dst: string): Match {
  if (kind === 'echo')
    return family === 4 ? { protocol: 'icmp', icmp_type: '8' } : { protocol: 'icmp6', icmp_type: '128' };
  return { protocol: family === 4 ? kind : (`${kind}6` as const), tp_src, tp_dst };
}

/** Requests from the wire to the addresses of uplinks, and to advertised pods. */
export function requestsFromWire(bridge: BridgeInput): fc.Arbitrary<Match> {
  const asked = bridge.uplinks.flatMap((uplink) =>
    ([4, 6] as const).flatMap((family) => {
      const pods = uplink.networks.flatMap(({ advertisedSubnets }) => advertisedSubnets[family] ?? []);
      const addresses = [uplink.addresses[family] ?? [], pods.map((subnet) => podIn(subnet, family))].flat();
      return addresses.map((address) => ({ frame: fromWire(bridge, uplink), family, address }));
    }),
  );
  if (asked.length === 0) return anyPackets(bridge);
  return fc
    .record({
      asked: fc.constantFrom(...asked),
      kind: fc.constantFrom(...kinds),
      far: fc.nat({ max: 1 }),
      port: fc.nat({ max: 1 }),
    })
    .map(({ asked: { frame, family, address }, kind, far, port }): Match => {
      const source = outside[family][far] ?? '';
      const addresses = family === 4 ? { nw_src: source, nw_dst: address } : { ipv6_src: source, ipv6_dst: address };
      return { ...frame, ...addresses, ...connectionOf(kind, family, '443', String(40_000 + port)) };
    });
}

/** A packet with addresses and ports the other way round. */
function turnedRound(packet: Match): Match {
  const { nw_src, nw_dst, ipv6_src, ipv6_dst, tp_src, tp_dst } = packet;
  return {
    ...packet,
    ...(nw_src !== undefined && nw_dst !== undefined && { nw_src: nw_dst, nw_dst: nw_src }),
    ...(ipv6_src !== undefined && ipv6_dst !== undefined && { ipv6_src: ipv6_dst, ipv6_dst: ipv6_src }),
    ...(tp_src !== undefined && tp_dst !== undefined && { tp_src: tp_dst, tp_dst: tp_src }),
  };
}

/** Packets that the host forwards for others with the addresses and ports of replies to its networks. */
export function forwardedPackets(bridge: BridgeInput): fc.Arbitrary<Match> {
  const uplinks = fc.constantFrom(...bridge.uplinks);
  return fc.record({ egress: egressPackets(bridge), uplink: uplinks }).map(({ egress, uplink }): Match => {
    const { dl_vlan: _tag, ...rest } = turnedRound(egress);
    return { ...rest, in_port: uplink.hostPort, dl_src: uplink.macAddress };
  });
}

/** Packets from the wire for one uplink with the addresses and ports of replies to egress of any. */
export function replyPackets(bridge: BridgeInput): fc.Arbitrary<Match> {
  const uplinks = fc.constantFrom(...bridge.uplinks);
  return fc.record({ egress: egressPackets(bridge), uplink: uplinks, of: uplinks }).map(({ egress, uplink, of }) => {
    const { dl_vlan: _tag, ...rest } = turnedRound(egress);
    const [nw_dst, ipv6_dst] = [of.addresses[4], of.addresses[6]];
    return {
      ...rest,
      ...fromWire(bridge, uplink),
      ...(rest.nw_dst !== undefined && nw_dst !== undefined && { nw_dst }),
      ...(rest.ipv6_dst !== undefined && ipv6_dst !== undefined && { ipv6_dst }),
    };
  });
}

/** ICMP errors that gateway routers send about packets which the bridge knows nothing of: from the uplink's address, or from a masquerade one. */
export function routerErrors(bridge: BridgeInput): fc.Arbitrary<Match> {
  const all = bridge.uplinks.flatMap((uplink) =>
    senders(uplink)
      .filter(({ frame }) => frame.in_port !== uplink.hostPort)
      .flatMap(({ frame, source }) =>
        ([4, 6] as const).flatMap((family) => {
          const addresses = [source[family], uplink.addresses[family]];
          return addresses.flatMap((address) => (address === undefined ? [] : [{ frame, family, address }]));
        }),
      ),
  );
  if (all.length === 0) return anyPackets(bridge);
  return fc
    .record({ error: fc.constantFrom(...all), far: fc.nat({ max: 1 }), isEgressIp: fc.boolean() })
    .map(({ error: { frame, family, address }, far, isEgressIp }): Match => {
      const destination = outside[family][far] ?? '';
      return {
        ...frame,
        protocol: family === 4 ? 'icmp' : 'icmp6',
        ...(family === 4 ? { nw_src: address, nw_dst: destination } : { ipv6_src: address, ipv6_dst: destination }),
        icmp_type: family === 4 ? '3' : '1',
        ...(isEgressIp && { pkt_mark: '0x3f0' }),
      };
    });
}
