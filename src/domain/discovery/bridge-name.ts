import { isMappable } from '../snapshot/bridge-mappings.ts';
import type { Check, FoundBridge } from './discovery.ts';

/** The bridge's name can be used in the bridge mappings, one string that all share and that another name would break. */
export const bridgeName: Check<FoundBridge, object> = {
  name: 'bridge name',
  run: (_, { bridge }) =>
    isMappable(bridge.name)
      ? { ok: true, found: {} }
      : { ok: false, failure: { reason: 'BridgeInvalid', cause: 'unmappable-name', bridge: bridge.name } },
};
