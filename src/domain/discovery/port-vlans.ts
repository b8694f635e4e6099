/** VLANs at a port of a bridge (ovs-vswitchd.conf.db(5), Port, VLAN Configuration). */
import type { SwitchPort } from '../snapshot/node-snapshot.ts';

type PortVlans = Pick<SwitchPort, 'tag' | 'trunks' | 'vlanMode'>;

/** Mode of a port, which without one is an access port if it has a tag. */
export function vlanModeOf({ tag, vlanMode }: PortVlans): string {
  return vlanMode ?? (tag === undefined ? 'trunk' : 'access');
}

/** Whether a trunk carries a VLAN: without a list, all of them. */
const trunks = ({ trunks: listed = [] }: PortVlans, vlan: number) => listed.length === 0 || listed.includes(vlan);

/**
 * The VLAN whose frames come to a port without a tag and leave it without one: that of an access port, the native one of a trunk, or 0. Absent where
 * there is none.
 */
export function untaggedVlanOf(port: PortVlans): number | undefined {
  const { tag = 0 } = port;
  const mode = vlanModeOf(port);
  switch (mode) {
    case 'access':
      return tag;
    case 'native-untagged':
    case 'native-tagged':
      // A list gets the native VLAN by itself, but not VLAN 0.
      if (tag === 0) return trunks(port, 0) ? 0 : undefined;
      return mode === 'native-untagged' ? tag : undefined;
    case 'trunk':
      return trunks(port, 0) ? 0 : undefined;
    default:
      // A dot1q-tunnel port adds a tag of another EtherType (IEEE 802.1ad), which is not the VLAN of an uplink.
      return tag === 0 ? 0 : undefined;
  }
}

/**
 * The VLAN that the untagged frames of the port to the host are in: that of an access port, and the native one of a trunk. Absent where they have no tag
 * on the wire either.
 */
export function accessVlanOf(port: PortVlans): number | undefined {
  const vlan = untaggedVlanOf(port);
  return vlan === 0 ? undefined : vlan;
}

/** Whether frames of a VLAN come to a port with its tag and leave it with it; those of VLAN 0, without a tag. */
export function carries(port: PortVlans, vlan: number): boolean {
  const untagged = untaggedVlanOf(port);
  if (vlan === 0 || vlan === untagged) return vlan === 0 && untagged === 0;
  const mode = vlanModeOf(port);
  if (mode === 'native-tagged' && vlan === port.tag) return true;
  return ['trunk', 'native-tagged', 'native-untagged'].includes(mode) && trunks(port, vlan);
}
