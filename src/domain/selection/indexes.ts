/** Objects of a cluster by name, label, namespace and node: each index is made once for the same list, or from that of the list before. */
import type { Namespace } from '../api/namespace.ts';
import type { Node } from '../api/node.ts';
import type { Pod } from '../api/pod.ts';
import { lazyByObject } from '../basics/incremental/by-identity.ts';
import { groupedByName } from '../basics/incremental/grouped.ts';
import { sameItems } from '../basics/incremental/same-if-equal.ts';
import { activates } from './active-nodes.ts';
import { labelIndex } from './label-index.ts';

export const nodeIndex = lazyByObject((nodes: readonly Node[]) => labelIndex(nodes));

/** Names of all nodes, in order: the same list as the last one if it has the same names. */
export const nodeNames = sameItems((nodes: readonly Node[]) =>
  nodeIndex(nodes).all.map(({ metadata }) => metadata.name),
);

export const namespaceIndex = lazyByObject((namespaces: readonly Namespace[]) => labelIndex(namespaces));

/** All pods, by the name of their namespace. */
export const podsByNamespace = groupedByName(({ metadata }: Pod) => metadata.namespace ?? 'default');

/** The pods that use networks, by the name of their namespace. */
export const activePodsByNamespace = groupedByName((pod: Pod) =>
  activates(pod) ? (pod.metadata.namespace ?? 'default') : undefined,
);

/** The pods that use networks, by the name of their node. */
export const activePodsByNode = groupedByName((pod: Pod) => (activates(pod) ? pod.spec.nodeName : undefined));
