/** The fields of an object that are read. */
interface ObjectWithStatus {
  readonly metadata: { readonly generation?: number; readonly deletionTimestamp?: string };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

export type KStatus = 'Current' | 'InProgress' | 'Failed' | 'Terminating';

/**
 * The status of an object of a kind that kstatus has no rules of its own for (sigs.k8s.io/cli-utils, pkg/kstatus/status: generic.go, and the condition
 * Ready in status.go). Flux and `kubectl` plugins wait by it. An object that says nothing of what is asked for is up to date.
 */
export function kstatusOf(object: object): KStatus {
  const { metadata, status = {} } = object as ObjectWithStatus;
  const { observedGeneration, conditions = [] } = status;
  if (metadata.deletionTimestamp !== undefined) return 'Terminating';
  const isOutdated = metadata.generation !== undefined && metadata.generation !== observedGeneration;
  if (observedGeneration !== undefined && isOutdated) return 'InProgress';
  // The first of the two decides, in the order of the list.
  const abnormal = conditions.find((each) => /^(Reconciling|Stalled)$/.test(each.type) && each.status === 'True');
  if (abnormal !== undefined) return abnormal.type === 'Reconciling' ? 'InProgress' : 'Failed';
  const ready = conditions.find(({ type }) => type === 'Ready');
  return ready === undefined || ready.status === 'True' ? 'Current' : 'InProgress';
}
