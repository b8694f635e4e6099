/**
 * Devices of a node that put each packet into another one, which the node sends by a route of its own.
 */
import type { NodeView } from './node-view.ts';

/** Kinds of tunnels (ip-link(8), TYPE), with those of VPN clients: `tun` (tun(4)), `wireguard` (wg(8)), `ovpn`, and `ovpn-dco` of the module that Linux 6.16 replaced. */
const TUNNEL_KINDS: ReadonlySet<string | undefined> = new Set([
  ...['amt', 'bareudp', 'erspan', 'geneve', 'gre', 'gretap', 'gtp', 'ipip', 'sit', 'vti', 'vxlan', 'xfrm'],
  ...['ip6erspan', 'ip6gre', 'ip6gretap', 'ip6tnl', 'vti6'],
  ...['tun', 'wireguard', 'ovpn', 'ovpn-dco'],
]);

/**
 * Whether a device is a tunnel. A port of Open vSwitch is none: a bridge in user space has its ports as devices of kind `tun` (ovs-vswitchd(8),
 * datapath type `netdev`).
 */
export function isTunnel(device: string, node: NodeView): boolean {
  return TUNNEL_KINDS.has(node.link(device)?.kind) && node.portsWith(device).length === 0;
}
