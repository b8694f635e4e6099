/** Follows a packet of a network from the management port through the kernel and the filter, to the device that it leaves by. */
import { subnetContains } from '../../../basics/addresses/ip-address.ts';
import { linkOf, settingOf } from '../../../node-model/device.ts';
import { deviceSetting } from '../../../snapshot/device-settings.ts';
import type { FilterTable } from '../../../snapshot/datapath.ts';
import type { NodeSnapshot } from '../../../snapshot/node-snapshot.ts';
import type { Hop } from '../hop.ts';
import { type HostPart, routedByHost } from '../host.ts';
import { tooLong } from '../packet-length.ts';
import type { TracedPacket } from '../packet.ts';
import { arriving, FILTER_NAME, type FilteredPacket, filterOf, forwarded, isWayOf } from './egress-filter.ts';

/** A packet at the host, as its network sent it. */
export interface AtHost {
  /** With the address of the network on the node as its source. */
  readonly packet: TracedPacket;
  /** The management port. */
  readonly device: string;
  /** In bytes; absent for one that always fits. */
  readonly length?: number;
}

/** The address that the kernel gives to a packet: of several it is not known in IPv6 (RFC 6724), and in IPv4 it is that of the link of the next hop. */
function masqueradeText(node: NodeSnapshot, device: string, nextHop: string, family: 4 | 6): string {
  const addresses = (linkOf(node, device)?.addresses ?? []).filter(
    ({ address, scope }) => scope === 'global' && address.includes(':') === (family === 6),
  );
  const onLink = addresses.find(({ address, prefixLength }) => subnetContains(`${address}/${prefixLength}`, nextHop));
  const [only, ...others] = family === 4 && onLink !== undefined ? [onLink] : addresses;
  return only === undefined || others.length > 0 ? `an address of ${device}` : only.address;
}

/** The setting by which answers that come in by a device are not forwarded to the network, for people; empty where they are. */
function unanswered(node: NodeSnapshot, family: 4 | 6, device: string): string {
  const isOff = family === 4 && settingOf(node, [family, device, 'forwarding'], 1) === 0;
  return isOff ? `; answers to it are not forwarded: ${deviceSetting(family, device, 'forwarding')} is 0` : '';
}

/** The hop where the packet gets the address of the node, or keeps that of the network. */
function masquerade(
  node: NodeSnapshot,
  filter: FilterTable | undefined,
  packet: FilteredPacket,
  { device, nextHop }: { readonly device: string; readonly nextHop: string },
): Hop {
  if (filter === undefined || !isWayOf(filter, packet, device)) {
    const why = 'the filter does not masquerade it: nothing beyond the node answers this address';
    return { where: device, change: `leaves to ${nextHop}; keeps its source ${packet.source}`, why };
  }
  const address = masqueradeText(node, device, nextHop, packet.family);
  return {
    where: device,
    change: `leaves to ${nextHop}; source becomes ${address}`,
    why: `address of the node, by masquerading${unanswered(node, packet.family, device)}`,
    decidedBy: `${FILTER_NAME}, postrouting`,
  };
}

/** The hop of a node without the filter. */
const unfiltered: Hop = {
  where: 'nftables',
  change: 'continues, not filtered',
  why: 'the table of the filter is missing',
};

/** The hop where the filter accepts a packet. */
function acceptedFor(out: string): Hop {
  const why = `its destination is not denied, and ${out} is among the devices that networks leave by`;
  return { where: FILTER_NAME, change: 'accepted', why, decidedBy: 'forward, leaves' };
}

/** Assumptions about the filter and the chains of other programs. */
function filterAssumptions({ forwardDrops }: NodeSnapshot, filter: FilterTable | undefined): readonly string[] {
  const changed =
    filter?.isIntact === false ? [`${FILTER_NAME} decides as ovn-uplinks makes it, although it is changed`] : [];
  const others = forwardDrops.map(({ family, table, chain, isLegacy }) =>
    isLegacy === true
      ? `chain ${chain} of table ${family} ${table} of iptables-legacy, which cannot be read, accepts it`
      : `a rule accepts it in chain ${chain} of table ${family} ${table}, which drops everything else`,
  );
  return [...changed, ...others];
}

/**
 * Follows a packet of a network through the host.
 *
 * @param kindOf of a denied destination, for people
 */
export function byHost(
  node: NodeSnapshot,
  { packet, device, length }: AtHost,
  kindOf: (destination: string) => string | undefined,
): HostPart {
  const { destination } = packet;
  const link = linkOf(node, device);
  if (link === undefined)
    return { hops: [], assumptions: [], end: { kind: 'dropped', where: 'host', why: `it has no ${device}` } };
  const filter = filterOf(node);
  const filtered: FilteredPacket = { ...packet, device };
  const atOnce = filter && arriving(filter, filtered, node, kindOf);
  if (atOnce !== undefined) return { hops: [], assumptions: [], end: atOnce };
  const first: readonly Hop[] = filter === undefined ? [unfiltered] : [];
  const routed = routedByHost({ after: node }, link, packet);
  const hops = [...first, ...routed.hops];
  const { assumptions } = routed;
  if (routed.end !== undefined) return { hops, assumptions, end: routed.end };
  const { device: out = '', gateway = destination } = routed.nextHop;
  const end =
    (filter && forwarded(filter, filtered, out)) ??
    tooLong(out, linkOf(node, out)?.mtu ?? Number.POSITIVE_INFINITY, length);
  if (end !== undefined) return { hops, assumptions, end };
  const accepted = filter === undefined || !isWayOf(filter, filtered, out) ? [] : [acceptedFor(out)];
  return {
    hops: [...hops, ...accepted, masquerade(node, filter, filtered, { device: out, nextHop: gateway })],
    assumptions: [...assumptions, ...filterAssumptions(node, filter)],
    end: { kind: 'leaves', by: out },
  };
}
