/**
 * Follows a packet that the host sends or receives: the rule and the route that decide, and where the packet goes.
 */
import { TCP_IN_VRFS_SETTING } from '../../basics/conventions.ts';
import { LOOPBACK, settingOf, vrfOf } from '../../node-model/device.ts';
import type { Link, NextHop, NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import { viewNode } from '../../snapshot/node-view.ts';
import type { Hop, TraceVerdict } from './hop.ts';
import { hostRoute, type Routed, decidingRouteText, decidingRuleText, type Unrouted } from './host-routes.ts';
import type { TracedPacket } from './packet.ts';
import { tooLong } from './packet-length.ts';
import type { TracedNode } from './traced-node.ts';

/** The node whose host receives a packet, as its plan leaves it. */
type HostNode = Pick<TracedNode, 'after'>;

/** The hops of a packet on the host, what was assumed, and where it ended. */
export interface HostPart {
  readonly hops: readonly Hop[];
  readonly assumptions: readonly string[];
  readonly end: TraceVerdict;
}

/** A packet that the host sends: out of a device to a next hop, unless it ends on the host. */
export type SentByHost =
  HostPart | (Omit<HostPart, 'end'> & { readonly end?: undefined; readonly device: string; readonly nextHop: string });

/** The name of the host in hops: with the VRF whose table may decide. */
function hostName(vrf: Link | undefined): string {
  return vrf === undefined ? 'host' : `host, VRF ${vrf.name}`;
}

interface Lookup {
  readonly route: Routed | Unrouted;
  readonly assumptions: readonly string[];
}

/** Names in ip's output of protocols that have others here. */
const PROTOCOLS: Readonly<Partial<Record<TracedPacket['protocol'], string>>> = { icmp6: 'ipv6-icmp' };

/** @param inputDevice absent for a packet that the host sends, by whatever user */
function lookUp(
  { after }: HostNode,
  { family, source, destination, protocol, ports }: TracedPacket,
  mark: number,
  vrf: Link | undefined,
  inputDevice?: string,
): Lookup {
  const { route, undecided } = hostRoute(after, {
    ...{ family, source, destination, mark, protocol: PROTOCOLS[protocol] ?? protocol },
    inputDevice: inputDevice ?? LOOPBACK,
    userId: inputDevice === undefined ? 'unknown' : 0,
    ...(ports && { ports }),
    ...(vrf?.vrfTable !== undefined && { vrf: { name: vrf.name, table: vrf.vrfTable } }),
  });
  return { route, assumptions: undecided.map((rule) => `${rule} does not match the packet`) };
}

function unrouted(route: Unrouted, vrf: Link | undefined): TraceVerdict {
  const where = hostName(vrf);
  if (route.kind === 'none') return { kind: 'dropped', where, why: 'no route' };
  const rule = decidingRuleText(route.rule, vrf?.name);
  return { kind: 'dropped', where, why: `refused by ${rule}, without a usable route` };
}

/**
 * Routes a packet that the host sends.
 *
 * @param device that has the source address
 * @param length of the packet, in bytes; absent for one that fits
 */
export function sentByHost(
  node: TracedNode,
  device: Link,
  packet: TracedPacket,
  mark: number,
  length: number | undefined,
): SentByHost {
  const { after } = node;
  const vrf = vrfOf(after, device);
  const { route, assumptions } = lookUp(node, packet, mark, vrf);
  if (route.kind !== 'route') return { hops: [], assumptions, end: unrouted(route, vrf) };
  const decidedBy = decidingRouteText(route.route);
  const hop = { where: hostName(vrf), why: decidingRuleText(route.rule, vrf?.name), decidedBy };
  if (route.route.type === 'local') {
    const end: TraceVerdict = { kind: 'arrives', at: 'the host itself' };
    return { hops: [{ ...hop, change: 'delivered on the host itself' }], assumptions, end };
  }
  const { device: out = '', gateway } = route.hop;
  const { nextHops, metrics } = route.route;
  const share = nextHops.length > 1 ? ` (here ${gateway ?? out})` : '';
  const hops = [{ ...hop, change: `${decidedBy}${share}` }];
  const mtu = Number(metrics?.['mtu'] ?? viewNode(after).link(out)?.mtu ?? Number.POSITIVE_INFINITY);
  const end = tooLong(out, mtu, length);
  if (end !== undefined) return { hops, assumptions, end };
  return { hops, assumptions, device: out, nextHop: gateway ?? packet.destination };
}

/** A packet that the host receives: it is forwarded to a next hop, unless it ends on the host. */
export type RoutedByHost = HostPart | (Omit<HostPart, 'end'> & { readonly end?: undefined; readonly nextHop: NextHop });

/**
 * Whether the kernel forwards packets that it receives by a device: in IPv6 the setting of all devices decides, or since Linux 6.17 one of the device
 * (net/ipv6/ip6_output.c, ip6_forward; Documentation/networking/ip-sysctl.rst, force_forwarding).
 */
function isForwarding(node: NodeSnapshot, family: 4 | 6, device: string): boolean {
  if (family === 4) return settingOf(node, [4, device, 'forwarding'], 0) !== 0;
  return (
    settingOf(node, [6, 'all', 'forwarding'], 0) !== 0 || settingOf(node, [6, device, 'force_forwarding'], 0) !== 0
  );
}

/** Routes a packet that the host receives by a device. */
export function routedByHost(node: HostNode, link: Link, packet: TracedPacket): RoutedByHost {
  const { after } = node;
  const device = link.name;
  const vrf = vrfOf(after, link);
  const { route, assumptions } = lookUp(node, packet, 0, vrf, device);
  if (route.kind !== 'route') return { hops: [], assumptions, end: unrouted(route, vrf) };
  const hop = {
    where: hostName(vrf),
    why: decidingRuleText(route.rule, vrf?.name),
    decidedBy: decidingRouteText(route.route),
  };
  if (route.route.type === 'local') {
    const isBound = vrf !== undefined && packet.protocol === 'tcp' && after.sysctls[TCP_IN_VRFS_SETTING] === '0';
    return {
      hops: [{ ...hop, change: 'delivered' }],
      assumptions: isBound
        ? [...assumptions, `its socket is bound to VRF ${vrf.name}, as ${TCP_IN_VRFS_SETTING} is 0`]
        : assumptions,
      end: { kind: 'arrives', at: vrf === undefined ? 'the host' : `the host in VRF ${vrf.name}` },
    };
  }
  if (!isForwarding(after, packet.family, device)) {
    const why = `${packet.destination} is not an address of the host, which does not forward packets from ${device}`;
    return { hops: [], assumptions, end: { kind: 'dropped', where: hop.where, why } };
  }
  const change = `forwarded by ${route.hop.device ?? ''}`;
  return { hops: [{ ...hop, change }], assumptions, nextHop: route.hop };
}

/** Delivers, forwards or drops a packet that the host receives by a device. */
export function receivedByHost(node: HostNode, link: Link, packet: TracedPacket): HostPart {
  const routed = routedByHost(node, link, packet);
  if (routed.end !== undefined) return routed;
  const { hops, assumptions, nextHop } = routed;
  return {
    hops: hops.map((hop) => ({ ...hop, change: `${hop.change}, not followed further` })),
    assumptions,
    end: { kind: 'leaves', by: nextHop.device ?? '' },
  };
}
