import { distinct } from '../basics/names/ordering.ts';
import type { Link, SwitchInterface, SwitchPort } from '../snapshot/node-snapshot.ts';
import type { Check, DiscoveryFailure, FoundBridge, FoundInterface, FoundPhysicalPort } from './discovery.ts';
import { downState } from './link-state.ts';
import { chosenPort } from './physical-port-choice.ts';
import { accessVlanOf, carries } from './port-vlans.ts';
import { notAdded } from './port-addition.ts';
import type { NodeView } from '../snapshot/node-view.ts';

/** The state in Open vSwitch counts for devices that the kernel does not have, such as those of DPDK. */
function downStateOf(device: SwitchInterface, link: Link | undefined): string | undefined {
  if (link !== undefined) return downState(link);
  return device.linkState === 'down' ? 'operationally down' : undefined;
}

function usable(
  { bridge, hostPort, link: host }: FoundInterface & FoundBridge,
  port: SwitchPort,
  node: NodeView,
): FoundPhysicalPort | DiscoveryFailure {
  const invalid = { reason: 'BridgeInvalid', bridge: bridge.name } as const;
  const [device, ...others] = port.interfaces;
  if (device === undefined) return { ...invalid, cause: 'no-physical-port' };
  if (others.length > 0) return { ...invalid, cause: 'switch-bond', port: port.name };
  if (device.name === host.name) return { ...invalid, cause: 'host-interface-is-physical' };
  const holders = node.portsWith(device.name);
  if (holders.length > 1) {
    const bridges = distinct(holders.map((holder) => holder.bridge.name));
    return { reason: 'BridgeInvalid', cause: 'name-twice', name: device.name, bridges };
  }
  const refusal = notAdded(bridge, port, device);
  if (refusal !== undefined) return refusal;
  const link = node.link(device.name);
  const state = downStateOf(device, link);
  if (state !== undefined)
    return { ...invalid, cause: 'physical-port-down', port: port.name, device: device.name, state };
  const vlan = accessVlanOf(hostPort) ?? 0;
  if (!carries(port, vlan)) return { ...invalid, cause: 'vlan-not-carried', port: port.name, vlan };
  return { physicalPort: port.name, physicalInterface: device.name, physicalMtu: link?.mtu ?? device.mtu ?? host.mtu };
}

/** The bridge has exactly one usable physical port, which carries the uplink's VLAN. */
export const physicalPort: Check<FoundInterface & FoundBridge, FoundPhysicalPort> = {
  name: 'physical port',
  run: ({ node }, found) => {
    const choice = chosenPort(found.bridge, node);
    if ('failure' in choice) return { ok: false, failure: choice.failure };
    const port = usable(found, choice.port, node);
    return 'reason' in port ? { ok: false, failure: port } : { ok: true, found: port };
  },
};
