import { distinct } from '../ordering.ts';
import type { Check, DiscoveryInput, FoundBridge, FoundInterface, FoundMacAddress } from './discovery.ts';

function holdersOf({ node, hostInterfaceName }: DiscoveryInput, macAddress: string) {
  const direct = node.portsWith(hostInterfaceName);
  if (direct.length > 0) return { name: hostInterfaceName, holders: direct };
  return {
    name: `a representor of ${hostInterfaceName}`,
    holders: node.representorsOf(macAddress).flatMap((device) => node.portsWith(device)),
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
