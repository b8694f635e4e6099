/** Objects of a cluster by name, label, namespace and node: each index is made once for the same list. */
import type { Namespace } from '../api/namespace.ts';
import type { Node } from '../api/node.ts';
import type { Pod } from '../api/pod.ts';
import { groupBy } from '../basics/names/grouping.ts';
import { lazyByObject } from '../basics/incremental/by-identity.ts';
import { activates } from './active-nodes.ts';
import { labelIndex } from './label-index.ts';

export const nodeIndex = lazyByObject((nodes: readonly Node[]) => labelIndex(nodes));

/** Names of all nodes, in order. */
export const nodeNames = lazyByObject((nodes: readonly Node[]) =>
  nodeIndex(nodes).all.map(({ metadata }) => metadata.name),
);

export const namespaceIndex = lazyByObject((namespaces: readonly Namespace[]) => labelIndex(namespaces));

/** All pods, by the name of their namespace. */
export const podsByNamespace = lazyByObject((pods: readonly Pod[]) =>
  groupBy(pods, ({ metadata }) => metadata.namespace ?? 'default'),
);

const activePods = lazyByObject((pods: readonly Pod[]) => pods.filter(activates));

/** The pods that use networks, by the name of their namespace. */
export const activePodsByNamespace = lazyByObject((pods: readonly Pod[]) => podsByNamespace(activePods(pods)));

/** The pods that use networks, by the name of their node. */
export const activePodsByNode = lazyByObject((pods: readonly Pod[]) =>
  groupBy(activePods(pods), ({ spec: { nodeName = '' } }) => nodeName),
);
