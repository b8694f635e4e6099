import { BRIDGE_UPLINK_KEY } from '../conventions.ts';
import { distinct } from '../ordering.ts';
import type { Bridge, Link, SwitchInterface, SwitchPort } from '../snapshot/node-snapshot.ts';
import type { Check, DiscoveryFailure, FoundBridge, FoundInterface, FoundPhysicalPort } from './discovery.ts';
import { downState } from './link-state.ts';
import { accessVlanOf, carries } from './port-vlans.ts';
import type { NodeView } from '../snapshot/node-view.ts';

/** Interface types that are not physical: OVN's patches, tunnels, and ports that Open vSwitch gives to the host. */
const virtualTypes: ReadonlySet<string> = new Set([
  'internal',
  'patch',
  'bareudp',
  'erspan',
  'geneve',
  'gre',
  'gtpu',
  'ip6erspan',
  'ip6gre',
  'lisp',
  'srv6',
  'stt',
  'vxlan',
]);

/** Keys of the ports that ovn-controller creates (ovn-controller(8)). */
const ovnPortKeys = [
  'ovn-localnet-port',
  'ovn-l2gateway-port',
  'ovn-l3gateway-port',
  'ovn-logical-patch-port',
  'ovn-chassis-id',
];

function isPhysical({ name: bridgeName }: Bridge, port: SwitchPort, node: NodeView): boolean {
  if (port.name === bridgeName) return false;
  if (ovnPortKeys.some((key) => Object.hasOwn(port.externalIds, key))) return false;
  return !port.interfaces.some(({ name, type }) => virtualTypes.has(type) || node.isRepresentor(name));
}

type Choice = { readonly port: SwitchPort } | { readonly failure: DiscoveryFailure };

function chosenPort(bridge: Bridge, physical: readonly SwitchPort[]): Choice {
  const invalid = { reason: 'BridgeInvalid', bridge: bridge.name } as const;
  const named = bridge.externalIds[BRIDGE_UPLINK_KEY];
  if (named !== undefined) {
    const port = physical.find(({ name }) => name === named);
    if (port !== undefined) return { port };
    const why = bridge.ports.some(({ name }) => name === named) ? 'not-physical' : 'absent';
    return { failure: { ...invalid, cause: 'named-port-unusable', port: named, why } };
  }
  const [only, ...others] = physical;
  if (only === undefined) return { failure: { ...invalid, cause: 'no-physical-port' } };
  if (others.length === 0) return { port: only };
  return {
    failure: { ...invalid, cause: 'several-physical-ports', ports: distinct(physical.map(({ name }) => name)) },
  };
}

/** The state in Open vSwitch counts for devices that the kernel does not have, such as those of DPDK. */
function downStateOf(device: SwitchInterface, link: Link | undefined): string | undefined {
  if (link !== undefined) return downState(link);
  if (device.openFlowPort === undefined || device.openFlowPort < 0) return 'not there';
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
  const link = node.link(device.name);
  const state = downStateOf(device, link);
  if (state !== undefined) return { ...invalid, cause: 'physical-port-down', port: port.name, state };
  const vlan = accessVlanOf(hostPort) ?? 0;
  if (!carries(port, vlan)) return { ...invalid, cause: 'vlan-not-carried', port: port.name, vlan };
  return { physicalPort: port.name, physicalInterface: device.name, physicalMtu: link?.mtu ?? device.mtu ?? host.mtu };
}

/** The bridge has exactly one usable physical port, which carries the uplink's VLAN. */
export const physicalPort: Check<FoundInterface & FoundBridge, FoundPhysicalPort> = {
  name: 'physical port',
  run: ({ node }, found) => {
    const { bridge } = found;
    const choice = chosenPort(
      bridge,
      bridge.ports.filter((port) => isPhysical(bridge, port, node)),
    );
    if ('failure' in choice) return { ok: false, failure: choice.failure };
    const port = usable(found, choice.port, node);
    return 'reason' in port ? { ok: false, failure: port } : { ok: true, found: port };
  },
};
