import type { Check, FoundBridge } from './discovery.ts';
import { untaggedVlanOf, vlanModeOf } from './port-vlans.ts';

/** The port to the host has a VLAN of which the interface sends and gets untagged frames. */
export const hostVlan: Check<FoundBridge, object> = {
  name: 'host VLAN',
  run: (_, { bridge, hostPort }) =>
    untaggedVlanOf(hostPort) !== undefined
      ? { ok: true, found: {} }
      : {
          ok: false,
          failure: {
            reason: 'BridgeInvalid',
            cause: 'no-untagged-frames',
            bridge: bridge.name,
            port: hostPort.name,
            // With native VLAN 0 it is a trunk like any other.
            mode: (hostPort.tag ?? 0) === 0 ? 'trunk' : vlanModeOf(hostPort),
          },
        },
};
