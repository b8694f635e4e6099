import type { SwitchPort } from '../snapshot/node-snapshot.ts';

/** Modes in which a port's frames without a tag are those of its VLAN, both ways (ovs-vswitchd.conf.db(5), Port, VLAN Configuration). */
const MODES_OF_UNTAGGED: ReadonlySet<string> = new Set(['access', 'native-untagged']);

/**
 * The VLAN that the frames without a tag of the port to the host are in: that of an access port, and the native one of a trunk. Absent where they have no tag
 * on the wire either. A port with a tag and no mode is an access port.
 */
export function accessVlanOf({ tag, vlanMode = 'access' }: Pick<SwitchPort, 'tag' | 'vlanMode'>): number | undefined {
  return MODES_OF_UNTAGGED.has(vlanMode) && tag !== 0 ? tag : undefined;
}
