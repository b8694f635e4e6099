import type { ClusterSnapshot, NodeSnapshot } from '../src/domain/index.ts';
import { emptyCluster } from '../src/domain/index.ts';
import { completeNode } from '../src/testing/index.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** A node with a number of networks, each on an uplink, a bridge and in a VRF of its own, and the cluster objects to go with it. */
export function largeNode(networks: number): { readonly cluster: ClusterSnapshot; readonly node: NodeSnapshot } {
  const each = numbers(networks);
  const address = (index: number) => ({ address: `192.0.${index}.6`, prefixLength: 24 });
  const cluster: ClusterSnapshot = {
    ...emptyCluster,
    nodes: [{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker' } }],
    uplinks: each.map((index) => ({
      apiVersion: 'k8s.ovn.org/v1alpha1',
      kind: 'Uplink',
      metadata: { name: `uplink-${index}`, uid: `uid-${index}` },
      spec: { nodeConfigs: [{ type: 'OVSBridge', nodeSelector: {}, hostInterfaceName: `br-${index}` }] },
    })),
    clusterUserDefinedNetworks: each.map((index) => ({
      apiVersion: 'k8s.ovn.org/v1',
      kind: 'ClusterUserDefinedNetwork',
      metadata: { name: `tenant-${index}` },
      spec: {
        namespaceSelector: {},
        network: {
          topology: 'Layer3',
          layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }, { cidr: 'fd20::/48' }] },
        },
        uplinks: [`uplink-${index}`],
      },
    })),
    networkAttachmentDefinitions: each.map((index) => ({
      apiVersion: 'k8s.cni.cncf.io/v1',
      kind: 'NetworkAttachmentDefinition',
      metadata: {
        name: `tenant-${index}`,
        namespace: `tenant-${index}`,
        annotations: {
          'k8s.ovn.org/network-name': `cluster_udn_tenant-${index}`,
          'k8s.ovn.org/network-id': String(index + 1),
        },
      },
    })),
    routeAdvertisements: [
      {
        apiVersion: 'k8s.ovn.org/v1',
        kind: 'RouteAdvertisements',
        metadata: { name: 'all' },
        spec: {
          targetVRF: 'auto',
          advertisements: ['PodNetwork'],
          networkSelectors: [{ networkSelectionType: 'ClusterUserDefinedNetworks' }],
        },
      },
    ],
    frrConfigurations: [
      {
        apiVersion: 'frrk8s.metallb.io/v1beta1',
        kind: 'FRRConfiguration',
        metadata: { name: 'all', namespace: 'frr-k8s-system' },
      },
    ],
  };
  const links = [
    ...each.flatMap((index) => [
      { name: `br-${index}`, addresses: [address(index), { address: `2001:db8:${index}::6`, prefixLength: 64 }] },
      { name: `eth${index}` },
      { name: `ovn-k8s-mp${index + 1}` },
    ]),
    // Somebody else's default routes leave by it, so that no network cuts the node off.
    { name: 'br-ex', addresses: [{ address: '198.51.100.10', prefixLength: 24 }] },
  ];
  const node = completeNode({
    nodeName: 'worker',
    links,
    routes: each.flatMap((index) => {
      const device = `br-${index}`;
      const gateway = `192.0.${index}.1`;
      const kernels = { protocol: 'kernel', nextHops: [{ device }] };
      return [
        { destination: '0.0.0.0/0', nextHops: [{ device, gateway }], metric: 100 + index },
        { destination: `203.0.${index}.0/24`, nextHops: [{ device, gateway }] },
        { destination: '::/0', nextHops: [{ device, gateway: `2001:db8:${index}::1` }], metric: 2000 + index },
        { destination: `192.0.${index}.0/24`, scope: 'link', preferredSource: `192.0.${index}.6`, ...kernels },
        { destination: `192.0.${index}.6/32`, scope: 'host', type: 'local', table: 255, ...kernels },
        { destination: `192.0.${index}.255/32`, scope: 'link', type: 'broadcast', table: 255, ...kernels },
        { destination: `2001:db8:${index}::/64`, metric: 256, ...kernels },
        { destination: `2001:db8:${index}::6/128`, type: 'local', table: 255, ...kernels },
        { destination: 'ff00::/8', type: 'multicast', metric: 256, table: 255, ...kernels },
      ];
    }),
    sysctls: Object.fromEntries(
      ['all', 'default', ...links.map(({ name }) => name)].flatMap((name) => [
        [`net.ipv4.conf.${name}.rp_filter`, name === 'all' ? '1' : '0'],
        [`net.ipv6.conf.${name}.keep_addr_on_down`, '0'],
      ]),
    ),
    bridges: each.map((index) => ({ name: `br-${index}`, ports: [{ name: `eth${index}` }] })),
  });
  return { cluster, node };
}
