import type { Check, FoundBridge } from './discovery.ts';

/** The bridge is none that others depend on: OVN's own, the default gateway's, the legacy egress gateway's. */
export const bridgeRole: Check<FoundBridge, object> = {
  name: 'bridge role',
  run: ({ reservedBridges }, { bridge }) => {
    const role = reservedBridges.get(bridge.name);
    if (role === undefined) return { ok: true, found: {} };
    return { ok: false, failure: { reason: 'BridgeInvalid', cause: 'reserved', bridge: bridge.name, role } };
  },
};
