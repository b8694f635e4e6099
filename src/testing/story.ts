import type { ClusterSnapshot, NodeSettings, NodeSnapshot } from '../domain/index.ts';
import { withoutNetworks } from './without-networks.ts';

/** One step of a story: what the cluster says from now on, and what others change on the node before it is observed. */
export interface Step {
  readonly cluster: ClusterSnapshot;
  /** Selects the managed entity that another program removes. */
  readonly damage?: number;
  /** The id of a network whose management port OVN-Kubernetes recreates, with another interface index. */
  readonly remadeManagementPort?: number;
}

/** A node and a sequence of changes to it. */
export interface Story {
  readonly settings: NodeSettings;
  readonly node: NodeSnapshot;
  readonly steps: readonly Step[];
}

/** A sequence of changes derived from a story; the end is as if its last step were its first. */
export interface Variant {
  readonly name: string;
  readonly steps: readonly Step[];
  /** Whether the process is restarted after each operation. */
  readonly restarted?: true;
}

function emptied({ cluster }: Step): Step {
  return { cluster: withoutNetworks(cluster) };
}

/** The variants of a story. Objects that are removed while others refer to them come with the steps themselves. */
export function variantsOf({ steps }: Story): readonly Variant[] {
  const [first] = steps;
  if (first === undefined) return [];
  return [
    { name: 'as it is', steps },
    { name: 'reversed', steps: steps.toReversed() },
    { name: 'without its first step', steps: steps.slice(1) },
    { name: 'emptied of networks between the steps', steps: steps.flatMap((step) => [emptied(step), step]) },
    { name: 'with each step twice', steps: steps.flatMap((step) => [step, step]) },
    { name: 'twice', steps: [...steps, ...steps] },
    { name: 'restarted after each operation', steps, restarted: true },
  ];
}
