import { isMappable } from '../snapshot/bridge-mappings.ts';
import type { Check, FoundBridge } from './discovery.ts';

/** The bridge's name can stand in the bridge mappings, one string of everybody's, which it would break for all otherwise. */
export const bridgeName: Check<FoundBridge, object> = {
  name: 'bridge name',
  run: (_, { bridge }) =>
    isMappable(bridge.name)
      ? { ok: true, found: {} }
      : { ok: false, failure: { reason: 'BridgeInvalid', cause: 'unmappable-name', bridge: bridge.name } },
};
