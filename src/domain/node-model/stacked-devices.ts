import type { Link, NodeSnapshot } from '../snapshot/node-snapshot.ts';

/** Kinds of devices that are stacked on one other device. */
const STACKED_KINDS: readonly (string | undefined)[] = ['vlan', 'macvlan', 'macvtap', 'ipvlan', 'ipvtap', 'macsec'];

/** Whether a device has the carrier of the one under it (net/core/dev.c, netif_stacked_transfer_operstate). */
export function isStacked({ kind, lowerDevice }: Link): boolean {
  return lowerDevice !== undefined && STACKED_KINDS.includes(kind);
}

/**
 * The VLAN devices on a device, on those in turn and so on, the lower ones first: they go down and up with it, also if they had been down
 * (net/8021q/vlan.c, vlan_device_event). Every other stacked device, such as a VLAN device with `loose_binding`, only loses its carrier.
 */
export function vlansOn({ links }: NodeSnapshot, device: string): readonly Link[] {
  const vlans = links.filter(({ kind, looseBinding }) => kind === 'vlan' && looseBinding !== true);
  const collect = (lower: string): readonly Link[] =>
    vlans.filter(({ lowerDevice }) => lowerDevice === lower).flatMap((vlan) => [vlan, ...collect(vlan.name)]);
  return collect(device);
}
