/**
 * Packets of all kinds at all ports of an uplink bridge.
 */
import fc from 'fast-check';
import type { BridgeInput, UplinkInput } from '../../../domain/dataplane/pipeline/bridge-input.ts';
import { virtualMacOf } from '../../../domain/dataplane/pipeline/virtual-mac.ts';
import type { Match } from '../../../domain/datapath/openflow/flow.ts';
import { addressesOf, fromWire, otherMacAddresses, tagOf } from './bridge-frames.ts';

/** All ports of a bridge. */
function portsOf({ physicalPort, uplinks }: BridgeInput): readonly string[] {
  return [
    physicalPort,
    ...uplinks.flatMap(({ hostPort, networks }) => [hostPort, ...networks.map(({ patchPort }) => patchPort)]),
  ];
}

function macAddressesOf({ uplinks }: BridgeInput): readonly string[] {
  return [
    ...otherMacAddresses,
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

/** The payload of a packet: TCP, UDP, ICMP of a family, or ARP. */
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

/** The frames that belong to a port: with the MAC addresses and the VLAN of its uplink. */
function ownFrames(bridge: BridgeInput): readonly Match[] {
  return bridge.uplinks.flatMap((uplink): readonly Match[] => {
    const { macAddress, hostPort, neighbours, networks } = uplink;
    const neighbour = neighbours[0];
    const dl_dst = neighbour === undefined ? otherMacAddresses[0] : virtualMacOf(neighbour.address);
    return [
      fromWire(bridge, uplink),
      { ...fromWire(bridge, uplink), dl_vlan: '300' },
      { in_port: hostPort, dl_src: macAddress, dl_dst: neighbour?.macAddress ?? otherMacAddresses[0] },
      ...networks.map(({ patchPort }): Match => ({ in_port: patchPort, dl_src: macAddress, dl_dst, ...tagOf(uplink) })),
    ];
  });
}

/** Packets of a bridge, in the words of ovs-ofctl(8): frames that belong to their port, and any MAC addresses and VLAN at any port. */
export function anyPackets(bridge: BridgeInput): fc.Arbitrary<Match> {
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
