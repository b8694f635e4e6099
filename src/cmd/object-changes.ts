import type { ClusterSnapshot, Condition } from '../domain/index.ts';

interface WithConditions {
  readonly metadata: { readonly name: string };
  readonly status?: {
    readonly conditions?: readonly { type: string; status: string; reason: string; message?: string }[];
  };
}

function objectIn(cluster: ClusterSnapshot, object: string): WithConditions | undefined {
  const [kind, name] = object.split('/', 2);
  const lists: Readonly<Record<string, readonly WithConditions[]>> = {
    ClusterUserDefinedNetwork: cluster.clusterUserDefinedNetworks,
    Uplink: cluster.uplinks,
    UplinkState: cluster.uplinkStates,
  };
  return lists[kind ?? '']?.find(({ metadata }) => metadata.name === name);
}

/** How a condition differs from what stands in the object now: `+` it is new, `~` it says something else, empty where it is the same. */
export function changeMark(before: ClusterSnapshot, object: string, condition: Condition): '+' | '~' | '' {
  const present = objectIn(before, object)?.status?.conditions?.find(({ type }) => type === condition.type);
  if (present === undefined) return '+';
  const same =
    present.status === condition.status &&
    present.reason === condition.reason &&
    (present.message ?? '') === condition.message;
  return same ? '' : '~';
}
