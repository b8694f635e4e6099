import { distinct } from '../ordering.ts';
import type { Check, DiscoveryInput, FoundBridge, FoundInterface, FoundMacAddress } from './discovery.ts';
import type { PortOnBridge } from '../snapshot/node-view.ts';

/** The ports of a function's representors, where the interface itself is on no bridge. */
function representorPorts(
  { node }: DiscoveryInput,
  macAddress: string,
): readonly (PortOnBridge & { readonly name: string })[] {
  return node.representorsOf(macAddress).flatMap((name) => node.portsWith(name).map((port) => ({ name, ...port })));
}

/** The interface is a bridge's LOCAL port or another port of one, or (SmartNIC) its representor is a port of one. */
export const bridge: Check<FoundInterface & FoundMacAddress, FoundBridge> = {
  name: 'bridge',
  run: (input, { macAddress }) => {
    const own = input.node
      .portsWith(input.hostInterfaceName)
      .map((port) => ({ name: input.hostInterfaceName, ...port }));
    const holders = own.length > 0 ? own : representorPorts(input, macAddress);
    const [holder] = holders;
    if (holder === undefined) return { ok: false, failure: { reason: 'BridgeNotFound' } };
    if (holders.length === 1) return { ok: true, found: { bridge: holder.bridge, hostPort: holder.port } };
    const names = distinct(holders.map(({ name }) => name));
    const bridges = distinct(holders.map((candidate) => candidate.bridge.name));
    const failure =
      names.length > 1
        ? ({ reason: 'BridgeInvalid', cause: 'several-representors', representors: names } as const)
        : ({ reason: 'BridgeInvalid', cause: 'name-twice', name: holder.name, bridges } as const);
    return { ok: false, failure };
  },
};
