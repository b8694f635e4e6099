import type { Check, FoundBridge } from './discovery.ts';

/** The bridge is not reserved: OVN's integration bridge, the default gateway bridge, the legacy egress gateway bridge. */
export const bridgeRole: Check<FoundBridge, object> = {
  name: 'bridge role',
  run: ({ reservedBridges }, { bridge }) => {
    const role = reservedBridges.get(bridge.name);
    if (role === undefined) return { ok: true, found: {} };
    return { ok: false, failure: { reason: 'BridgeInvalid', cause: 'reserved', bridge: bridge.name, role } };
  },
};
