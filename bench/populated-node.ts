import { CapturedNode } from '../src/adapters/capture/captured-node.ts';
import { ManifestFiles } from '../src/adapters/manifests/manifest-files.ts';
import type { ClusterSnapshot, NodeSnapshot } from '../src/domain/index.ts';

const fixtures = `${import.meta.dirname}/../fixtures`;

const NODE_SUBNETS = 'k8s.ovn.org/node-subnets';

/** Ids of the networks that are added begin here. */
const FIRST_ID = 10;

const nameOf = (index: number) => `tenant-${index}`;

/** The objects with further networks beside red, on its uplink and in the default routing domain. */
function withNetworks(cluster: ClusterSnapshot, indexes: readonly number[]): ClusterSnapshot {
  const named = <Item extends { readonly metadata: { readonly name: string } }>(list: readonly Item[], name: string) =>
    list.filter(({ metadata }) => metadata.name === name);
  const networks = named(cluster.clusterUserDefinedNetworks, 'red').flatMap((red) =>
    indexes.map((index) => ({
      ...red,
      metadata: { ...red.metadata, name: nameOf(index), uid: nameOf(index), labels: {} },
      spec: { ...red.spec, namespaceSelector: { matchLabels: { tenant: nameOf(index) } } },
    })),
  );
  const attachments = named(cluster.networkAttachmentDefinitions, 'red').flatMap((red) =>
    indexes.map((index) => ({
      ...red,
      metadata: {
        ...red.metadata,
        name: nameOf(index),
        namespace: nameOf(index),
        annotations: {
          'k8s.ovn.org/network-id': String(FIRST_ID + index),
          'k8s.ovn.org/network-name': `cluster_udn_${nameOf(index)}`,
        },
        ownerReferences: (red.metadata.ownerReferences ?? []).map((owner) => ({
          ...owner,
          name: nameOf(index),
          uid: nameOf(index),
        })),
      },
    })),
  );
  const namespaces = indexes.map((index) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: nameOf(index), labels: { tenant: nameOf(index) } },
  }));
  const nodes = cluster.nodes.map((node) => {
    const { annotations = {} } = node.metadata;
    const subnets = JSON.parse(annotations[NODE_SUBNETS] ?? '{}') as Record<string, unknown>;
    const added = indexes.map((index) => [`cluster_udn_${nameOf(index)}`, ['10.30.1.0/24']] as const);
    const text = JSON.stringify({ ...subnets, ...Object.fromEntries(added) });
    return { ...node, metadata: { ...node.metadata, annotations: { ...annotations, [NODE_SUBNETS]: text } } };
  });
  return {
    ...cluster,
    nodes,
    namespaces: [...cluster.namespaces, ...namespaces],
    clusterUserDefinedNetworks: [...cluster.clusterUserDefinedNetworks, ...networks],
    networkAttachmentDefinitions: [...cluster.networkAttachmentDefinitions, ...attachments],
  };
}

/** The captured node worker-a with its two networks, and further ones on the bridge of red. */
export async function populatedNode(
  further: number,
): Promise<{ readonly cluster: ClusterSnapshot; readonly node: NodeSnapshot }> {
  const [objects, capture] = await Promise.all([
    new ManifestFiles([`${fixtures}/cluster.yaml`]).read(),
    new CapturedNode('worker-a', `${fixtures}/captures/worker-a`).read(),
  ]);
  if (!objects.read || !capture.read) throw new Error('the fixtures cannot be read');
  const indexes = Array.from({ length: further }, (_, index) => index);
  const ports = capture.value.links
    .filter(({ name }) => name === 'ovn-k8s-mp2')
    .flatMap((port) =>
      indexes.map((index) => ({
        ...port,
        name: `ovn-k8s-mp${FIRST_ID + index}`,
        index: 1000 + index,
        addresses: [],
      })),
    );
  return {
    cluster: withNetworks(objects.value.snapshot, indexes),
    node: { ...capture.value, links: [...capture.value.links, ...ports] },
  };
}
