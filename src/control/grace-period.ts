/**
 * With Dynamic UDN a network stays on a node for a grace period after its last pod there, so that a pod that is replaced does not find it removed
 * (OVN-Kubernetes, OKEP-5552, `--udn-deletion-grace-period`).
 */
import type { Pod } from '../domain/api/pod.ts';
import { isSameList, listChanges } from '../domain/basics/incremental/list-changes.ts';
import { CountedPairs } from '../domain/basics/names/pairs.ts';
import { activates } from '../domain/selection/active-nodes.ts';
import type { ClusterSnapshot, FormerActivity } from '../domain/snapshot/cluster-snapshot.ts';
import type { ResourceStore } from '../ports/cluster/resource-store.ts';
import { Changes } from '../ports/changes.ts';
import { Alarm } from './time.ts';
import { withCompleted } from './with-reads.ts';

/** OVN-Kubernetes' default, in milliseconds. */
export const DELETION_GRACE_PERIOD = 120_000;

interface Ended {
  readonly where: FormerActivity;
  /** When its grace period is over, in milliseconds of a monotonic clock. */
  readonly end: number;
}

/** Which namespaces had their last pod on a node a short time ago. */
class EndedActivity {
  readonly #gracePeriod: number;
  #pods: readonly Pod[] = [];
  /** Namespaces, and nodes on which pods of theirs run. */
  readonly #active = new CountedPairs();
  #ended: readonly Ended[] = [];

  constructor(gracePeriod: number) {
    this.#gracePeriod = gracePeriod;
  }

  /** @param now milliseconds of a monotonic clock */
  take(pods: readonly Pod[], now: number): readonly Ended[] {
    const { removed, added } = listChanges(this.#pods, pods);
    this.#pods = pods;
    const count = (pod: Pod, change: 1 | -1) => {
      const where = { namespace: pod.metadata.namespace ?? 'default', node: pod.spec.nodeName ?? '' };
      return activates(pod) && this.#active.count(where.namespace, [where.node], change).length > 0 ? [where] : [];
    };
    for (const pod of added) count(pod, 1);
    const recent = removed.flatMap((pod) => count(pod, -1));
    const waiting = this.#ended.filter(({ where, end }) => end > now && !this.#active.has(where.namespace, where.node));
    const all = [...waiting, ...recent.map((where) => ({ where, end: now + this.#gracePeriod }))];
    if (!isSameList(all, this.#ended)) this.#ended = all;
    return this.#ended;
  }
}

/**
 * A store whose snapshots have the former activity of pods. It is not known after a restart.
 *
 * @param gracePeriod milliseconds
 */
export function withGracePeriod(store: ResourceStore, gracePeriod: number): ResourceStore {
  const activity = new EndedActivity(gracePeriod);
  const changes = new Changes();
  const alarm = new Alarm(() => changes.notify());
  let last:
    { readonly from: ClusterSnapshot; readonly ended: readonly Ended[]; readonly to: ClusterSnapshot } | undefined;
  const completed = (from: ClusterSnapshot): ClusterSnapshot => {
    const ended = activity.take(from.pods, performance.now());
    alarm.set(Math.min(...ended.map(({ end }) => end)));
    if (ended.length === 0) return from;
    if (last?.from === from && last.ended === ended) return last.to;
    const to = {
      ...from,
      formerActivity: last?.ended === ended ? (last.to.formerActivity ?? []) : ended.map(({ where }) => where),
    };
    last = { from, ended, to };
    return to;
  };
  return withCompleted(store, {
    complete: completed,
    onChange: (listener) => changes.listen(listener),
    close: () => alarm.clear(),
  });
}
