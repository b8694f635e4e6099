/**
 * ARP requests and neighbour solicitations that come to an uplink bridge.
 */
import fc from 'fast-check';
import type { BridgeInput } from '../../../domain/dataplane/pipeline/bridge-input.ts';
import { familyOf, linkLocalAddressOf } from '../../../domain/basics/addresses/ip-address.ts';
import type { Match } from '../../../domain/datapath/openflow/flow.ts';
import { anyPackets } from './any-packets.ts';
import { addressesOf, outside, tagOf } from './bridge-frames.ts';

/** ARP requests of gateway routers for neighbours of any uplink, and announcements of their own address. */
export function arpRequests(bridge: BridgeInput): fc.Arbitrary<Match> {
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
  if (requests.length === 0) return anyPackets(bridge);
  const neighbours = bridge.uplinks.flatMap((uplink) => uplink.neighbours.map(({ address }) => address));
  const ipv4 = neighbours.filter((address) => familyOf(address) === 4);
  return fc
    .record({ request: fc.constantFrom(...requests), arp_tpa: fc.constantFrom(...outside[4], ...ipv4, undefined) })
    .map(({ request, arp_tpa }) => ({ ...request, arp_tpa: arp_tpa ?? request.arp_spa }));
}

/** Neighbour solicitations of gateway routers, and others with the source address of anybody. */
export function solicitations(bridge: BridgeInput): fc.Arbitrary<Match> {
  const all = bridge.uplinks.flatMap((uplink) => {
    const own = [linkLocalAddressOf(uplink.macAddress) ?? [], uplink.addresses[6] ?? []].flat();
    return uplink.networks.flatMap(({ patchPort }) =>
      own.map((source) => ({
        source,
        frame: { in_port: patchPort, dl_src: uplink.macAddress, dl_dst: '33:33:ff:00:00:01', ...tagOf(uplink) },
      })),
    );
  });
  if (all.length === 0) return anyPackets(bridge);
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
