import { planCluster, defaultSettings, emptyCluster } from './src/domain/index.ts';
const [N, U, W] = [Number(process.argv[2] ?? 1000), 20, 200];
const range = (n: number) => Array.from({ length: n }, (_, i) => i);
const state = (u: number, n: number, ready: boolean) => ({ apiVersion: 'k8s.ovn.org/v1alpha1', kind: 'UplinkState', metadata: { name: `uplink-${u}.node-${n}`, uid: `${u}-${n}`, labels: { 'k8s.ovn.org/uplink': `uplink-${u}`, 'k8s.ovn.org/node': `node-${n}` }, annotations: { 'k8s.ovn.org/uplink': `uplink-${u}`, 'k8s.ovn.org/node': `node-${n}` } },
  status: { uplinkName: `uplink-${u}`, nodeName: `node-${n}`, type: 'OVSBridge', hostInterfaceName: `br-${u}`, ovsBridge: { name: `br-${u}` }, macAddress: '02:00:00:00:01:06', ipAddresses: ['192.0.2.6/24'], conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', reason: ready ? 'Ready' : 'BridgeInvalid', message: '', lastTransitionTime: '2026-01-02T03:04:05Z' }], networks: range(W).filter((w) => w % U === u).map((w) => ({ name: `network-${w}`, ready: ready ? 'True' : 'False', reason: ready ? 'Ready' : 'UplinkNotReadyForNode', message: '' })) } });
const labels = Object.fromEntries(range(U).map((u) => [`example.com/uplink-${u}`, 'yes']));
let cluster: any = { ...emptyCluster,
  nodes: range(N).map((n) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name: `node-${n}`, labels } })),
  uplinks: range(U).map((u) => ({ apiVersion: 'k8s.ovn.org/v1alpha1', kind: 'Uplink', metadata: { name: `uplink-${u}`, uid: `${u}` }, spec: { nodeConfigs: [{ type: 'OVSBridge', nodeSelector: { matchLabels: { [`example.com/uplink-${u}`]: 'yes' } }, hostInterfaceName: `br-${u}` }] } })),
  clusterUserDefinedNetworks: range(W).map((w) => ({ apiVersion: 'k8s.ovn.org/v1', kind: 'ClusterUserDefinedNetwork', metadata: { name: `network-${w}`, uid: `n${w}` }, spec: { namespaceSelector: { matchLabels: { tenant: `network-${w}` } }, network: { topology: 'Layer3', layer3: { role: 'Primary', subnets: [{ cidr: `10.${w}.0.0/16` }] } }, uplinks: [`uplink-${w % U}`] } })),
  uplinkStates: range(N).flatMap((n) => range(U).map((u) => state(u, n, false))) };
for (const i of range(8)) {
  const b = performance.now();
  const p = planCluster(cluster, defaultSettings);
  console.log(Math.round(performance.now() - b), p.uplinks.length);
  const states = [...cluster.uplinkStates]; states[i] = state(i, 0, true);
  cluster = { ...cluster, uplinkStates: states };
}
