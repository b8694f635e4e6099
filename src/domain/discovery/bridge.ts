import { distinct } from '../ordering.ts';
import type { Bridge, NodeSnapshot, SwitchPort } from '../snapshot/node-snapshot.ts';
import type { Check, DiscoveryInput, FoundBridge, FoundInterface, FoundMacAddress } from './discovery.ts';

/** Devlink flavours of ports that stand for a function of the host (devlink-port(8)). */
const representorFlavours: ReadonlySet<string> = new Set(['pcipf', 'pcivf', 'pcisf']);

/** The names of a node's representors: ends of the wire to a function, never a way out. */
export function representorsOf(node: NodeSnapshot): ReadonlySet<string> {
  return new Set(
    node.devlinkPorts.filter(({ flavour }) => representorFlavours.has(flavour)).map(({ device }) => device),
  );
}

/** The bridge ports that hold an interface of the name; more than one where Open vSwitch has two rows for it. */
export function portsWith(name: string, node: NodeSnapshot): readonly { bridge: Bridge; port: SwitchPort }[] {
  return node.bridges.flatMap((bridge) =>
    bridge.ports
      .filter(({ interfaces }) => interfaces.some((candidate) => candidate.name === name))
      .map((port) => ({ bridge, port })),
  );
}

function representorsWithMac(macAddress: string, node: NodeSnapshot): readonly string[] {
  return node.devlinkPorts
    .filter(
      ({ flavour, functionMacAddress }) =>
        representorFlavours.has(flavour) && functionMacAddress?.toLowerCase() === macAddress,
    )
    .map(({ device }) => device);
}

function holdersOf({ node, hostInterfaceName }: DiscoveryInput, macAddress: string) {
  const direct = portsWith(hostInterfaceName, node);
  if (direct.length > 0) return { name: hostInterfaceName, holders: direct };
  return {
    name: `a representor of ${hostInterfaceName}`,
    holders: representorsWithMac(macAddress, node).flatMap((device) => portsWith(device, node)),
  };
}

/** The interface is a bridge's LOCAL port or another port of one, or (SmartNIC) its representor is a port of one. */
export const bridge: Check<FoundInterface & FoundMacAddress, FoundBridge> = {
  name: 'bridge',
  run: (input, { macAddress }) => {
    const { name, holders } = holdersOf(input, macAddress);
    const [holder, ...others] = holders;
    if (holder === undefined) return { ok: false, failure: { reason: 'BridgeNotFound' } };
    if (others.length > 0) {
      const bridges = distinct(holders.map((candidate) => candidate.bridge.name));
      return { ok: false, failure: { reason: 'BridgeInvalid', cause: 'name-twice', name, bridges } };
    }
    return { ok: true, found: { bridge: holder.bridge, hostPort: holder.port } };
  },
};
