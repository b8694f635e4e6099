import { distinct } from '../basics/names/ordering.ts';
import type { Check, FoundBridge, FoundInterface, FoundMacAddress } from './discovery.ts';

/** The interface is a bridge's LOCAL port or another port of one, or (SmartNIC) its representor is a port of one. */
export const bridge: Check<FoundInterface & FoundMacAddress, FoundBridge> = {
  name: 'bridge',
  run: ({ node, hostInterfaceName }, { macAddress }) => {
    const holders = node.hostPortsOf(hostInterfaceName, macAddress);
    const [holder] = holders;
    if (holder === undefined) return { ok: false, failure: { reason: 'BridgeNotFound' } };
    if (holders.length === 1) {
      const { bridge: found, port, interfaceName } = holder;
      return { ok: true, found: { bridge: found, hostPort: port, hostPortInterface: interfaceName } };
    }
    const names = distinct(holders.map(({ interfaceName }) => interfaceName));
    const bridges = distinct(holders.map((candidate) => candidate.bridge.name));
    const failure =
      names.length > 1
        ? ({ reason: 'BridgeInvalid', cause: 'several-representors', representors: names } as const)
        : ({ reason: 'BridgeInvalid', cause: 'name-twice', name: holder.interfaceName, bridges } as const);
    return { ok: false, failure };
  },
};
