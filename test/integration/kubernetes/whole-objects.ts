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

const networkOf = (network: object, more: object = {}) => ({
  apiVersion: 'k8s.ovn.org/v1',
  kind: 'ClusterUserDefinedNetwork',
  metadata,
  spec: {
    namespaceSelector: {
      matchLabels: { tenant: 'blue' },
      matchExpressions: [{ key: 'zone', operator: 'In', values: ['a', 'b'] }],
    },
    network,
    ...more,
  },
});

const joinSubnets = ['100.65.0.0/16', 'fd99::/64'];
const vrf = { vni: 100, routeTarget: '65000:100' };

/** ClusterUserDefinedNetworks that together have every field. */
export const networks = {
  'of topology Layer3 with uplinks': networkOf(
    {
      topology: 'Layer3',
      layer3: {
        role: 'Primary',
        mtu: 1400,
        subnets: [
          { cidr: '10.20.0.0/16', hostSubnet: 24 },
          { cidr: 'fd20::/48', hostSubnet: 64 },
        ],
        joinSubnets,
      },
    },
    { uplinks: ['blue'] },
  ),
  'of topology Layer2': networkOf({
    topology: 'Layer2',
    layer2: {
      role: 'Primary',
      mtu: 1400,
      subnets: ['10.20.0.0/16', 'fd20::/48'],
      joinSubnets,
      ipam: { mode: 'Enabled', lifecycle: 'Persistent' },
    },
    transport: 'Geneve',
  }),
  'that is secondary, without addresses': networkOf({
    topology: 'Layer2',
    layer2: { role: 'Secondary', ipam: { mode: 'Disabled' } },
  }),
  'of topology Layer2 with EVPN': networkOf({
    topology: 'Layer2',
    layer2: { role: 'Primary', subnets: ['10.20.0.0/16'] },
    transport: 'EVPN',
    evpnConfiguration: { vtep: 'vtep', macVRF: vrf, ipVRF: vrf },
  }),
  'of topology Layer3 with EVPN': networkOf({
    topology: 'Layer3',
    layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }] },
    transport: 'EVPN',
    evpnConfiguration: { vtep: 'vtep', ipVRF: vrf },
  }),
};
