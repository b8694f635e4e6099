/** Name of the objects. */
export const metadata = { name: 'blue' };

/** An Uplink with every field. */
export const uplink = {
  apiVersion: 'k8s.ovn.org/v1alpha1',
  kind: 'Uplink',
  metadata,
  spec: {
    nodeConfigs: [
      {
        type: 'OVSBridge',
        nodeSelector: {
          matchLabels: { rack: 'a' },
          matchExpressions: [{ key: 'zone', operator: 'In', values: ['a', 'b'] }],
        },
        hostInterfaceName: 'br-blue',
      },
    ],
  },
};

const network = { name: 'blue', vrf: 'blue', ready: 'True', reason: 'Ready', message: 'programmed' };

/** An UplinkState with every field. */
export const state = {
  apiVersion: 'k8s.ovn.org/v1alpha1',
  kind: 'UplinkState',
  metadata,
  status: {
    uplinkName: 'blue',
    nodeName: 'worker-a',
    type: 'OVSBridge',
    hostInterfaceName: 'br-blue',
    ovsBridge: { name: 'br-blue' },
    macAddress: '02:00:00:00:00:01',
    ipAddresses: ['192.0.2.6/24'],
    defaultGateways: ['192.0.2.1'],
    conditions: [
      {
        type: 'Ready',
        status: 'True',
        reason: 'Ready',
        message: 'found',
        lastTransitionTime: '2026-01-01T00:00:00Z',
        observedGeneration: 1,
      },
    ],
    networks: [network],
    hostNetworks: [network],
  },
};
