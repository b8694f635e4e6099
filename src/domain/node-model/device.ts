/**
 * Properties that follow from a device's place on the node: its VRF, its settings, whether packets can pass.
 */
import { deviceSetting } from '../snapshot/device-settings.ts';
import type { Link, NodeSnapshot } from '../snapshot/node-snapshot.ts';

/** Table of the node's own addresses outside of VRFs (rtnetlink.h, RT_TABLE_LOCAL). */
export const LOCAL_TABLE = 255;

/** Name of the loopback device. */
export const LOOPBACK = 'lo';

/** The device of a name; absent where there is none. */
export function linkOf(node: NodeSnapshot, name: string): Link | undefined {
  return node.links.find((link) => link.name === name);
}

/** The node with one device changed. */
export function withLink(node: NodeSnapshot, name: string, change: (link: Link) => Link): NodeSnapshot {
  return { ...node, links: node.links.map((link) => (link.name === name ? change(link) : link)) };
}

/** Whether a device is a VRF device. */
export function isVrf(link: Link): boolean {
  return link.kind === 'vrf';
}

/**
 * The VRF device whose table a device's own routes are in: the device itself, or its master; absent for every other device, also for one
 * that is a port of a bridge in a VRF (net/l3mdev/l3mdev.c, l3mdev_fib_table_rcu).
 */
export function vrfOf(node: NodeSnapshot, link: Link): Link | undefined {
  if (isVrf(link)) return link;
  const master = link.master === undefined ? undefined : linkOf(node, link.master);
  return master !== undefined && isVrf(master) ? master : undefined;
}

/** The table of that VRF. */
export function vrfTableOf(node: NodeSnapshot, link: Link): number | undefined {
  return vrfOf(node, link)?.vrfTable;
}

/** A setting of one device as a number; the given value where the snapshot does not have it. */
export function settingOf(
  node: NodeSnapshot,
  [family, device, setting]: readonly [4 | 6, string, string],
  otherwise: number,
): number {
  const value = node.sysctls[deviceSetting(family, device, setting)];
  return value === undefined ? otherwise : Number(value);
}

/** Whether a device that is up is ready: it has a carrier, or its state is unknown (include/linux/netdevice.h, netif_oper_up). */
export function hasCarrier({ operationalState }: Pick<Link, 'operationalState'>): boolean {
  return operationalState === 'up' || operationalState === 'unknown';
}
