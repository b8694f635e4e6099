import fc from 'fast-check';
import type { UplinkState } from '../../domain/api/uplink-state.ts';
import { uplinkStateName } from '../../domain/status/state-identity.ts';
import { interfaceNames, networkNames, nodeNames, someOf, uplinkNames } from './names.ts';

/** A state as a node may have left it: ready or flapping, of this interface or of a former one, with or without its networks. */
export function uplinkState([uplinkName, nodeName]: readonly [string, string]): fc.Arbitrary<UplinkState> {
  return fc
    .record({
      hostInterfaceName: fc.constantFrom(...interfaceNames),
      ready: fc.boolean(),
      networks: someOf(networkNames),
      identified: fc.boolean(),
    })
    .map(({ hostInterfaceName, ready, networks, identified }) => ({
      apiVersion: 'k8s.ovn.org/v1alpha1',
      kind: 'UplinkState',
      metadata: { name: uplinkStateName(uplinkName, nodeName) },
      ...(identified && {
        status: {
          uplinkName,
          nodeName,
          type: 'OVSBridge' as const,
          hostInterfaceName,
          ovsBridge: { name: 'br-one' },
          macAddress: '02:00:00:00:00:01',
          ipAddresses: ['192.0.2.6/24'],
          conditions: [
            {
              type: 'Ready',
              status: ready ? ('True' as const) : ('False' as const),
              reason: ready ? 'Ready' : 'BridgeNotFound',
            },
          ],
          networks: networks.map((name) => ({ name, ready: 'True' as const, reason: 'Ready' })),
        },
      }),
    }));
}

/** Uplinks and nodes that may have left a state. */
export const uplinksOnNodes = uplinkNames.flatMap((ofUplink) => nodeNames.map((ofNode) => [ofUplink, ofNode] as const));
