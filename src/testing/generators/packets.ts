/**
 * Packets that come to an uplink bridge: from a network, from the host, from the wire; those that belong there, and those that do not.
 */
import fc from 'fast-check';
import type {
  BridgeInput,
  NetworkInput,
  PerFamily,
  UplinkInput,
} from '../../domain/dataplane/pipeline/bridge-input.ts';
import { linkLocalAddressOf } from '../../domain/ip-address.ts';
import { virtualMacOf } from '../../domain/dataplane/pipeline/virtual-mac.ts';
import type { Match } from '../../domain/openflow/flow.ts';

const outside = { 4: ['198.51.100.10', '192.0.2.9'], 6: ['2001:db8:99::10', '2001:db8:2::9'] } as const;

const strangers = ['02:00:00:00:00:99', 'ff:ff:ff:ff:ff:ff'] as const;

/** All ports of a bridge. */
function portsOf({ physicalPort, uplinks }: BridgeInput): readonly string[] {
  return [
    physicalPort,
    ...uplinks.flatMap(({ hostPort, networks }) => [hostPort, ...networks.map(({ patchPort }) => patchPort)]),
  ];
}

/** Addresses of a family that mean something on the bridge, and some that do not. */
function addressesOf(bridge: BridgeInput, family: 4 | 6): readonly string[] {
  const networks: readonly NetworkInput[] = bridge.uplinks.flatMap((uplink) => uplink.networks);
  return [
    ...outside[family],
    ...(bridge.uplinkAddresses[family] ?? []),
    ...(bridge.encapsulationAddresses[family] ?? []),
    ...networks
      .flatMap(({ masqueradeAddresses, advertisedSubnets }) => [
        masqueradeAddresses[family] ?? [],
        (advertisedSubnets[family] ?? []).map((subnet) => podIn(subnet, family)),
      ])
      .flat(2),
    ...(family === 4 ? ['169.254.0.2', '10.20.1.5'] : ['fd69::2', 'fd20::5']),
  ];
}

/** The address of a pod in a subnet. */
function podIn(subnet: string, family: 4 | 6): string {
  return subnet.replace(family === 4 ? '0/24' : '/64', '5');
}

function macAddressesOf({ uplinks }: BridgeInput): readonly string[] {
  return [
    ...strangers,
    ...uplinks.flatMap(({ macAddress, neighbours }: UplinkInput) => [
      macAddress,
      ...neighbours.flatMap((neighbour) => [neighbour.macAddress, virtualMacOf(neighbour.address)]),
    ]),
  ];
}

function vlansOf({ uplinks }: BridgeInput): readonly Match[] {
  return [
    {},
    { dl_vlan: '300' },
    ...uplinks.flatMap(({ vlan }) => (vlan === undefined ? [] : { dl_vlan: String(vlan) })),
  ];
}

/** What a packet carries: TCP, UDP, ICMP of a family, or ARP. */
function contents(bridge: BridgeInput): fc.Arbitrary<Match> {
  const any = (family: 4 | 6) => fc.constantFrom(...addressesOf(bridge, family));
  const port = fc.constantFrom('53', '443', '6081', '40000');
  const ip = (family: 4 | 6): fc.Arbitrary<Match> =>
    fc
      .record({
        source: any(family),
        destination: any(family),
        kind: fc.constantFrom('tcp', 'udp', 'echo', 'error', 'discovery'),
        sourcePort: port,
        destinationPort: port,
        mark: fc.constantFrom(undefined, undefined, undefined, '0x3f0'),
        type: fc.constantFrom(...(family === 4 ? ['3', '11'] : ['1', '2', '3'])),
        discovery: fc.constantFrom('133', '134', '135', '136'),
      })
      .map(({ source, destination, kind, sourcePort, destinationPort, mark, type, discovery }): Match => {
        const addresses: Match =
          family === 4 ? { nw_src: source, nw_dst: destination } : { ipv6_src: source, ipv6_dst: destination };
        const common: Match = { ...addresses, ...(mark !== undefined && { pkt_mark: mark }) };
        const icmp = (icmp_type: string): Match => ({
          ...common,
          protocol: family === 4 ? 'icmp' : 'icmp6',
          icmp_type,
        });
        switch (kind) {
          case 'tcp':
          case 'udp': {
            const protocol = family === 4 ? kind : (`${kind}6` as const);
            return { ...common, protocol, tp_src: sourcePort, tp_dst: destinationPort };
          }
          case 'error':
            return icmp(type);
          case 'discovery':
            return family === 4
              ? icmp('8')
              : { ...icmp(discovery), ...(discovery > '134' && { nd_target: destination }) };
          case 'echo':
            return icmp(family === 4 ? '8' : '128');
        }
      });
  const arp: fc.Arbitrary<Match> = fc
    .record({ arp_op: fc.constantFrom('1', '2'), arp_spa: any(4), arp_tpa: any(4) })
    .map((fields) => ({ protocol: 'arp', ...fields }));
  return fc.oneof({ weight: 3, arbitrary: ip(4) }, { weight: 3, arbitrary: ip(6) }, { weight: 1, arbitrary: arp });
}

function tagOf({ vlan }: UplinkInput): Match {
  return vlan === undefined ? {} : { dl_vlan: String(vlan) };
}

/** A frame from the wire for the host interface of an uplink. */
function fromWire({ physicalPort }: BridgeInput, uplink: UplinkInput): Match {
  return { in_port: physicalPort, dl_src: strangers[0], dl_dst: uplink.macAddress, ...tagOf(uplink) };
}

/** The frames that belong to a port: with the MAC addresses and the VLAN of its uplink. */
function ownFrames(bridge: BridgeInput): readonly Match[] {
  return bridge.uplinks.flatMap((uplink): readonly Match[] => {
    const { macAddress, hostPort, neighbours, networks } = uplink;
    const neighbour = neighbours[0];
    const dl_dst = neighbour === undefined ? strangers[0] : virtualMacOf(neighbour.address);
    return [
      fromWire(bridge, uplink),
      { ...fromWire(bridge, uplink), dl_vlan: '300' },
      { in_port: hostPort, dl_src: macAddress, dl_dst: neighbour?.macAddress ?? strangers[0] },
      ...networks.map(({ patchPort }): Match => ({ in_port: patchPort, dl_src: macAddress, dl_dst, ...tagOf(uplink) })),
    ];
  });
}

/** Packets of a bridge, in the words of ovs-ofctl(8): frames that belong to their port, and any MAC addresses and VLAN at any port. */
function packets(bridge: BridgeInput): fc.Arbitrary<Match> {
  const macAddress = fc.constantFrom(...macAddressesOf(bridge));
  const anyFrame = fc
    .record({
      in_port: fc.constantFrom(...portsOf(bridge)),
      dl_src: macAddress,
      dl_dst: macAddress,
      vlan: fc.constantFrom(...vlansOf(bridge)),
    })
    .map(({ vlan, ...frame }): Match => ({ ...frame, ...vlan }));
  const frame = fc.oneof(fc.constantFrom(...ownFrames(bridge)), anyFrame);
  return fc.record({ frame, content: contents(bridge) }).map(({ frame, content }) => ({
    ...frame,
    ...content,
    ...(content.protocol === 'arp' && frame.dl_src !== undefined && { arp_sha: frame.dl_src }),
  }));
}

/** One way in which an uplink's traffic is as it should be: who sends, from which address, into which frame. */
interface Sender {
  readonly frame: Match;
  readonly source: PerFamily<string>;
}

function senders(uplink: UplinkInput): readonly Sender[] {
  const { macAddress, hostPort, addresses, neighbours, networks } = uplink;
  const neighbour = neighbours[0];
  const virtual = neighbour === undefined ? strangers[0] : virtualMacOf(neighbour.address);
  return [
    {
      frame: { in_port: hostPort, dl_src: macAddress, dl_dst: neighbour?.macAddress ?? strangers[0] },
      source: addresses,
    },
    ...networks.map(({ patchPort, masqueradeAddresses }): Sender => ({
      frame: { in_port: patchPort, dl_src: macAddress, dl_dst: virtual, ...tagOf(uplink) },
      source: Object.fromEntries(
        Object.entries(masqueradeAddresses).filter(([family]) => addresses[family === '4' ? 4 : 6] !== undefined),
      ),
    })),
  ];
}

/** TCP, UDP and ICMP echoes of hosts, and of networks as their gateway routers send them, to the outside: with few ports, so that tuples collide; now and then in another VLAN. */
function egressPackets(bridge: BridgeInput): fc.Arbitrary<Match> {
  const all = bridge.uplinks.flatMap(senders).flatMap(({ frame, source }) =>
    ([4, 6] as const).flatMap((family) => {
      const address = source[family];
      return address === undefined ? [] : [{ frame, family, address }];
    }),
  );
  if (all.length === 0) return packets(bridge);
  return fc
    .record({
      sender: fc.constantFrom(...all),
      kind: fc.constantFrom(...kinds),
      far: fc.nat({ max: 1 }),
      port: fc.nat({ max: 1 }),
      stray: fc.constantFrom<Match[]>({}, {}, {}, {}, {}, {}, {}, { dl_vlan: '300' }),
    })
    .map(({ sender: { frame, family, address }, kind, far, port, stray }): Match => {
      const destination = outside[family][far] ?? '';
      const addresses =
        family === 4 ? { nw_src: address, nw_dst: destination } : { ipv6_src: address, ipv6_dst: destination };
      return { ...frame, ...stray, ...addresses, ...connectionOf(kind, family, String(40_000 + port), '443') };
    });
}

/** Kinds of connections: fewer of those that have no ports. */
const kinds = ['tcp', 'tcp', 'udp', 'udp', 'echo'] as const;

/** A connection's protocol and ports, or an ICMP echo request. */
function connectionOf(kind: 'tcp' | 'udp' | 'echo', family: 4 | 6, tp_src: string, tp_dst: string): Match {
  if (kind === 'echo')
    return family === 4 ? { protocol: 'icmp', icmp_type: '8' } : { protocol: 'icmp6', icmp_type: '128' };
  return { protocol: family === 4 ? kind : (`${kind}6` as const), tp_src, tp_dst };
}

/** Requests from the wire to the addresses of uplinks, and to advertised pods. */
function requestsFromWire(bridge: BridgeInput): fc.Arbitrary<Match> {
  const asked = bridge.uplinks.flatMap((uplink) =>
    ([4, 6] as const).flatMap((family) => {
      const pods = uplink.networks.flatMap(({ advertisedSubnets }) => advertisedSubnets[family] ?? []);
      const addresses = [uplink.addresses[family] ?? [], pods.map((subnet) => podIn(subnet, family))].flat();
      return addresses.map((address) => ({ frame: fromWire(bridge, uplink), family, address }));
    }),
  );
  if (asked.length === 0) return packets(bridge);
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

/** What the host forwards for others with the addresses and ports of replies to its networks. */
function forwardedPackets(bridge: BridgeInput): fc.Arbitrary<Match> {
  const uplinks = fc.constantFrom(...bridge.uplinks);
  return fc.record({ egress: egressPackets(bridge), uplink: uplinks }).map(({ egress, uplink }): Match => {
    const { dl_vlan: _tag, ...rest } = turnedRound(egress);
    return { ...rest, in_port: uplink.hostPort, dl_src: uplink.macAddress };
  });
}

/** What comes from the wire for one uplink with the addresses and ports of replies to egress of any. */
function replyPackets(bridge: BridgeInput): fc.Arbitrary<Match> {
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

/** ARP requests of gateway routers for neighbours of their uplinks, and announcements of their own address. */
function arpRequests(bridge: BridgeInput): fc.Arbitrary<Match> {
  const requests = bridge.uplinks.flatMap(({ macAddress, vlan, addresses, networks }) => {
    const address = addresses[4];
    return address === undefined
      ? []
      : networks.map(({ patchPort }): Match & { readonly arp_spa: string } => ({
          protocol: 'arp',
          in_port: patchPort,
          dl_src: macAddress,
          dl_dst: 'ff:ff:ff:ff:ff:ff',
          ...(vlan !== undefined && { dl_vlan: String(vlan) }),
          arp_op: '1',
          arp_spa: address,
          arp_sha: macAddress,
        }));
  });
  if (requests.length === 0) return packets(bridge);
  return fc
    .record({ request: fc.constantFrom(...requests), arp_tpa: fc.constantFrom(...outside[4], undefined) })
    .map(({ request, arp_tpa }) => ({ ...request, arp_tpa: arp_tpa ?? request.arp_spa }));
}

/** Neighbour solicitations of gateway routers, and others with the source address of anybody. */
function solicitations(bridge: BridgeInput): fc.Arbitrary<Match> {
  const all = bridge.uplinks.flatMap((uplink) => {
    const own = [linkLocalAddressOf(uplink.macAddress) ?? [], uplink.addresses[6] ?? []].flat();
    return uplink.networks.flatMap(({ patchPort }) =>
      own.map((source) => ({
        source,
        frame: { in_port: patchPort, dl_src: uplink.macAddress, dl_dst: '33:33:ff:00:00:01', ...tagOf(uplink) },
      })),
    );
  });
  if (all.length === 0) return packets(bridge);
  return fc
    .record({
      from: fc.constantFrom(...all),
      target: fc.constantFrom(...outside[6]),
      another: fc.option(fc.constantFrom(...addressesOf(bridge, 6)), { nil: undefined, freq: 2 }),
    })
    .map(({ from: { source, frame }, target, another }) => ({
      ...frame,
      protocol: 'icmp6',
      ipv6_src: another ?? source,
      ipv6_dst: 'ff02::1:ff00:1',
      icmp_type: '135',
      nd_target: target,
    }));
}

/** ICMP errors that gateway routers send about packets which the bridge knows nothing of: from the uplink's address, or from a masquerade one. */
function routerErrors(bridge: BridgeInput): fc.Arbitrary<Match> {
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
  if (all.length === 0) return packets(bridge);
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

/** Everything that comes to a bridge: what belongs there, egress more often than by chance, and what does not belong there. */
export function packetsTo(bridge: BridgeInput): fc.Arbitrary<Match> {
  return fc.oneof(
    { weight: 6, arbitrary: packets(bridge) },
    { weight: 6, arbitrary: egressPackets(bridge) },
    { weight: 1, arbitrary: forwardedPackets(bridge) },
    { weight: 2, arbitrary: replyPackets(bridge) },
    { weight: 2, arbitrary: requestsFromWire(bridge) },
    { weight: 1, arbitrary: arpRequests(bridge) },
    { weight: 1, arbitrary: solicitations(bridge) },
    { weight: 1, arbitrary: routerErrors(bridge) },
  );
}
