import type { SwitchPort } from '../snapshot/node-snapshot.ts';

/**
 * The access VLAN of the port to the host; absent without a tag, and for a trunk
 * (ovs-vswitchd.conf.db(5), Port, VLAN Configuration: a port with a tag and no mode is an access port).
 */
export function accessVlanOf({ tag, vlanMode }: SwitchPort): number | undefined {
  const isAccess = vlanMode === undefined || vlanMode === 'access';
  return isAccess && tag !== undefined && tag !== 0 ? tag : undefined;
}
