import type { Bridge, SwitchInterface, SwitchPort } from '../snapshot/node-snapshot.ts';
import type { DiscoveryFailure } from './discovery.ts';

/**
 * Says why no packet passes an interface of a port: Open vSwitch has not added it to the bridge, whatever the kernel says of the device
 * (ovs-vswitchd.conf.db(5), Interface, `ofport`, `error`). Undefined where it has.
 */
export function notAdded(
  { name: bridge }: Bridge,
  { name: port }: SwitchPort,
  { openFlowPort, error }: SwitchInterface,
): DiscoveryFailure | undefined {
  if (openFlowPort !== undefined && error === undefined) return undefined;
  return { reason: 'BridgeInvalid', cause: 'port-not-added', bridge, port, ...(error !== undefined && { error }) };
}
