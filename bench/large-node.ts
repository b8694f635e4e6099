import type { ClusterSnapshot, NodeSnapshot } from '../src/domain/index.ts';
import { emptyCluster } from '../src/domain/index.ts';
import { completeNode } from '../src/testing/index.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** How the networks of a node are laid out: each on a bridge and in a VRF of its own, or all on one bridge in the default routing domain. */
export type Layout = 'own VRFs' | 'default domain';

/** A node with a number of networks, nothing of which is programmed yet, and the cluster objects to go with it. */
export function largeNode(
  networks: number,
  layout: Layout,
): { readonly cluster: ClusterSnapshot; readonly node: NodeSnapshot } {
  const each = numbers(networks);
  const bridges = layout === 'own VRFs' ? each : [0];
  const ipv6 = (index: number, host: number) => `2001:db8:${(index + 1).toString(16)}::${host}`;
  const cluster: ClusterSnapshot = {
    ...emptyCluster,
    nodes: [{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker' } }],
    uplinks: bridges.map((index) => ({
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
        uplinks: [`uplink-${layout === 'own VRFs' ? index : 0}`],
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
          targetVRF: layout === 'own VRFs' ? 'auto' : 'default',
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
    ...bridges.flatMap((index) => [
      {
        name: `br-${index}`,
        addresses: [
          { address: `192.0.${index}.6`, prefixLength: 24 },
          { address: ipv6(index, 6), prefixLength: 64 },
        ],
      },
      { name: `eth${index}` },
    ]),
    ...each.map((index) => ({ name: `ovn-k8s-mp${index + 1}` })),
    // The default routes of somebody else leave by it, so that no network cuts the node off.
    { name: 'br-ex', addresses: [{ address: '198.51.100.10', prefixLength: 24 }] },
  ];
  const node = completeNode({
    nodeName: 'worker',
    links,
    kernelRoutes: true,
    routes: bridges.flatMap((index) => {
      const device = `br-${index}`;
      const gateway = `192.0.${index}.1`;
      return [
        { destination: '0.0.0.0/0', nextHops: [{ device, gateway }], metric: 100 + index },
        { destination: `203.0.${index}.0/24`, nextHops: [{ device, gateway }] },
        { destination: '::/0', nextHops: [{ device, gateway: ipv6(index, 1) }], metric: 2000 + index },
      ];
    }),
    sysctls: {
      'net.ipv4.conf.*.rp_filter': '0',
      'net.ipv4.conf.all.rp_filter': '1',
      'net.ipv6.conf.*.keep_addr_on_down': '0',
    },
    bridges: bridges.map((index) => ({ name: `br-${index}`, ports: [{ name: `eth${index}` }] })),
  });
  return { cluster, node };
}
