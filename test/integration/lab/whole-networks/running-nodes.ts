/**
 * `npm run lab:running-nodes FOLDER`: writes nodes that this version has programmed, one on each userland, and the objects of their cluster. Later versions have
 * to take them over without an operation (test/integration/running-nodes.test.ts). FOLDER must not exist: the state of a version is written once.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dump } from 'js-yaml';
import { defaultSettings, emptyCluster } from '../../../../src/domain/index.ts';
import { namespace } from '../../kubernetes/network-objects.ts';
import { ovnUplinks } from '../agent/node-agent.ts';
import { clusterOf } from '../clusters.ts';
import type { LabNode } from '../node.ts';
import { NORTHBOUND } from '../packets/packet-node.ts';
import { bridgeOf, type LabUplink } from '../packets/tenant.ts';
import { connectedPlace } from './default-network.ts';
import { networkOf } from './objects.ts';
import { hasRemotePorts, WholeCluster } from './whole-cluster.ts';
import { startWholeNode, type WholePlace } from './whole-node.ts';

/** Kinds of objects that ovn-uplinks reads or writes, as kubectl(1) names them. */
const KINDS = [
  'nodes',
  'namespaces',
  'pods',
  'configmaps',
  'uplinks',
  'uplinkstates',
  'clusteruserdefinednetworks',
  'userdefinednetworks',
  'network-attachment-definitions',
  'routeadvertisements',
  'frrconfigurations',
];

/** Two networks share an uplink, one is in a VRF of its own, and so was one whose uplink is lost since; one has no uplink. */
const withUplinks = ['amber', 'green', 'red', 'grey'] as const;
const WITHOUT_UPLINK = 'demo';

const uplinkOf = (name: string, number: number, octet: number): LabUplink => ({
  name,
  macAddress: `02:00:00:00:0${octet}:0${number}`,
  addresses: [`192.0.2.${number}`, `2001:db8:b::${number}`],
});

const places = ['worker-a', 'worker-b'].map((name, index): WholePlace => ({
  ...connectedPlace(name, index),
  uplinks: ['shared', 'red', 'grey'].map((uplink, octet) => uplinkOf(uplink, 6 + index, octet)),
}));
const bridges = (places[0]?.uplinks ?? []).map(bridgeOf);
const [sharedBridge = '', redBridge = '', greyBridge = ''] = bridges;
const deviceOf = { amber: sharedBridge, green: sharedBridge, red: redBridge, grey: greyBridge } as const;

/** A namespaced network of the same subnets. */
const namespacedNetwork = () => {
  const { spec } = networkOf(WITHOUT_UPLINK);
  const { topology, layer3 } = spec.network;
  return {
    apiVersion: 'k8s.ovn.org/v1',
    kind: 'UserDefinedNetwork',
    metadata: { namespace: WITHOUT_UPLINK, name: 'blue' },
    spec: { topology, layer3 },
  };
};

/** An object that is captured. */
interface StoredObject {
  readonly kind: string;
  readonly metadata: { readonly namespace?: string; readonly name: string; readonly managedFields?: unknown };
}

/** Whether an object is one of ovn-uplinks, or of a kind that others write: ConfigMaps of Kubernetes have certificates. */
function isCaptured({ kind, metadata: { namespace: inNamespace, name } }: StoredObject): boolean {
  return kind !== 'ConfigMap' || (inNamespace === defaultSettings.namespace && name !== 'kube-root-ca.crt');
}

/** The objects of a cluster, without who has written which field. */
function objectsOf(cluster: WholeCluster): readonly unknown[] {
  const text = cluster.lab.server.kubectl(['get', KINDS.join(), '--all-namespaces', '--output=json']);
  const { items } = JSON.parse(text) as { readonly items: readonly StoredObject[] };
  return items
    .filter(isCaptured)
    .map(({ metadata: { managedFields: _, ...metadata }, ...object }) => ({ ...object, metadata }));
}

/** The flows that OVN makes: a megabyte on which no plan depends. */
const OVN_FLOWS = 'flows/br-int.txt';

/** Writes what `capture` writes on a node. */
async function writeNode(node: LabNode, folder: string): Promise<void> {
  const captured = '/run/captured';
  await node.does(ovnUplinks('capture', '--out', captured, '--ovn-northbound', NORTHBOUND));
  const files = await node.does(['/bin/busybox', 'find', captured, '-type', 'f']);
  for (const file of files.split('\n').filter((each) => each !== '' && !each.endsWith(OVN_FLOWS))) {
    const target = join(folder, file.slice(captured.length));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, await node.read(file));
  }
}

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('usage: npm run lab:running-nodes -- FOLDER\n');
  process.exit(1);
}
mkdirSync(folder);
const cluster = await WholeCluster.start();
try {
  const nodes = [
    await startWholeNode(cluster.lab, places[0]!),
    await startWholeNode(cluster.lab, places[1]!, { userland: 'debian-13' }),
  ];
  await cluster.register(...places);
  const { server } = cluster.lab;
  server.apply(...[...withUplinks, WITHOUT_UPLINK].map((tenant) => namespace(tenant, tenant)));
  await cluster.lab.apply({
    ...emptyCluster,
    ...clusterOf(
      withUplinks.map((name) => ({
        name,
        device: deviceOf[name],
        ...((name === 'red' || name === 'grey') && { targetVRF: 'auto' }),
      })),
      { devices: bridges },
    ),
    nodes: [],
    namespaces: [],
    networkAttachmentDefinitions: [],
  });
  server.apply(namespacedNetwork());
  for (const node of nodes) await cluster.startAgent(node);
  await cluster.untilReady(withUplinks, nodes);
  server.kubectl(['wait', '--for=condition=UplinksReady', 'cudn', '--all', '--timeout=90s']);
  server.kubectl([
    'wait',
    '--for=condition=NetworkReady',
    'udn/blue',
    `--namespace=${WITHOUT_UPLINK}`,
    '--timeout=90s',
  ]);
  for (const node of nodes) {
    for (const tenant of withUplinks) await cluster.newPod(node, tenant, `pod-on-${node.name}`);
  }
  for (const node of nodes) await hasRemotePorts(node, withUplinks.length + 1);
  const nodeConfigs = [{ type: 'OVSBridge', nodeSelector: {}, hostInterfaceName: 'lost' }];
  server.kubectl([
    ...['patch', `uplink/uplink-${bridges.indexOf(greyBridge)}`, '--type=merge'],
    `--patch=${JSON.stringify({ spec: { nodeConfigs } })}`,
  ]);
  server.kubectl(['wait', '--for=condition=UplinksReady=false', 'cudn/grey', '--timeout=90s']);
  for (const [index, node] of nodes.entries()) await writeNode(node, join(folder, places[index]!.name));
  const documents = objectsOf(cluster).map((object) => dump(object, { lineWidth: -1, noRefs: true }));
  writeFileSync(join(folder, 'cluster.yaml'), documents.join('---\n'));
} finally {
  await cluster.stop();
}
