import type { ClusterSnapshot, NodeSettings, NodeSnapshot } from '../domain/index.ts';

/** One step of a story: what the cluster says from now on, and what others do to the node before it is looked at. */
export interface Step {
  readonly cluster: ClusterSnapshot;
  /** Something of ours that somebody removes by hand: one of those that are there, by a number that picks it. */
  readonly damage?: number;
  /** A network's id whose management port OVN-Kubernetes makes again, with another number. */
  readonly remadeManagementPort?: number;
}

/** A node and what happens to it, step by step. */
export interface Story {
  readonly settings: NodeSettings;
  readonly node: NodeSnapshot;
  readonly steps: readonly Step[];
}

/** A story told in another way, which must end as its last step alone ends. */
export interface Telling {
  readonly name: string;
  readonly steps: readonly Step[];
  /** Whether everything is looked at again after every single operation. */
  readonly restarted?: true;
}

function emptied({ cluster }: Step): Step {
  return { cluster: { ...cluster, clusterUserDefinedNetworks: [] } };
}

/** All tellings of a story. What is removed while others still refer to it comes with the steps themselves. */
export function tellings({ steps }: Story): readonly Telling[] {
  const [first] = steps;
  if (first === undefined) return [];
  return [
    { name: 'as it is told', steps },
    { name: 'backwards', steps: steps.toReversed() },
    { name: 'without its first step', steps: steps.slice(1) },
    { name: 'with its networks gone between the steps', steps: steps.flatMap((step) => [emptied(step), step]) },
    { name: 'with each step twice', steps: steps.flatMap((step) => [step, step]) },
    { name: 'twice', steps: [...steps, ...steps] },
    { name: 'restarted after each operation', steps, restarted: true },
  ];
}
