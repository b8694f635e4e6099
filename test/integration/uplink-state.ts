import type { UplinkState } from '../../src/domain/api/uplink-state.ts';

/** The state that the agent of a node would report of an uplink `uplink-0` that is ready, and of network blue on it: `Ready`, or why it is not. */
export function stateOf(node: string, reason: string): UplinkState {
  const lastTransitionTime = '2026-01-02T03:04:05Z';
  return {
    apiVersion: 'k8s.ovn.org/v1alpha1',
    kind: 'UplinkState',
    metadata: {
      name: `uplink-0.${node}`,
      labels: { 'k8s.ovn.org/uplink': 'uplink-0', 'k8s.ovn.org/node': node },
    },
    status: {
      uplinkName: 'uplink-0',
      nodeName: node,
      type: 'OVSBridge',
      hostInterfaceName: 'br-blue',
      ovsBridge: { name: 'br-blue' },
      macAddress: '02:00:00:00:01:06',
      ipAddresses: ['192.0.2.6/24', '2001:db8:b::6/64'],
      conditions: [{ type: 'Ready', status: 'True', reason: 'Ready', message: 'as a test says', lastTransitionTime }],
      networks: [{ name: 'blue', ready: reason === 'Ready' ? 'True' : 'False', reason, message: '' }],
    },
  };
}
